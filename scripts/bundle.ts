/**
 * Writes `dist`: the JavaScript of each public entry and of the command, next to the declarations tsc wrote.
 *
 * Modules are joined into one file where they are loaded together, and cut where the source says
 * `import()`: opening a hundred small files is what most of a cold start goes to. Packages stay outside, except for those
 * that a first call waits for, of which little is used or which are of an older form that takes long to load; their
 * licences are written next to the code.
 */
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { rolldown } from "rolldown";
import { joinEntry } from "./bundle-entry.ts";
import { groupByStarts, withoutPassing } from "./bundle-groups.ts";

const joined = ["unbash", "zod", "diff", "fastest-levenshtein", "jsonc-parser"];
const manifest: {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
} = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/u, "$1")],
);
const input = {
  ...Object.fromEntries([...entries, "cli/main"].map((entry) => [entry, `src/${entry}.ts`])),
  // A separate program, found next to the module that starts it; as that is loaded by `import()`, it is a chunk.
  "chunks/spawn-helper": "src/host/processes/helper/spawn-helper.ts",
  // Programs that run in a sandbox; what starts them finds them by their place in both.
  ...Object.fromEntries(
    ["relay", "confine", "confined-exec"].map((name) => [
      `sandbox/${name}`,
      `src/sandbox/${name}.ts`,
    ]),
  ),
};

/**
 * The module that loads all of zod, which is what the installed package is for: of the zod in the bundle only that is
 * left then which tools use, a fourth of it.
 */
const wholeZod = path.resolve("src/interop/outgoing/claude-agent.ts");

/** Line with which the bundler begins a module. */
const moduleName = /^\/\/ (?:src|node_modules)\/[\w./@-]+\.\w+$/gmu;

const bundle = await rolldown({
  input,
  preserveEntrySignatures: "allow-extension",
  platform: "node",
  resolve: { mainFields: ["module", "main"] },
  // The oldest Node that package.json names.
  transform: { target: "node22.13" },
  external: (id, importer) =>
    !/^[./]|^\w:/u.test(id) && !(joined.includes(id) && importer !== wholeZod),
  plugins: [
    {
      name: "version-as-text",
      // A server starts without reading the manifest, and without the directory that it is in.
      transform: (_code, id) =>
        id === path.resolve("src/cli/version.ts")
          ? {
              code: `export function haftVersion() { return ${JSON.stringify(manifest.version)}; }`,
              moduleType: "js",
              map: null,
            }
          : undefined,
    },
    {
      name: "json-as-text",
      // Parsing the text takes a fraction of evaluating the same as an expression.
      transform: (code, id) =>
        id.endsWith("/catalog.json")
          ? {
              code: `export default JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(code)))});`,
              moduleType: "js",
              map: null,
            }
          : undefined,
    },
  ],
});
const ungrouped = await bundle.generate({ format: "esm" });
const chunks = ungrouped.output.filter((each) => each.type === "chunk");
// One folder below `dist`, as deep as the source files, so that paths from `import.meta.url` hold in both.
const { output } = await bundle.write({
  dir: "dist",
  format: "esm",
  // The declarations hold the documentation; here it would only be more to load.
  comments: { jsdoc: false, legal: true, annotation: true },
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  // Opening a file takes longer than reading what it holds besides, so small modules that are loaded together are one:
  // those that most of the code needs, and those that every verb of the command needs.
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      {
        name: groupByStarts(entries, chunks),
        debugName: "starts",
        test: /\/(?:src|jsonc-parser)\//u,
        priority: 1,
      },
    ],
  },
});
await bundle.close();

const codes = new Map(
  output.flatMap((chunk) =>
    chunk.type === "chunk" ? [[path.join("dist", chunk.fileName), chunk.code] as const] : [],
  ),
);
const passing = withoutPassing(codes);
const moved = joinEntry(codes, path.join("dist", "cli", "main.js"));
if (moved !== undefined) renameSync(`${moved.from}.map`, `${moved.to}.map`);

const known = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
for (const chunk of output) {
  const imports = chunk.type === "chunk" ? chunk.imports : [];
  // Imports that the source does not name come from the bundler: a syntax that it can only lower with a package of
  // its own.
  const stray = imports.filter(
    (id) =>
      !/^(?:node:|[./]|chunks\/)/u.test(id) &&
      !known.some((name) => `${id}/`.startsWith(`${name}/`)) &&
      !output.some(({ fileName }) => fileName === id),
  );
  if (stray.length > 0) throw new Error(`${chunk.fileName} imports ${stray.join(", ")}.`);
}

// One letter beyond Latin makes the engine hold the whole text of a file in twice the memory. Code means the same
// with the letter's number in its place, except in the raw text of a template and after a backslash.
for (const chunk of output) {
  if (chunk.type !== "chunk") continue;
  const file = path.join("dist", chunk.fileName);
  const code = codes.get(file);
  if (code === undefined) continue;
  if (/\\[^\0-\x7F]|String\.raw`[^`]*[^\0-\x7F`]/.test(code)) {
    throw new Error(`${chunk.fileName} has a letter that cannot be written as its number.`);
  }
  // The source map names the modules; the bundler's own lines that name them would only be more to load.
  const plain = code.replaceAll(moduleName, "");
  writeFileSync(file, plain.replaceAll(/[^\0-\x7F]/g, escaped));
}

const written = new Set(
  output
    .map(({ fileName }) => path.join("dist", fileName))
    .filter((name) => !passing.has(name) && name.replace(/\.map$/u, "") !== moved?.from),
);
if (moved !== undefined) written.add(`${moved.to}.map`);
for (const file of globSync("**/*.{js,js.map}", { cwd: "dist" })) {
  if (!written.has(path.join("dist", file))) rmSync(path.join("dist", file));
}
mkdirSync("dist/licenses", { recursive: true });
for (const each of joined) {
  const [licence = "LICENSE"] = globSync("LICENSE*", { cwd: `node_modules/${each}` });
  copyFileSync(`node_modules/${each}/${licence}`, `dist/licenses/${each}.txt`);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
