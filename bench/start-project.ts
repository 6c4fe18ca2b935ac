/**
 * How much a project with many parts adds to the first call and to --help:
 *
 *   npm run bench:start -- [--rounds 21]
 *
 * The project has 100 skills, 40 commands, 10 hooks and 5 plugins. Rounds are interleaved with those of an empty
 * project. Goals: at most 15 ms more to the first call, nothing more for --help.
 */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type * as Haft from "../src/index.ts";

const built = new URL("../dist/index.js", import.meta.url).href;
const { createToolkit } = (await import(built)) as typeof Haft;
const haft = fileURLToPath(new URL("../bin/haft.cjs", import.meta.url));
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 21 : Number(process.argv[roundsAt + 1]);

const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-bench-"));
process.env["HOME"] = path.join(folder, "home");
mkdirSync(process.env["HOME"]);
try {
  const empty = world("empty");
  const full = world("full");
  await fill(full);
  await measureStart(empty, full);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function world(name: string): string {
  const directory = path.join(folder, name);
  write(directory, "a.txt", "one\n");
  return directory;
}

function write(directory: string, name: string, text: string): void {
  const file = path.join(directory, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function skill(name: string): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n---\nDo it.\n`;
}

async function fill(workspace: string): Promise<void> {
  for (let index = 0; index < 100; index += 1) {
    write(workspace, `.claude/skills/s${index}/SKILL.md`, skill(`s${index}`));
  }
  for (let index = 0; index < 40; index += 1) {
    write(workspace, `.claude/commands/c${index}.md`, `---\ndescription: x\n---\nDo ${index}.\n`);
  }
  const hooks = Array.from({ length: 10 }, (_each, index) => ({
    matcher: "WebFetch",
    hooks: [{ type: "command", command: `echo ${index}` }],
  }));
  write(workspace, ".claude/settings.json", JSON.stringify({ hooks: { PreToolUse: hooks } }));
  await using kit = await createToolkit({ workspace, settings: "load" });
  for (let index = 0; index < 5; index += 1) {
    const plugin = path.join(folder, `plugin${index}`);
    write(plugin, ".claude-plugin/plugin.json", JSON.stringify({ name: `p${index}` }));
    write(plugin, "skills/one/SKILL.md", skill("one"));
    write(plugin, "commands/two.md", "Do it.\n");
    await (await kit.plugins.review({ from: plugin, scope: "project" })).accept();
  }
}

async function measureStart(empty: string, full: string): Promise<void> {
  const call = (workspace: string) => [
    haft,
    "call",
    "Read",
    "file_path=a.txt",
    "--trust",
    "-C",
    workspace,
  ];
  const subjects = [
    { name: "first call, empty project", words: call(empty), cwd: empty },
    { name: "first call, full project", words: call(full), cwd: full },
    { name: "--help, empty project", words: [haft, "--help"], cwd: empty },
    { name: "--help, full project", words: [haft, "--help"], cwd: full },
  ];
  const times = subjects.map((): number[] => []);
  for (let round = -2; round < rounds; round += 1) {
    for (const [index, { words, cwd }] of subjects.entries()) {
      const took = await untilExit(process.execPath, words, cwd);
      if (round >= 0) times[index]?.push(took);
    }
  }
  for (const [index, { name }] of subjects.entries()) {
    const own = times[index] ?? [];
    const before = index % 2 === 0 ? undefined : times[index - 1];
    const more = before && median(own.map((time, round) => time - (before[round] ?? Number.NaN)));
    const least = before && Math.min(...own) - Math.min(...before);
    const added =
      more === undefined ? "" : `  +${more.toFixed(1)} ms, least +${least?.toFixed(1)} ms`;
    print(name, median(own), added);
  }
}

function print(name: string, ms: number, more: string): void {
  process.stdout.write(`${name.padEnd(28)} ${ms.toFixed(1).padStart(7)} ms${more}\n`);
}

function untilExit(program: string, words: readonly string[], cwd: string): Promise<number> {
  const start = performance.now();
  const child = spawn(program, words, { cwd, stdio: "ignore" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve(performance.now() - start));
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
