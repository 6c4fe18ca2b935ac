import { fileURLToPath } from "node:url";

/** Programs that are started as processes of their own, beside this file in the source and in what is published. */
export function programFile(name: "relay" | "confine" | "confined-exec"): string {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return fileURLToPath(new URL(`../sandbox/${name}.${extension}`, import.meta.url));
}
