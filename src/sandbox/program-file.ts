import { fileURLToPath } from "node:url";

/**
 * Returns the path of a program that runs as a process of its own. It is next to this file in the sources and in the
 * published package.
 */
export function programFile(name: "relay" | "confine" | "confined-exec"): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../sandbox/${name}.${extension}`, import.meta.url));
}
