import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Journal } from "../../src/journal/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { openWork } from "../support/staged-work.ts";
import { moduleFlags } from "../support/from-source.ts";

// A call of another process, step by step: each line that it is sent is the next part of the call, and it answers when
// that is done.

leaveNothing();

const support = path.join(import.meta.dirname, "../support/staged-work.ts");
const program = `
  import { createInterface } from "node:readline";
  import { mkdirSync, statSync, writeFileSync } from "node:fs";
  const { openWork } = await import(${JSON.stringify(support)});
  const [folder] = process.argv.slice(1);
  const { journal, close } = await openWork(folder);
  let continues;
  const bring = async (name, text) => {
    const source = folder + "/stage/" + name + "." + text;
    writeFileSync(source, text);
    const { mtimeMs, size } = statSync(source);
    const to = { kind: "file", source, size, mode: 0o644, mtimeMs };
    const changes = [{ path: folder + "/work/" + name, to }];
    const staged = { since: Date.now() + 1, changes, refused: [], through: [] };
    continues = await journal.apply("parts", staged, { tool: "Bash", continues, goesOn: true });
  };
  const acts = {
    say: async (name) => {
      const write = { kind: "write", path: folder + "/work/" + name, scope: "file", change: "any" };
      await journal.checkpoint("parts", [write], { tool: "Bash" });
    },
    write: async (name, text) => writeFileSync(folder + "/work/" + name, text),
    bring,
    settle: async () => void (await journal.settle("parts")),
  };
  console.log("ready");
  for await (const line of createInterface({ input: process.stdin })) {
    const [act, ...words] = line.split(" ");
    await acts[act](...words);
    console.log(line);
  }
  await close();
`;

let folder: string;
let child: ChildProcess;
let answers: AsyncIterator<string>;
let journal: Journal;
let close: () => Promise<void>;

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "haft-running-")));
  for (const name of ["work", "stage"]) mkdirSync(path.join(folder, name));
  for (const name of ["a", "b"]) writeFileSync(path.join(folder, "work", name), "0");
  ({ journal, close } = await openWork(folder));
  const words = [...moduleFlags, program, folder];
  child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("It answers nothing.");
  answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await answers.next();
});

afterEach(async () => {
  await ended("SIGTERM");
  await close();
  rmSync(folder, { recursive: true, force: true });
});

async function act(...lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    child.stdin?.write(`${line}\n`);
    expect(await answers.next()).toEqual({ done: false, value: line });
  }
}

async function ended(signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}

function texts(): readonly string[] {
  return ["a", "b"].map((name) => readFileSync(path.join(folder, "work", name), "utf8"));
}

const beginnings = [
  { it: "has brought its first part", before: ["bring a 1"] },
  { it: "has brought two parts", before: ["bring a 1", "bring b 1"] },
  { it: "says what it writes, and has brought a part", before: ["say b", "bring a 1"] },
  { it: "says what it writes, and has written it", before: ["say a", "write a 1"] },
] as const;

test.each(beginnings)(
  "a call of another process that $it is running until it settles",
  async (row) => {
    await act(...row.before);
    const now = texts();

    for (const target of [{ last: 1 }, { call: "parts" }]) {
      await expect(journal.undo(target)).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: "Bash (parts) is still running.",
      });
    }
    expect(await journal.history()).toMatchObject([{ state: "open", isRunning: true }]);
    expect(texts()).toEqual(now);
    await act("bring b 2", "settle");

    const [entry] = await journal.history();
    expect(entry).toMatchObject({ state: "done", level: "full" });
    expect(entry).not.toHaveProperty("isRunning");
    expect((await journal.undo({ last: 1 })).calls).toEqual(["parts"]);
    expect(texts()).toEqual(["0", "0"]);
    await journal.redo();
    expect(texts()).toEqual([now[0], "2"]);
  },
);

test("what is there of a call whose process is killed between two parts is a call that has ended", async () => {
  await act("bring a 1", "bring b 1");
  await ended("SIGKILL");

  expect(await journal.history()).toMatchObject([{ state: "done", changes: [{}, {}] }]);
  await journal.undo({ last: 1 });
  expect(texts()).toEqual(["0", "0"]);
  await journal.redo();
  expect(texts()).toEqual(["1", "1"]);
});

test("of one that is killed after it wrote by itself, what it brought is known, and what it wrote is asked about", async () => {
  await act("say b", "bring a 1", "write b 1");
  await ended("SIGKILL");

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "STALE_READ",
    data: { paths: [path.join(folder, "work/b")] },
  });
  await journal.undo({ last: 1 }, { force: [path.join(folder, "work/b")] });
  expect(texts()).toEqual(["0", "0"]);
});

test("nothing of a running call is forgotten, and once it is over it counts as any other", async () => {
  const quota = { calls: 0, bytes: 0, days: 0 };
  const collecting = await openWork(folder, undefined, { quota });
  await act("bring a 1", "bring b 1");

  expect((await collecting.journal.gc()).calls).toBe(0);
  expect(await journal.diff("parts")).toHaveLength(2);
  await act("settle");
  // Its process is still there.
  expect((await collecting.journal.gc()).calls).toBe(1);
  await collecting.close();
  expect(await journal.history()).toEqual([]);
});
