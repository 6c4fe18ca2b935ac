/**
 * What starting a program costs a host of a given size, directly and through the helper process:
 *
 *   node bench/spawn.ts [--rounds 25] [--sizes 0,500,1000] [--output-bytes 1000000000]
 *
 * Each size is a fresh process that has grown to as many megabytes. Rounds are interleaved, so that whatever else
 * the machine does falls on both alike. `start to exit` is what a caller waits for `bash -c true`; `blocked` is the
 * longest time in which nothing else ran. Goals at 1 GB: at most 6 ms and 2 ms. Then a gigabyte of output each way.
 */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { localHost, type LocalHost } from "../src/host/index.ts";

const bash = ["/bin/bash", "--norc", "--noprofile", "-c"];
const ways = ["never", "always"] as const;
const size = option("--grown-to");

if (size === undefined) {
  const rounds = option("--rounds") ?? "25";
  const bytes = option("--output-bytes") ?? "1000000000";
  process.stdout.write(`Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n`);
  const own = [...process.execArgv, fileURLToPath(import.meta.url)];
  for (const megabytes of (option("--sizes") ?? "0,500,1000").split(",")) {
    runOwn([...own, "--grown-to", megabytes, "--rounds", rounds]);
  }
  for (const way of [...ways, ...ways]) {
    runOwn([...own, "--grown-to", "0", "--output", way, "--output-bytes", bytes]);
  }
} else {
  const ballast = grow(Number(size));
  const way = option("--output");
  if (way === "never" || way === "always") await measureOutput(way);
  else await measureStarts(Number(option("--rounds") ?? "25"));
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
  while (process.memoryUsage.rss() < megabytes * 1_048_576)
    ballast.push(Buffer.alloc(4_194_304, 1));
  return ballast;
}

interface Round {
  readonly took: number;
  readonly blocked: number;
}

async function measureStarts(rounds: number): Promise<void> {
  const hosts = await Promise.all(ways.map(async (spawnHelper) => localHost({ spawnHelper })));
  const results = ways.map((): Round[] => []);
  // The rounds before the first start the helper and load what is loaded once.
  for (let round = -3; round < rounds; round += 1) {
    for (const [index, host] of hosts.entries()) {
      const result = await measureOne(host, `${round}`);
      if (round >= 0) results[index]?.push(result);
    }
  }
  const resident = (process.memoryUsage.rss() / 1_048_576).toFixed(0);
  for (const [index, way] of ways.entries()) {
    const took = results[index]?.map((result) => result.took) ?? [];
    const blocked = results[index]?.map((result) => result.blocked) ?? [];
    print([
      `${resident} MB`,
      way === "never" ? "direct" : "helper",
      `start to exit ${percentiles(took)}`,
      `blocked ${percentiles(blocked)}`,
    ]);
  }
  for (const host of hosts) await host[Symbol.asyncDispose]();
}

async function measureOne(host: LocalHost, id: string): Promise<Round> {
  let blocked = 0;
  let last = performance.now();
  let isOver = false;
  const turned = (): void => {
    const now = performance.now();
    blocked = Math.max(blocked, now - last);
    last = now;
    if (!isOver) setImmediate(turned);
  };
  setImmediate(turned);
  const start = performance.now();
  await host.proc.start({ id, argv: [...bash, "true"], cwd: "/" });
  for await (const chunk of host.proc.output(id, 0)) {
    if ("exit" in chunk && chunk.exit.code !== 0) throw new Error("It failed.");
  }
  const took = performance.now() - start;
  turned();
  isOver = true;
  return { took, blocked };
}

async function measureOutput(spawnHelper: "never" | "always"): Promise<void> {
  const bytes = Number(option("--output-bytes"));
  const host = await localHost({ spawnHelper });
  await measureOne(host, "warm");
  const start = performance.now();
  const command = `yes | head -c ${bytes}`;
  await host.proc.start({ id: "big", argv: [...bash, command], cwd: "/" });
  let total = 0;
  for await (const chunk of host.proc.output("big", 0)) {
    if ("bytes" in chunk) total += chunk.bytes.length;
  }
  const took = (performance.now() - start) / 1000;
  const peak = (process.resourceUsage().maxRSS / 1024).toFixed(0);
  print([
    `${total} bytes`,
    spawnHelper === "never" ? "direct" : "helper",
    `${took.toFixed(2)} s`,
    `peak ${peak} MB`,
  ]);
  await host[Symbol.asyncDispose]();
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(
      2,
    );
  return `median ${at(0.5)} ms, 90 % ${at(0.9)} ms`;
}

function print(cells: readonly string[]): void {
  process.stdout.write(`${cells.join("   ")}\n`);
}
