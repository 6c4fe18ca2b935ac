import { packageDirectory } from "./package-directory.ts";

/** Returns the version in this package's manifest. */
export function haftVersion(): string {
  // Not imports: they evaluate all of a module, and `require` takes longer than reading the file.
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const manifest: unknown = JSON.parse(readFileSync(`${packageDirectory}package.json`, "utf8"));
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "0";
}
