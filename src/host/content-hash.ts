import { hash } from "node:crypto";

/** The name of some content: `sha256:` and 64 hex digits, the same on every host. */
export function contentHash(bytes: Uint8Array): string {
  return `sha256:${hash("sha256", bytes, "hex")}`;
}
