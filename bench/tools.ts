/**
 * What the tools cost that agents use most, beside the least that has to be done and beside published tools.
 *
 *   npm run bench:tools -- [--corpus medium|big] [--rounds 5] [--subjects floor,haft,pi] [--rows Grep,Glob]
 *
 * Peers are installed into .cache on first use, and the files to work on are made there. Each subject runs in a
 * process of its own; rounds are interleaved, and a ratio is that of one round to the floor of the same round. A
 * subject that gives no answer in time or a wrong one is named so and left out of the row.
 */
import { fork, type ChildProcess } from "node:child_process";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { makeWorld, type CorpusSize } from "./tools/corpus.ts";
import type { Measured } from "./tools/driver.ts";
import { peerFolder } from "./tools/load-peer.ts";
import { rows, type Row } from "./tools/rows.ts";
import { peers } from "./tools/subjects.ts";

const answerMs = 60_000;
const { values: options } = parseArgs({
  options: {
    corpus: { type: "string", default: "medium" },
    rounds: { type: "string", default: "5" },
    subjects: { type: "string", default: ["floor", "haft", ...peers.keys()].join(",") },
    rows: { type: "string", default: "" },
  },
});
const size: CorpusSize = options.corpus === "big" ? "big" : "medium";
const rounds = Number(options.rounds);
const names = options.subjects.split(",");
const wanted = options.rows.split(",").filter((part) => part !== "");
const isWanted = ({ name }: Row): boolean =>
  wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));

/** A process with one subject; a new one where the last gave no answer. */
class Driver {
  readonly #name: string;
  #child: ChildProcess | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  async measure(row: number): Promise<Measured> {
    try {
      this.#child ??= await this.#start();
      const answer = this.#next(this.#child);
      this.#child.send({ row });
      return (await answer) as Measured;
    } catch (error) {
      await this.close();
      return { kind: "wrong", because: error instanceof Error ? error.message : String(error) };
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const closed = new Promise((resolve) => {
      child.once("exit", resolve);
    });
    child.disconnect();
    const patience = setTimeout(() => child.kill("SIGKILL"), 3000);
    await closed;
    clearTimeout(patience);
  }

  async #start(): Promise<ChildProcess> {
    const driver = new URL("./tools/driver.ts", import.meta.url);
    const child = fork(driver, [this.#name, size], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    await this.#next(child);
    return child;
  }

  #next(child: ChildProcess): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill("SIGKILL");
        reject(new Error(`no answer in ${answerMs / 1000} s`));
      }, answerMs);
      const settled = (): void => {
        clearTimeout(timer);
        child.removeAllListeners("message");
        child.removeAllListeners("exit");
      };
      child.once("message", (message) => {
        settled();
        resolve(message);
      });
      child.once("exit", (code) => {
        settled();
        reject(new Error(`ended with code ${code}`));
      });
    });
  }
}

const usable: string[] = [];
for (const name of names) {
  try {
    if (peers.has(name)) await peerFolder(name);
    usable.push(name);
  } catch (error) {
    say(`${name} left out: ${error instanceof Error ? error.message : String(error)}`);
  }
}
await makeWorld(size);
say(`corpus ${size}, ${rounds} rounds, Node ${process.versions.node}, load ${load()}`);
for (const [name, { name: peer, version }] of peers) {
  if (usable.includes(name)) say(`${name}: ${peer} ${version}`);
}

const drivers = new Map(usable.map((name) => [name, new Driver(name)]));
for (const [index, row] of rows.entries()) if (isWanted(row)) await runRow(index, row);
for (const driver of drivers.values()) await driver.close();
say(`load at the end ${load()}`);

async function runRow(index: number, row: Row): Promise<void> {
  const done = new Map<string, Extract<Measured, { kind: "done" }>[]>();
  const failed = new Map<string, string>();
  // The round before the first fills caches and loads what is loaded on first use.
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, driver] of drivers) {
      if (failed.has(name)) continue;
      const measured = await driver.measure(index);
      if (measured.kind === "missing") failed.set(name, "no such tool");
      else if (measured.kind === "wrong") failed.set(name, measured.because);
      else if (round >= 0) done.set(name, [...(done.get(name) ?? []), measured]);
    }
  }
  say(`\n${row.name} (goal ${row.goal}; load ${load()})`);
  const floor = (done.get("floor") ?? []).map(({ ms }) => ms);
  for (const name of drivers.keys()) {
    const figures = done.get(name) ?? [];
    const because = failed.get(name);
    if (because !== undefined || figures.length === 0) {
      say(`  ${name.padEnd(18)} - ${(because ?? "").replaceAll(/\s+/gu, " ").slice(0, 140)}`);
      continue;
    }
    const times = figures.map(({ ms }) => ms);
    const ratios = times.map((ms, round) => ms / (floor[round] ?? Number.NaN));
    const peak = row.isForMemory ? await peakOf(name, index) : undefined;
    say(
      [
        `  ${name.padEnd(18)}`,
        `${median(times).toFixed(2)} ms`.padStart(12),
        `${median(ratios).toFixed(2)}x`.padStart(8),
        `(min ${Math.min(...ratios).toFixed(2)}, max ${Math.max(...ratios).toFixed(2)})`.padEnd(24),
        `${median(figures.map(({ bytes }) => bytes))} B`.padStart(11),
        peak === undefined ? "" : `peak ${peak}`,
      ].join(" "),
    );
  }
}

/** The peak of a process that did nothing else. */
async function peakOf(name: string, row: number): Promise<string> {
  const driver = new Driver(name);
  const measured = await driver.measure(row);
  await driver.close();
  return measured.kind === "done" ? `${measured.peakMb.toFixed(0)} MiB` : "?";
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function load(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
