/**
 * Cost of undo for an edit, next to the cost of the disk itself:
 *
 *   node bench/journal.ts [--rounds 150] [--lines 200] [--against <folder of another checkout>]
 *
 * Every round does each once, in turn, so that whatever else the machine does falls on all alike. `append` is one
 * addition to an open file and a flush, the least a durable note costs; `replace` is a draft, a flush and a renaming,
 * the least a whole file costs. `Edit` is a call of a toolkit, journal and event log included.
 */
import {
  closeSync,
  fdatasync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs, promisify } from "node:util";
import type * as Haft from "../src/index.ts";
import type * as Host from "../src/host/index.ts";
import type * as Journal from "../src/journal/index.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "150" },
    lines: { type: "string", default: "200" },
    against: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-bench-"));
const times = new Map<string, number[]>();

function text(round: number): string {
  const lines = Array.from({ length: Number(options.lines) }, (_, index) =>
    index === 100 ? `value ${round};` : `line ${index} of a file of ordinary length`,
  );
  return `${lines.join("\n")}\n`;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await work();
  const spent = performance.now() - start;
  times.set(name, [...(times.get(name) ?? []), spent]);
}

interface Subject {
  readonly round: (index: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

async function floor(): Promise<Subject> {
  const descriptor = openSync(path.join(folder, "floor.log"), "a");
  const flush = promisify(fdatasync);
  const file = path.join(folder, "floor.txt");
  return {
    async round(index) {
      await timed("floor append", async () => {
        writeSync(descriptor, text(index));
        await flush(descriptor);
      });
      await timed("floor replace", async () => {
        const handle = await open(`${file}.draft`, "w");
        await handle.writeFile(text(index));
        await handle.sync();
        await handle.close();
        await rename(`${file}.draft`, file);
      });
    },
    close: async () => closeSync(descriptor),
  };
}

async function subject(name: string, checkout: string): Promise<Subject> {
  const source = (entry: string): string =>
    pathToFileURL(path.join(checkout, "src", entry, "index.ts")).href;
  const { localHost } = (await import(source("host"))) as typeof Host;
  const { createJournal } = (await import(source("journal"))) as typeof Journal;
  const { createToolkit } = (await import(source("."))) as typeof Haft;
  const workspace = path.join(folder, name);
  mkdirSync(workspace);
  const [one, other] = ["journal.txt", "edit.txt"].map((each) => path.join(workspace, each));
  if (one === undefined || other === undefined) throw new TypeError("Two files are needed.");
  for (const file of [one, other]) writeFileSync(file, text(0));
  const host = await localHost();
  const journal = createJournal({ host, directory: path.join(folder, `${name}-journal`) });
  const kit = await createToolkit({
    workspace,
    mode: "bypassPermissions",
    dataDirectory: path.join(folder, `${name}-data`),
  });
  const call = async (tool: string, input: object): Promise<void> => {
    const outcome = await kit.call({ name: tool, input });
    if (outcome.status !== "ok") throw new Error(outcome.text);
  };
  await call("Read", { file_path: other });
  const write = { kind: "write", path: one, scope: "file", change: "modify" } as const;
  return {
    async round(index) {
      const bytes = new TextEncoder().encode(text(index));
      await timed(`${name} checkpoint`, () =>
        journal.checkpoint(`${index}`, [write], { tool: "Edit" }),
      );
      await timed(`${name} writeAtomic`, () => host.fs.writeAtomic(one, bytes));
      await timed(`${name} settle`, () => journal.settle(`${index}`));
      await timed(`${name} Edit`, () =>
        call("Edit", {
          file_path: other,
          old_string: `value ${index - 1};`,
          new_string: `value ${index};`,
        }),
      );
    },
    async close() {
      await kit.dispose();
      await host[Symbol.asyncDispose]();
    },
  };
}

function print(name: string, spent: readonly number[]): void {
  const sorted = spent.slice(Math.floor(spent.length / 5)).toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2).padStart(7);
  process.stdout.write(`${name.padEnd(24)}${at(0)}${at(0.1)}${at(0.5)}${at(0.9)}\n`);
}

try {
  const subjects = [await floor(), await subject("now", path.join(import.meta.dirname, ".."))];
  if (options.against !== undefined) {
    subjects.push(await subject("against", path.resolve(options.against)));
  }
  for (let index = 1; index <= rounds; index += 1) {
    for (const each of subjects) await each.round(index);
  }
  process.stdout.write(
    `Node ${process.versions.node}, ${rounds} rounds, load ${loadavg()[0]?.toFixed(1)}; ms\n`,
  );
  process.stdout.write(
    `${"".padEnd(24)}${["least", "p10", "p50", "p90"].map((each) => each.padStart(7)).join("")}\n`,
  );
  for (const [name, spent] of times) print(name, spent);
  for (const each of subjects) await each.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
