import { fileURLToPath } from "node:url";

const isSource = import.meta.url.endsWith(".ts");
/** Flags with which the oldest supported Node runs TypeScript sources. */
const sourceFlags = isSource ? ["--no-warnings", "--experimental-strip-types"] : [];

/**
 * Returns the path of a program that runs as a process of its own. It is next to this file in the sources and in the
 * published package.
 */
export function programFile(name: "relay" | "confine" | "confined-exec"): string {
  return fileURLToPath(new URL(`../sandbox/${name}.${isSource ? "ts" : "js"}`, import.meta.url));
}

/** Returns the arguments that start such a program. */
export function programCommand(name: "relay" | "confined-exec"): readonly string[] {
  return [process.execPath, ...sourceFlags, programFile(name)];
}
