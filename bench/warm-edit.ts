/**
 * Counts the source files and functions that one warm Edit runs: what a reader of that call has to know.
 *
 *   npm run bench:warm-edit [-- --list]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createToolkit } from "../src/index.ts";

const source = new URL("../src/", import.meta.url).href;
const folder = mkdtempSync(path.join(tmpdir(), "haft-warm-edit-"));
const workspace = path.join(folder, "work");
const file = path.join(workspace, "a.ts");
mkdirSync(workspace);
writeFileSync(file, "const one = 1;\nconst two = 2;\nconst three = 3;\n");

const kit = await createToolkit({
  workspace,
  dataDirectory: path.join(folder, "data"),
  mode: "acceptEdits",
});
async function call(name: string, input: Record<string, unknown>): Promise<void> {
  const outcome = await kit.call({ name, input });
  if (outcome.status !== "ok") throw new Error(outcome.text);
}
async function edit(from: string, to: string): Promise<void> {
  await call("Edit", { file_path: file, old_string: from, new_string: to });
}

try {
  await call("Read", { file_path: file });
  await edit("one = 1", "one = 10");
  await edit("two = 2", "two = 20");
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await edit("three = 3", "three = 30");
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const ran = result
    .filter(({ url }) => url.startsWith(source))
    .map(({ url, functions }) => ({
      file: url.slice(source.length),
      functions: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length,
    }))
    .filter(({ functions }) => functions > 0);
  const functions = ran.reduce((sum, each) => sum + each.functions, 0);
  if (process.argv.includes("--list")) {
    for (const each of ran.toSorted((one, other) => other.functions - one.functions))
      process.stdout.write(`${String(each.functions).padStart(4)}  ${each.file}\n`);
  }
  process.stdout.write(`One warm Edit runs ${functions} functions in ${ran.length} files.\n`);
} finally {
  await kit.dispose();
  rmSync(folder, { recursive: true, force: true });
}
