/** Programs that haft runs for itself: where they are, and what they see of the environment. */
export { ownRipgrep } from "./own-package.ts";
export {
  isOwnedByRoot,
  isTrustedProgram,
  missingProgram,
  systemEnvironment,
  systemPath,
  systemProgram,
} from "./system-program.ts";
