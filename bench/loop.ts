/**
 * Time and memory of an agent's loop: a model that calls a tool in each turn, neither of which does anything, run by haft
 * and by others.
 *
 *   npm run bench:loop                 all
 *   npm run bench:loop -- --only haft  one of them, by the names in bench/loop/contestants.ts; may be repeated
 *   npm run bench:loop -- --children   sub-agents: their start, their memory, their worktrees, and those of others
 *
 * Others are installed into .cache on first use. Runs of 100 turns take turns in one process; memory is measured in a
 * process of its own for each, over one run of 1,000 turns. A figure of time is the main thread's, which other programs do
 * not lengthen as they do the clock's, without the model and the tool alone.
 */
import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { childTimes, idleMemory } from "./loop/children.ts";
import { makers, type Contestant } from "./loop/contestants.ts";
import { parents } from "./loop/parents.ts";

const rounds = 9;
const turns = 100;
const memoryTurns = 1000;
/** Children of one parent, one after the other. */
const children = 15;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    memory: { type: "string" },
    children: { type: "boolean" },
    idle: { type: "boolean" },
  },
});

if (values.idle === true) say((await idleMemory(collect)).toFixed(1));
else if (values.children === true) await compareChildren();
else if (values.memory !== undefined) await measureMemory(values.memory);
else {
  await compare(values.only ?? Object.keys(makers));
  await compareChildren();
}
process.exit(0);

async function compare(names: readonly string[]): Promise<void> {
  const contestants = await available(["floor", ...names.filter((name) => name !== "floor")]);
  const times = new Map(contestants.map(({ key }) => [key, [] as number[]]));
  for (let round = -2; round < rounds; round += 1) {
    for (const { key, contestant } of contestants) {
      const before = process.threadCpuUsage();
      await contestant.run(turns);
      const { user, system } = process.threadCpuUsage(before);
      if (round >= 0) times.get(key)?.push((user + system) / 1000 / turns);
    }
  }
  const load = loadavg()[0]?.toFixed(2);
  say(`load ${load}, Node ${process.versions.node}, ${rounds} rounds of ${turns} turns`);
  const floor = least(times.get("floor"));
  for (const { key, contestant } of contestants) {
    const own = times.get(key) ?? [];
    const beyond = key === "floor" ? 0 : floor;
    const fastest = (least(own) - beyond).toFixed(3);
    const middle = (median(own) - beyond).toFixed(3);
    say(
      `${contestant.name.padEnd(30)} ${fastest.padStart(8)} ms per turn (median ${middle})${memoryOf(key)}`,
    );
  }
}

/** Sub-agents: their start, their memory and their worktrees; then one parent with many children, by each system. */
async function compareChildren(): Promise<void> {
  const { startMs, worktreeMs, gitMs } = await childTimes();
  say(`start of a child: ${startMs.toFixed(1)} ms (aim: 10)`);
  const ratio = (worktreeMs / gitMs).toFixed(2);
  const shown = `${worktreeMs.toFixed(0)} ms and ${gitMs.toFixed(0)} ms`;
  say(`worktree of 8,000 files: ${ratio} × git worktree add (${shown}; aim: 1.2)`);
  say(`20 idle children: ${printedWith("--idle")} MiB (aim: 20)`);
  const contestants = await available(Object.keys(parents), parents);
  const times = new Map(contestants.map(({ key }) => [key, [] as number[]]));
  for (let round = -2; round < rounds; round += 1) {
    for (const { key, contestant } of contestants) {
      const before = process.threadCpuUsage();
      await contestant.run(children);
      const { user, system } = process.threadCpuUsage(before);
      if (round >= 0) times.get(key)?.push((user + system) / 1000 / children);
    }
  }
  for (const { key, contestant } of contestants) {
    const all = times.get(key) ?? [];
    const figures = `${least(all).toFixed(3)} ms per child (median ${median(all).toFixed(3)})`;
    say(`${contestant.name.padEnd(30)} ${figures}`);
  }
}

/** Output of this program in a process of its own. */
function printedWith(...words: readonly string[]): string {
  const file = fileURLToPath(import.meta.url);
  const { stdout } = spawnSync(process.execPath, ["--expose-gc", file, ...words], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return stdout.trim();
}

async function available(
  names: readonly string[],
  from: Readonly<Record<string, () => Promise<Contestant>>> = makers,
): Promise<{ readonly key: string; readonly contestant: Contestant }[]> {
  const found: { key: string; contestant: Contestant }[] = [];
  for (const key of names) {
    try {
      const contestant = await from[key]?.();
      if (contestant === undefined) throw new Error("there is no such contestant");
      await contestant.run(3);
      found.push({ key, contestant });
    } catch (error) {
      say(`${key} left out: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return found;
}

function memoryOf(key: string): string {
  if (key === "floor") return "";
  const printed = printedWith("--memory", key);
  return printed === "" ? `, no run of ${memoryTurns} turns` : `, ${printed}`;
}

/** Prints the growth of memory over a long run, after a short one that loads and compiles the code. */
async function measureMemory(key: string): Promise<void> {
  const contestant = await makers[key]?.();
  if (contestant === undefined) throw new Error(`There is no contestant ${key}.`);
  await contestant.run(turns);
  collect();
  const heap = process.memoryUsage().heapUsed;
  const peak = process.resourceUsage().maxRSS;
  const result = await contestant.run(memoryTurns);
  const peakGrowth = (process.resourceUsage().maxRSS - peak) / 1024;
  collect();
  const growth = (process.memoryUsage().heapUsed - heap) / 2 ** 20;
  if (result === undefined) throw new Error("The run has no result.");
  say(`${growth.toFixed(1)} MiB kept and ${peakGrowth.toFixed(0)} MiB at the peak`);
}

function collect(): void {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error("Run it with --expose-gc.");
  gc();
  gc();
}

function least(all: readonly number[] = []): number {
  return Math.min(...all);
}

function median(all: readonly number[]): number {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
