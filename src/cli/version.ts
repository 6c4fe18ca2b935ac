import { createRequire } from "node:module";

/** The version in this package's manifest. */
export function haftVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)("../../package.json");
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "0";
}
