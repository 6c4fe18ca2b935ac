import { expect, test } from "vitest";
import { at, directory, gone, world, type World } from "../../test/support/memory-stage.ts";
import type { StagedChange, WriteEffect } from "../core/index.ts";
import type { HistoryEntry } from "./history.ts";
import { createJournal } from "./journal.ts";

const files = { "a.txt": "0", "b.txt": "0", "c.txt": "0" };

function texts({ host }: World): Readonly<Record<string, string | undefined>> {
  const all = host.control.texts();
  return Object.fromEntries(Object.keys(files).map((name) => [name, all[at(name)]]));
}

/** What one program of a call did on its overlay; the second of a call goes on from the first. */
async function brought(
  { host, journal }: World,
  changes: readonly StagedChange[],
  { callId = "1", continues }: { readonly callId?: string; readonly continues?: HistoryEntry } = {},
): Promise<HistoryEntry> {
  host.control.advance(1000);
  const since = host.clock.now() + 1;
  const staged = { since, changes, refused: [], through: [] };
  const entry = await journal.apply(callId, staged, { tool: "Bash", continues });
  if (entry === undefined) throw new Error("Nothing was applied.");
  return entry;
}

/** A call with two programs, each on an overlay of its own. */
async function twoPrograms(it: World): Promise<void> {
  const first = await brought(it, [it.file("a.txt", "1"), it.file("b.txt", "1")]);
  await brought(it, [it.file("a.txt", "2"), gone("c.txt")], { continues: first });
}

test.each([{ last: 1 }, { call: "1" }])(
  "a call with two programs is undone whole by %j",
  async (target) => {
    const it = world(files);
    await brought(it, [it.file("b.txt", "before")], { callId: "0" });
    await twoPrograms(it);

    const undone = await it.journal.undo(target);

    expect(undone.calls).toEqual(["1"]);
    expect(texts(it)).toEqual({ ...files, "b.txt": "before" });
    await it.journal.redo();
    expect(texts(it)).toEqual({ "a.txt": "2", "b.txt": "1", "c.txt": undefined });
  },
);

test("it is one call in the history, with what it did in all", async () => {
  const it = world(files);
  await twoPrograms(it);

  expect(await it.journal.history()).toMatchObject([
    {
      callId: "1",
      state: "done",
      level: "full",
      changes: [
        { path: at("a.txt"), change: "modified" },
        { path: at("b.txt"), change: "modified" },
        { path: at("c.txt"), change: "deleted" },
      ],
    },
  ]);
  const [difference] = await it.journal.diff("1");
  expect(difference).toMatchObject({ path: at("a.txt"), diff: expect.stringContaining("-0") });
  expect(difference?.diff).toContain("+2");
  await it.journal.undo({ last: 1 });
  expect(await it.journal.history()).toMatchObject([{ callId: "1", state: "undone" }]);
});

test("another journal of the directory knows it, too", async () => {
  const it = world(files);
  await twoPrograms(it);

  await createJournal({ host: it.host, directory }).undo({ last: 1 });

  expect(texts(it)).toEqual(files);
});

test("another call of the same id is another call", async () => {
  const it = world(files);
  await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [it.file("b.txt", "1")]);

  expect((await it.journal.undo({ call: "1" })).calls).toEqual(["1"]);
  expect(texts(it)).toEqual({ ...files, "a.txt": "1" });
});

test("what came after the call is undone without it, and what came between stands in its way", async () => {
  const it = world(files);
  const first = await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [it.file("a.txt", "between")], { callId: "2" });
  await brought(it, [it.file("b.txt", "2")], { continues: first });
  await brought(it, [it.file("c.txt", "3")], { callId: "3" });

  expect((await it.journal.undo({ to: "1" })).calls).toEqual(["3"]);
  await expect(it.journal.undo({ call: "1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(texts(it)).toEqual({ "a.txt": "between", "b.txt": "2", "c.txt": "0" });
  // It ended after the other one, so it counts as later; half of it is not taken back.
  await expect(it.journal.undo({ to: "2" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect((await it.journal.undo({ last: 2 })).calls).toEqual(["1", "2"]);
  expect(texts(it)).toEqual(files);
});

test("one that also writes by itself is one call from its checkpoint on", async () => {
  const it = world(files);
  const write: WriteEffect = { kind: "write", path: at("c.txt"), scope: "file", change: "any" };
  await it.journal.checkpoint("1", [write], { tool: "Bash" });
  const first = await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [it.file("b.txt", "1")], { continues: first });
  await it.fs.writeAtomic(at("c.txt"), new TextEncoder().encode("1"));
  await it.journal.settle("1");

  expect((await it.journal.undo({ last: 1 })).calls).toEqual(["1"]);
  expect(texts(it)).toEqual(files);
});

test("it is forgotten whole", async () => {
  const it = world(files, { quota: { bytes: 12_000, calls: 2 } });
  await twoPrograms(it);
  await brought(it, [it.file("c.txt", "3")], { callId: "2" });

  await it.journal.gc();

  expect((await it.journal.history()).map(({ callId }) => callId)).toEqual(["2"]);
});
