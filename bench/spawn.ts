/**
 * Cost of starting a program for a host of a given size, directly and through the helper process:
 *
 *   node bench/spawn.ts [--rounds 40] [--sizes 0,500,1000] [--output-bytes 1000000000]
 *
 * Each size is a fresh process that has grown to as many megabytes. Rounds are interleaved, so that whatever else
 * the machine does falls on both alike; the floor is a plain spawn from a process that holds nothing. `start to exit`
 * is what a caller waits for `bash -c true`. `blocked` is the longest time between two turns of the event loop in such
 * a wait; on a busy machine that is mostly other programs' time, so `idle` tells the same of a wait of 5 ms in which
 * nothing is started. `Bash` is `true` through the tool of a kit, with all a call costs. Goals at 1 GB for it and for
 * the helper: at most 6 ms and 2 ms. Then a gigabyte of output each way, next to a floor that only counts it.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { localHost, type LocalHost } from "../src/host/index.ts";
import { createToolkit } from "../src/index.ts";

const bash = ["/bin/bash", "--norc", "--noprofile", "-c"];
const ways = ["never", "always"] as const;
const names = { never: "direct", always: "helper" } as const;
const size = option("--grown-to");
const bytes = option("--output-bytes") ?? "1000000000";
const rounds = Number(option("--rounds") ?? "40");

if (size === undefined) {
  print([`Node ${process.versions.node}`, `${rounds} rounds`, `load ${loadavg()[0]?.toFixed(1)}`]);
  const own = [...process.execArgv, fileURLToPath(import.meta.url), "--rounds", `${rounds}`];
  runOwn([...own, "--grown-to", "0", "--way", "floor"]);
  for (const megabytes of (option("--sizes") ?? "0,500,1000").split(",")) {
    runOwn([...own, "--grown-to", megabytes, "--way", "both"]);
  }
  for (const way of ["floor", ...ways, "floor", ...ways]) {
    runOwn([...own, "--grown-to", "0", "--way", way, "--output", "yes", "--output-bytes", bytes]);
  }
} else {
  const ballast = grow(Number(size));
  const way = option("--way");
  if (option("--output") !== undefined) {
    if (way === "never" || way === "always") await measureOutput(way);
    else await measureOutputFloor();
  } else if (way === "floor") await measureFloor();
  else await measureStarts();
  if (ballast.length === -1) process.exitCode = 1;
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

function runOwn(words: readonly string[]): void {
  process.stdout.write(execFileSync(process.execPath, words, { encoding: "utf8" }));
}

/** Until this process is as big as an agent that has worked for hours. */
function grow(megabytes: number): readonly Buffer[] {
  const ballast: Buffer[] = [];
  while (process.memoryUsage.rss() < megabytes * 1_048_576) {
    ballast.push(Buffer.alloc(4_194_304, 1));
  }
  return ballast;
}

async function measureFloor(): Promise<void> {
  const took: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const start = performance.now();
    await drained("true");
    if (round >= 0) took.push(performance.now() - start);
  }
  print(["plain spawn", `start to exit ${shares(took)}`]);
}

/** Number of bytes that a plain spawn printed. */
async function drained(command: string): Promise<number> {
  const child = spawn(bash[0] ?? "", [...bash.slice(1), command], {
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let total = 0;
  for await (const chunk of child.stdout) total += (chunk as Buffer).length;
  return total;
}

/** One way of starting `true`. */
interface Way {
  readonly name: string;
  readonly start: () => Promise<unknown>;
  readonly took: number[];
  readonly blocked: number[];
}

async function measureStarts(): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-bench-")));
  const hosts = await Promise.all(ways.map(async (helper) => localHost({ launching: { helper } })));
  const workspace = path.join(folder, "work");
  mkdirSync(workspace);
  const options = {
    workspace,
    dataDirectory: path.join(folder, "data"),
    mode: "bypassPermissions",
  } as const;
  const kits = {
    "Bash, no sandbox": await createToolkit({
      ...options,
      sandbox: { require: "off", overlay: "off" },
    }),
    "Bash, confined": await createToolkit(options),
  };
  const measured: readonly Way[] = [
    ...hosts.map((host, index) => ({
      name: names[ways[index] ?? "never"],
      start: async () => run(host),
      took: [],
      blocked: [],
    })),
    ...Object.entries(kits).map(([name, kit]) => ({
      name,
      start: async () => {
        const { status, text } = await kit.call({ name: "Bash", input: { command: "true" } });
        if (status !== "ok") throw new Error(text);
      },
      took: [],
      blocked: [],
    })),
  ];
  const idle: number[] = [];
  // The rounds before the first start the helper and load what is loaded once.
  for (let round = -5; round < rounds; round += 1) {
    for (const { start, took, blocked } of measured) {
      const began = performance.now();
      await start();
      const one = performance.now() - began;
      const other = await longestBlock(start);
      if (round < 0) continue;
      took.push(one);
      blocked.push(other);
    }
    if (round >= 0) idle.push(await longestBlock(async () => setTimeout(5)));
  }
  const resident = (process.memoryUsage.rss() / 1_048_576).toFixed(0);
  for (const { name, took, blocked } of measured) {
    print([`${resident} MB`, name, `start to exit ${shares(took)}`, `blocked ${shares(blocked)}`]);
  }
  print([`${resident} MB`, "idle", `blocked ${shares(idle)}`]);
  for (const host of hosts) await host[Symbol.asyncDispose]();
  for (const kit of Object.values(kits)) await kit[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
}

async function run(host: LocalHost, command = "true"): Promise<number> {
  await host.proc.start({ id: "a", argv: [...bash, command], cwd: "/" });
  let total = 0;
  for await (const chunk of host.proc.output("a", 0)) {
    if ("bytes" in chunk) total += chunk.bytes.length;
    else if (chunk.exit.code !== 0) throw new Error("It failed.");
  }
  return total;
}

/** The most milliseconds between two turns of the event loop. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turned = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turned);
  };
  setImmediate(turned);
  await work();
  isOver = true;
  turned();
  return longest;
}

async function measureOutput(helper: "never" | "always"): Promise<void> {
  const host = await localHost({ launching: { helper } });
  await run(host);
  await report(names[helper], async () => run(host, `yes | head -c ${bytes}`));
  await host[Symbol.asyncDispose]();
}

async function measureOutputFloor(): Promise<void> {
  await drained("true");
  await report("plain spawn", async () => drained(`yes | head -c ${bytes}`));
}

async function report(name: string, work: () => Promise<number>): Promise<void> {
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const start = performance.now();
  const total = await work();
  const took = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const grown = process.resourceUsage().maxRSS / 1024 - before / 1_048_576;
  print([
    `${total} bytes`,
    name,
    `${took.toFixed(2)} s`,
    `${((user + system) / 1e6).toFixed(2)} s of processor`,
    `${grown.toFixed(0)} MB more at the peak`,
  ]);
}

function shares(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): string => {
    const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share));
    return (sorted[index] ?? Number.NaN).toFixed(2);
  };
  return `median ${at(0.5)} ms (best tenth ${at(0.1)}, worst tenth ${at(0.9)})`;
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.join("   ")}\n`);
}
