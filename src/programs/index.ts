/** Programs that haft itself runs: their paths and their environment. */
export { ownRipgrep } from "./own-package.ts";
export {
  isOwnedByRoot,
  isTrustedProgram,
  missingProgram,
  systemEnvironment,
  systemPath,
  systemProgram,
} from "./system-program.ts";
