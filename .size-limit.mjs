import { readFileSync } from "node:fs";
import path from "node:path";

/**
 * A built file and all it loads at once: what is behind `import()` is not weighed. An `index.ts` that is loaded by
 * `import()` somewhere and imported at once elsewhere is joined with all that it exports: load the file behind it.
 */
function loadedBy(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target] of readFileSync(file, "utf8").matchAll(
    /^(?:import|export)\b[^;]*?"(\.[^"]+)";$/gmu,
  )) {
    loadedBy(path.join(path.dirname(file), target), seen);
  }
  return seen;
}

export default [
  {
    name: "haft: the library entry with all it loads at once",
    path: [...loadedBy("dist/index.js")],
    limit: "120 kB",
  },
];
