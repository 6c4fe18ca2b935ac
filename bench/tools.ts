/**
 * Cost of the tools that agents use most, compared with the least work possible and with published tools.
 *
 *   npm run bench:tools -- [--corpus medium|big] [--rounds 5] [--subjects floor,haft,pi] [--rows Grep,Glob]
 *
 * Peers are installed into .cache on first use, and the files to work on are made there. Each subject runs in a
 * process of its own; rounds are interleaved, and a ratio is that of one round to the floor of the same round. On a
 * busy machine the fastest by the floor's fastest says more than the median. A subject that gives no answer in time
 * or a wrong one is named so and left out of the row; a slow one makes fewer rounds. At the end one table has all
 * rows, the goals, and whether haft reached them.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { makeWorld, type CorpusSize } from "./tools/corpus.ts";
import type { Measured } from "./tools/driver.ts";
import { peerFolder } from "./tools/load-peer.ts";
import { reportTable, type Figure, type RowReport } from "./tools/report.ts";
import { rows, type Row } from "./tools/rows.ts";
import { SubjectProcess } from "./tools/subject-process.ts";
import { peers } from "./tools/peers.ts";

/** A subject that takes longer than this in a row makes no further rounds of it. */
const patienceMs = 5000;
const { values: options } = parseArgs({
  options: {
    corpus: { type: "string", default: "medium" },
    rounds: { type: "string", default: "5" },
    subjects: {
      type: "string",
      default: ["floor", "floor-durable", "haft", ...peers.keys()].join(","),
    },
    rows: { type: "string", default: "" },
  },
});
const size: CorpusSize = options.corpus === "big" ? "big" : "medium";
const rounds = Number(options.rounds);
const names = options.subjects.split(",");
const wanted = options.rows.split(",").filter((part) => part !== "");
const isWanted = ({ name }: Row): boolean =>
  wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));

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

const started = performance.now();
const processes = new Map(usable.map((name) => [name, new SubjectProcess(name, size)]));
const reports: RowReport[] = [];
for (const [index, row] of rows.entries()) {
  if (isWanted(row)) reports.push(await runRow(index, row));
}
for (const each of processes.values()) await each.close();
say(`\n${reportTable(reports, { subjects: usable, size })}`);
for (const { name, figures } of reports) {
  for (const [subject, figure] of figures) {
    if (figure.kind === "failed") say(`${name}, ${subject}: ${figure.because}`);
  }
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
say(`${minutes} minutes, load at the end ${load()}`);

type Done = Extract<Measured, { readonly kind: "done" }>;

async function runRow(index: number, row: Row): Promise<RowReport> {
  const done = new Map<string, Done[]>();
  const failed = new Map<string, string>();
  const spent = new Map<string, number>();
  // The round before the first fills caches and loads what is loaded on first use.
  for (let round = row.isFresh === true ? 0 : -1; round < rounds; round += 1) {
    // Nobody is always the one after a certain other.
    const order = [...processes];
    const first = (round + 1) % order.length;
    for (const [name, process] of [...order.slice(first), ...order.slice(0, first)]) {
      const before = done.get(name) ?? [];
      const isSlow = (spent.get(name) ?? 0) > patienceMs && before.length > 0;
      if (failed.has(name) || isSlow) continue;
      if (row.isFresh === true) await process.close();
      const began = performance.now();
      const measured = await process.measure(index);
      spent.set(name, (spent.get(name) ?? 0) + performance.now() - began);
      if (measured.kind === "missing") failed.set(name, "no such tool");
      else if (measured.kind === "wrong") failed.set(name, shortened(measured.because));
      else if (round >= 0) done.set(name, [...before, measured]);
    }
  }
  const figures = new Map<string, Figure>();
  for (const name of processes.keys()) {
    const because = failed.get(name);
    figures.set(
      name,
      because === undefined
        ? await figureOf(name, { index, row, done })
        : { kind: "failed", because },
    );
  }
  sayRow(row, figures);
  return { name: row.name, goal: row.goal, figures };
}

interface RowRun {
  readonly index: number;
  readonly row: Row;
  readonly done: ReadonlyMap<string, readonly Done[]>;
}

async function figureOf(name: string, { index, row, done }: RowRun): Promise<Figure> {
  const own = done.get(name) ?? [];
  const floor = (done.get("floor") ?? []).map(({ ms }) => ms);
  const times = own.map(({ ms }) => ms);
  return {
    kind: "figure",
    ms: median(times),
    ratio: median(times.map((ms, round) => ms / (floor[round] ?? Number.NaN))),
    fastest: Math.min(...times) / Math.min(...floor),
    bytes: median(own.map(({ bytes }) => bytes)),
    peakMb: row.isForMemory ? await peakOf(name, index) : undefined,
  };
}

function sayRow({ name, goal }: Row, figures: ReadonlyMap<string, Figure>): void {
  say(`\n${name} (load ${load()}, goal ${JSON.stringify(goal)})`);
  for (const [subject, figure] of figures) {
    if (figure.kind === "failed") {
      say(`  ${subject.padEnd(18)} - ${figure.because}`);
      continue;
    }
    const { ms, ratio, fastest, bytes, peakMb } = figure;
    say(
      [
        `  ${subject.padEnd(18)}`,
        `${ms.toFixed(2)} ms`.padStart(12),
        `${ratio.toFixed(2)}x`.padStart(8),
        `(fastest by fastest ${fastest.toFixed(2)})`,
        `${bytes} B`.padStart(11),
        peakMb === undefined ? "" : `peak ${peakMb.toFixed(0)} MiB`,
      ].join(" "),
    );
  }
}

/** The peak of a process that did nothing else. */
async function peakOf(name: string, row: number): Promise<number | undefined> {
  const alone = new SubjectProcess(name, size);
  const measured = await alone.measure(row);
  await alone.close();
  return measured.kind === "done" ? measured.peakMb : undefined;
}

function shortened(text: string): string {
  return text.replaceAll(/\s+/gu, " ").slice(0, 140);
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
