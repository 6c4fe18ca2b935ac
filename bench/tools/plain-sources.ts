import { globSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * A module for a process to begin with, which then finds the benchmark's own files as JavaScript: to read TypeScript, Node
 * holds 18 MiB, which are none of what a subject takes.
 */
export function plainSources(): string {
  const files = [...globSync("bench/tools/*.ts"), "scripts/install-on-demand.ts"];
  const sources = files.map((file) => [
    pathToFileURL(realpathSync(file)).href,
    stripTypeScriptTypes(readFileSync(file, "utf8")),
  ]);
  const code = `import { registerHooks } from "node:module";
const sources = new Map(${JSON.stringify(sources)});
registerHooks({
  load(url, context, next) {
    const source = sources.get(url);
    if (source === undefined) return next(url, context);
    return { format: "module", source, shortCircuit: true };
  },
});
`;
  const file = path.resolve(".cache", `bench-sources-${process.pid}.mjs`);
  writeFileSync(file, code);
  process.on("exit", () => rmSync(file, { force: true }));
  return pathToFileURL(file).href;
}
