/**
 * Writes the manifest that is published in place of the development one, and puts the development one back.
 *
 * `npm pack` runs it before (`write`) and after (`restore`). Published are the command and the run-time
 * dependencies; development tools, scripts and the Node binaries for development stay out.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const manifest = "package.json";
const kept = "package.development.json";

interface Manifest {
  [key: string]: unknown;
}

const [, , action] = process.argv;
if (action === "write") {
  const text = readFileSync(manifest, "utf8");
  if (!existsSync(kept)) writeFileSync(kept, text);
  const published = publishedManifest(JSON.parse(readFileSync(kept, "utf8")));
  writeFileSync(manifest, `${JSON.stringify(published, null, 2)}\n`);
} else if (action === "restore") {
  if (existsSync(kept)) renameSync(kept, manifest);
} else {
  throw new TypeError("Usage: publish-manifest write | restore");
}

function publishedManifest(development: Manifest): Manifest {
  const {
    private: _private,
    scripts: _scripts,
    devDependencies: _dev,
    optionalDependencies: _optional,
    ...rest
  } = development;
  return { ...rest, bin: { haft: "bin/haft.cjs" } };
}
