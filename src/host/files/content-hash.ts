import type { hash as Hash } from "node:crypto";

let hash: typeof Hash | undefined;

/** Hash of content: `sha256:` and 64 hexadecimal digits, the same on every host. */
export function contentHash(bytes: Uint8Array): string {
  // Not an import: most of what `node:crypto` evaluates is never needed, so it is loaded with the first hash.
  hash ??= process.getBuiltinModule("node:crypto").hash;
  return `sha256:${hash("sha256", bytes, "hex")}`;
}
