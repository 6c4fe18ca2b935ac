import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
/** The oldest supported Node reads a program in TypeScript only with them. */
const sourceFlags = isSource ? ["--no-warnings", "--experimental-strip-types"] : [];

/** Modules that run in processes of their own, beside this file in the source and in what is published. */
export function programFile(name: "relay" | "confine" | "confined-exec"): string {
  return fileURLToPath(new URL(`../sandbox/${name}.${isSource ? "ts" : "js"}`, import.meta.url));
}

/** The words that start one as a program. */
export function programCommand(name: "relay" | "confined-exec"): readonly string[] {
  return [process.execPath, ...sourceFlags, programFile(name)];
}
