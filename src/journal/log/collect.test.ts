import { expect, test } from "vitest";
import type { HostFs, WriteEffect } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { JournalQuota } from "./collect.ts";

const directory = "/data/journal";
const dayMs = 24 * 60 * 60 * 1000;

async function namesIn(fs: HostFs, path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of fs.list(path)) names.push(name);
  return names.toSorted((a, b) => (a < b ? -1 : 1));
}

function journalOf(host: MemoryHost, quota: Partial<JournalQuota> = {}): Journal {
  return createJournal({ host, directory, quota });
}

/** Call that writes this text to the file. */
async function edit(host: MemoryHost, journal: Journal, text: string): Promise<void> {
  const write: WriteEffect = {
    kind: "write",
    path: "/project/a.txt",
    scope: "file",
    change: "any",
  };
  await journal.checkpoint(text, [write], { tool: "Write" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode(text));
  await journal.settle(text);
}

async function callsIn(journal: Journal): Promise<readonly string[]> {
  return (await journal.history()).map(({ callId }) => callId);
}

test("the oldest calls beyond the number are forgotten, and what only they held", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host, { calls: 2 });
  for (const text of ["1", "2", "3"]) await edit(host, journal, text);
  host.control.advance(3 * 60 * 60 * 1000);

  // Of the contents 0 to 3, the two remaining calls reference 1, 2 and 3.
  expect(await journal.gc()).toEqual({ calls: 1, blobs: 1, bytes: 1 });
  expect(await callsIn(journal)).toEqual(["3", "2"]);
  await journal.undo({ last: 2 });
  expect(host.control.texts()["/project/a.txt"]).toBe("1");
});

test("what is older than the days is forgotten, also by a process that does little", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  await edit(host, journalOf(host, { days: 10 }), "1");
  host.control.advance(10 * dayMs + 1);

  const journal = journalOf(host, { days: 10 });
  await edit(host, journal, "2");

  expect(await callsIn(journal)).toEqual(["2"]);
});

test("where old calls cannot be deleted, as on a full disk, that is reported once and no call fails", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host, { calls: 1 });
  for (const text of ["1", "2"]) await edit(host, journal, text);
  const [oldest = ""] = await namesIn(host.fs, `${directory}/log`);
  const notices: unknown[] = [];
  const editLater = async (text: string): Promise<void> => {
    host.control.advance(3 * 60 * 60 * 1000);
    await edit(host, journal, text);
    notices.push(journal.takeNotice());
  };
  const path = `${directory}/log/${oldest}`;

  const restore = host.control.fail({ operation: "writeAtomic", path, fails: "ENOSPC" });
  for (const text of ["3", "4"]) await editLater(text);
  restore();
  await editLater("5");

  expect(notices).toEqual([
    expect.stringMatching(/^Old calls cannot be deleted from the journal, .*: .*space/u),
    undefined,
    undefined,
  ]);
  expect(await callsIn(journal)).toEqual(["5"]);
});

test("within the days nothing is forgotten", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host, { days: 10 });
  await edit(host, journal, "1");
  host.control.advance(10 * dayMs);
  await edit(host, journal, "2");

  expect(await callsIn(journal)).toEqual(["2", "1"]);
});

test("the bytes are bounded while one process writes", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host, { bytes: 8000 });
  const totals: number[] = [];
  for (let index = 0; index < 90; index += 1) {
    host.control.advance(60 * 60 * 1000);
    await edit(host, journal, String(index).padStart(1000, "-"));
    const log = await namesIn(host.fs, `${directory}/log`);
    const stats = await Promise.all(log.map((name) => host.fs.stat(`${directory}/log/${name}`)));
    totals.push(stats.reduce((sum, { size }) => sum + size, 0));
  }

  // The contents, the records around them, and two hours that are not compacted.
  expect((await callsIn(journal)).length).toBe(7);
  expect(totals[20]).toBeGreaterThan(8000);
  expect(Math.max(...totals)).toBeLessThan(30_000);
  expect(Math.max(...totals.slice(60))).toBeLessThanOrEqual(Math.max(...totals.slice(0, 30)) + 20);
});

test.for([5, 70_000])("one content of %d bytes is kept once", async (size) => {
  const content = "xyzzy".padEnd(size, "-");
  const host = memoryHost({ files: { "a.txt": content, "b.txt": content, "c.txt": content } });
  const journal = journalOf(host);
  const writes = ["a", "b", "c"].map((name): WriteEffect => ({
    kind: "write",
    path: `/project/${name}.txt`,
    scope: "file",
    change: "any",
  }));
  await journal.checkpoint("1", writes, { tool: "Test" });
  for (const { path } of writes) await host.fs.remove(path);
  await journal.settle("1");

  const kept = Object.entries(host.control.texts())
    .filter(([path]) => path.startsWith(directory))
    .map(([, text]) => text.split(content).length - 1);
  expect(kept.reduce((sum, times) => sum + times, 0)).toBe(1);
  await journal.undo({ last: 1 });
  expect(writes.map(({ path }) => host.control.texts()[path])).toEqual([content, content, content]);
});

test("contents of running calls and of the last hour are not swept", async () => {
  const host = memoryHost({ files: { "a.txt": "before" } });
  const journal = journalOf(host);
  const write: WriteEffect = {
    kind: "write",
    path: "/project/a.txt",
    scope: "file",
    change: "any",
  };
  await journal.checkpoint("1", [write], { tool: "Test" });
  await journalOf(host).checkpoint("2", [{ ...write, path: "/project/b.txt" }], { tool: "Test" });
  host.control.advance(3 * 60 * 60 * 1000);
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("after"));
  // Content that another process has just stored and not referenced yet.
  const hash = "sha256-0123";
  await host.fs.writeAtomic(`${directory}/blobs/${hash}`, new Uint8Array([1]));

  expect(await journalOf(host, { calls: 1 }).gc()).toEqual({ calls: 0, blobs: 0, bytes: 0 });
  await journal.settle("1");
  await journal.undo({ last: 1 });
  expect(host.control.texts()["/project/a.txt"]).toBe("before");
});

test("an old content gets a new date when it is needed again", async () => {
  const host = memoryHost({ files: { "a.txt": "old".padEnd(70_000) } });
  const journal = journalOf(host);
  const write: WriteEffect = {
    kind: "write",
    path: "/project/a.txt",
    scope: "file",
    change: "any",
  };
  await journal.checkpoint("1", [write], { tool: "Test" });
  await journal.settle("1");
  host.control.advance(31 * 60 * 1000);
  await journal.checkpoint("2", [write], { tool: "Test" });
  host.control.advance(31 * 60 * 1000);

  // 62 minutes after it was first stored, and only a running call references it.
  const [name] = await namesIn(host.fs, `${directory}/blobs`);
  const { mtimeMs } = await host.fs.stat(`${directory}/blobs/${name ?? ""}`);
  expect(host.clock.now() - mtimeMs).toBe(31 * 60 * 1000);
});

test("a call abandoned for a day is forgotten like any other", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const write: WriteEffect = {
    kind: "write",
    path: "/project/a.txt",
    scope: "file",
    change: "any",
  };
  await journalOf(host).checkpoint("lost", [write], { tool: "Test" });
  host.control.advance(dayMs - 1);
  const journal = journalOf(host, { days: 0.5 });
  expect((await journal.gc()).calls).toBe(0);
  host.control.advance(1);
  expect((await journal.gc()).calls).toBe(1);
});

test("an undo is forgotten with its calls, and then there is nothing to redo", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host, { days: 1 });
  await edit(host, journal, "1");
  await journal.undo({ last: 1 });
  host.control.advance(dayMs);
  expect((await journal.gc()).calls).toBe(0);
  const first = "0000490896.jsonl";
  expect(await namesIn(host.fs, `${directory}/log`)).toEqual([first]);
  host.control.advance(1);

  // The states before and after the call, which are also the states of the undo.
  const dry = await journal.gc({ dryRun: true });
  expect(await callsIn(journalOf(host, { days: 1 }))).toEqual(["1"]);
  expect(await journal.gc()).toEqual({ calls: 1, blobs: 2, bytes: 2 });
  expect(dry).toEqual({ calls: 1, blobs: 2, bytes: 2 });
  expect(await namesIn(host.fs, `${directory}/log`)).not.toContain(first);
  expect(await callsIn(journal)).toEqual([]);
  expect(await callsIn(journalOf(host))).toEqual([]);
  await expect(journal.redo()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a call that was forgotten while it ran does not come back when it ends", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const write: WriteEffect = {
    kind: "write",
    path: "/project/a.txt",
    scope: "file",
    change: "any",
  };
  const journal = journalOf(host);
  await journal.checkpoint("late", [write], { tool: "Test" });
  host.control.advance(dayMs);
  const collecting = journalOf(host, { days: 0.5 });
  expect((await collecting.gc()).calls).toBe(1);
  host.control.advance(dayMs / 24);
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("1"));
  await journal.settle("late");
  expect(await callsIn(journalOf(host))).toEqual([]);

  // The segment with the deletion is closed now, but the last line of the record is in one that is not closed.
  host.control.advance(dayMs / 16);
  await collecting.gc();
  expect(await callsIn(journalOf(host))).toEqual([]);
});

test("records of a running call stay, however long it takes, and go when it no longer runs", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const write = { kind: "write", path: "/project/a.txt", scope: "file", change: "any" } as const;
  let isRunning = true;
  const opened = (own: string): Journal =>
    createJournal({
      host,
      directory,
      quota: { days: 0.5 },
      processes: { own, isRunning: () => isRunning },
    });
  const [one, other] = [opened("1/a"), opened("2/b")];
  await one.checkpoint("long", [write], { tool: "Test" });
  host.control.advance(3 * dayMs);

  expect(await one.gc()).toMatchObject({ calls: 0 });
  expect(await other.gc()).toMatchObject({ calls: 0 });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("1"));
  await one.settle("long");
  host.control.advance(-3 * dayMs);
  await one.undo({ last: 1 });
  expect(host.control.texts()["/project/a.txt"]).toBe("0");
  await one.checkpoint("interrupted", [write], { tool: "Test" });
  host.control.advance(3 * dayMs);
  isRunning = false;
  expect(await other.gc()).toMatchObject({ calls: 2 });
});

test("a content that several hours have is kept once when they are over", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = journalOf(host);
  for (const text of ["xyzzy", "1", "xyzzy", "2", "xyzzy", "3"]) {
    await edit(host, journal, text);
    host.control.advance(dayMs / 24);
  }
  const times = (): number =>
    Object.entries(host.control.texts())
      .filter(([path]) => path.startsWith(directory))
      .reduce((sum, [, text]) => sum + text.split('"text":"xyzzy"').length - 1, 0);
  host.control.advance(dayMs / 8);
  await journal.gc();

  expect(times()).toBe(1);
  await journalOf(host).undo({ last: 5 });
  expect(host.control.texts()["/project/a.txt"]).toBe("xyzzy");
});

test("collecting at the same time as another program fails no call", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const [one, other] = [journalOf(host, { days: 1 }), journalOf(host, { days: 1 })];
  for (const text of ["1", "2", "3", "4", "5"]) await edit(host, one, text);
  expect(await callsIn(other)).toHaveLength(5);
  host.control.advance(3 * dayMs);
  await Promise.all([
    one.checkpoint("6", [], { tool: "Write" }),
    other.checkpoint("7", [], { tool: "Write" }),
  ]);

  await Promise.all([one.settle("6"), other.settle("7")]);

  expect(await callsIn(one)).not.toContain("1");
});
