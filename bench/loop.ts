/**
 * Time and memory of an agent's loop: a model that calls a tool in each turn, neither of which does anything, run by haft
 * and by others.
 *
 *   npm run bench:loop                 all
 *   npm run bench:loop -- --only haft  one of them, by the names in bench/loop/contestants.ts; may be repeated
 *
 * Others are installed into .cache on first use. Runs of 100 turns take turns in one process; memory is measured in a
 * process of its own for each, over one run of 1,000 turns. A figure of time is the main thread's, which other programs do
 * not lengthen as they do the clock's, without the model and the tool alone.
 */
import { spawnSync } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makers, type Contestant } from "./loop/contestants.ts";

const rounds = 9;
const turns = 100;
const memoryTurns = 1000;

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true }, memory: { type: "string" } },
});

if (values.memory === undefined) await compare(values.only ?? Object.keys(makers));
else await measureMemory(values.memory);
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

async function available(
  names: readonly string[],
): Promise<{ readonly key: string; readonly contestant: Contestant }[]> {
  const found: { key: string; contestant: Contestant }[] = [];
  for (const key of names) {
    try {
      const contestant = await makers[key]?.();
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
  const file = fileURLToPath(import.meta.url);
  const { stdout } = spawnSync(process.execPath, ["--expose-gc", file, "--memory", key], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return stdout === "" ? `, no run of ${memoryTurns} turns` : `, ${stdout.trim()}`;
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
