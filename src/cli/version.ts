import { createRequire } from "node:module";
import { packageDirectory } from "./package-directory.ts";

/** Returns the version in this package's manifest. */
export function haftVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)(`${packageDirectory}package.json`);
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "0";
}
