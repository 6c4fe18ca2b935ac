import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

// Adds a tool to a copy of the project, generates what is generated, and runs the tests that know all tools. Fails where
// the tool needs more than its directory, its line in the list and its section in the guide:
//   npm run new-tool-check

const root = path.join(import.meta.dirname, "..");
const copy = path.join(root, ".cache/new-tool");
const copied = [
  "src",
  "scripts",
  "test",
  "docs",
  "package.json",
  "vitest.config.ts",
  "tsconfig.json",
];

/** The files that a contributor writes, with the text each gains. */
const written: readonly { readonly file: string; readonly add: (text: string) => string }[] = [
  {
    file: "src/tools/word-count/word-count.ts",
    add: () => `import { z } from "zod";
import { defineTool } from "../../core/index.ts";

export const wordCount = defineTool({
  name: "WordCount",
  description: "Count the words of a file.",
  category: "search",
  input: z.strictObject({ file_path: z.string().describe("Path of the file.") }),
  touches: ["read"],
  staged: "files",
  effects: ({ file_path }) => [{ kind: "read", path: file_path, scope: "file" }],
  async run({ file_path }, { host }) {
    const { bytes } = await host.fs.readFile(file_path);
    return { content: String(new TextDecoder().decode(bytes).split(/\\s+/u).filter(Boolean).length) };
  },
});
`,
  },
  {
    file: "src/tools/word-count/word-count.test.ts",
    add: () => `import { expect, test } from "vitest";
import { callTool } from "../../testing/index.ts";
import { wordCount } from "./word-count.ts";

test("counts words", async () => {
  const outcome = await callTool(wordCount, { file_path: "a.txt" }, { files: { "a.txt": "a b\\n" } });

  expect(outcome.text).toBe("2");
});
`,
  },
  {
    file: "src/tools/tool-loaders.ts",
    add: (text) =>
      text.replace(
        "  Write:",
        '  WordCount: async () => (await import("./word-count/word-count.ts")).wordCount,\n  Write:',
      ),
  },
  {
    file: "docs/tools.md",
    add: (text) =>
      text.replace(
        /^## Write$/mu,
        "## WordCount\n\nCounts words.\n\n<!-- tables of WordCount -->\n<!-- end -->\n\n$&",
      ),
  },
];

/** Scripts that write the generated files; `npm run generate` runs the same ones. */
const generators = ["catalog", "tools-tables"];

/** Suites that compare, list or count the built-in tools. */
const suites = [
  "src/tools/index.test.ts",
  "src/tools/word-count",
  "src/cli/verbs/tools.test.ts",
  "src/pipeline/run/run-call.test.ts",
  "test/architecture",
  "test/docs/tools-tables.test.ts",
  "test/docs/limits.test.ts",
  "test/integration/registry.test.ts",
  "test/integration/surface.test.ts",
  "test/integration/kit-methods.test.ts",
];

rmSync(copy, { recursive: true, force: true });
for (const name of copied)
  cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
for (const { file, add } of written) {
  const target = path.join(copy, file);
  mkdirSync(path.dirname(target), { recursive: true });
  appendFileSync(target, "");
  const before = readFileSync(target, "utf8");
  const after = add(before);
  if (after === before) throw new Error(`${file} has no longer the place where a tool is added.`);
  writeFileSync(target, after);
}
for (const name of generators) run([path.join(copy, `scripts/${name}.ts`)]);
run([path.join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", copy, ...suites]);
rmSync(copy, { recursive: true, force: true });
process.stdout.write(
  `A built-in tool is ${written.length} files: ${written.map(({ file }) => file).join(", ")}.\n`,
);

function run(words: readonly string[]): void {
  const { status } = spawnSync(process.execPath, words, { cwd: copy, stdio: "inherit" });
  if (status !== 0) throw new Error(`${path.basename(words[0] ?? "")} failed in ${copy}.`);
}
