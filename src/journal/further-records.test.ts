import { expect, test } from "vitest";
import { at, directory, folder, gone, world, type World } from "../../test/support/memory-stage.ts";
import type { StagedChange, WriteEffect } from "../core/index.ts";
import type { JournalEntry } from "./history.ts";
import { createJournal } from "./journal.ts";

const files = { "a.txt": "0", "b.txt": "0", "c.txt": "0" };

function texts({ host }: World): Readonly<Record<string, string | undefined>> {
  const all = host.control.texts();
  return Object.fromEntries(Object.keys(files).map((name) => [name, all[at(name)]]));
}

/** Changes by one program of a call on its overlay. The second one of a call continues from the first. */
async function brought(
  { host, journal }: World,
  changes: readonly StagedChange[],
  {
    callId = "1",
    continues,
    through = [],
  }: {
    readonly callId?: string;
    readonly continues?: JournalEntry;
    readonly through?: readonly string[];
  } = {},
): Promise<JournalEntry> {
  host.control.advance(1000);
  const since = host.clock.now() + 1;
  const staged = { since, changes, refused: [], through };
  const entry = await journal.apply(callId, staged, { tool: "Bash", continues });
  if (entry === undefined) throw new Error("Nothing was applied.");
  return entry;
}

const small = { budget: { bytes: 10 } };
const large = "0123456789 and more";

/** Call with two programs, each on an overlay of its own. */
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

test("what each program brings is reported with what came before it", async () => {
  const it = world({ ...files, large }, small);
  const first = await brought(it, [it.file("a.txt", "1"), gone("large")]);
  const both = await brought(it, [it.file("a.txt", "2")], { continues: first });
  const all = await brought(it, [it.file("b.txt", "2")], { continues: both });

  expect(both).toMatchObject({ level: "partial", changes: [{ path: at("a.txt") }] });
  expect(all).toMatchObject({
    level: "partial",
    changes: [{ path: at("a.txt") }, { path: at("b.txt") }],
  });
  expect(await it.journal.history()).toEqual([all]);
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

test("undo of the call leaves what came after it alone, and stops at a change in between", async () => {
  const it = world(files);
  const first = await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [it.file("a.txt", "between")], { callId: "2" });
  await brought(it, [it.file("b.txt", "2")], { continues: first });
  await brought(it, [it.file("c.txt", "3")], { callId: "3" });

  expect((await it.journal.undo({ to: "1" })).calls).toEqual(["3"]);
  await expect(it.journal.undo({ call: "1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(texts(it)).toEqual({ "a.txt": "between", "b.txt": "2", "c.txt": "0" });
  // It ended after the other one, so it counts as later; undo does not undo half of it.
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

test.each([
  { calls: 1, left: ["2"] },
  { calls: 2, left: ["2", "1"] },
])("where $calls calls are kept, it counts as one and is forgotten whole", async (quota) => {
  const it = world(files, { quota: { calls: quota.calls } });
  await twoPrograms(it);
  await brought(it, [it.file("c.txt", "3")], { callId: "2" });

  expect((await it.journal.gc()).calls).toBe(2 - quota.left.length);

  expect((await it.journal.history()).map(({ callId }) => callId)).toEqual(quota.left);
});

test("as long as one half of it cannot be forgotten, the other one is not", async () => {
  const it = world(files, { quota: { calls: 1 } });
  const first = await brought(it, [it.file("a.txt", "1")]);
  it.host.control.fail({ operation: "move", path: "/stage/c.txt", fails: "EIO" });
  const fault = it.host.control.fail({ operation: "remove", path: at("b.txt"), fails: "EIO" });
  it.host.control.fail({ operation: "writeAtomic", path: at("b.txt"), fails: "EIO" });
  const half = brought(it, [it.file("b.txt", "2"), it.file("c.txt", "2")], { continues: first });
  await expect(half).rejects.toMatchObject({ code: "INTERNAL" });
  fault();
  await brought(it, [it.file("a.txt", "3")], { callId: "2" });
  await brought(it, [it.file("a.txt", "4")], { callId: "3" });

  await it.journal.gc();

  expect((await it.journal.history()).map(({ callId }) => callId)).toEqual(["3", "1"]);
  expect((await it.journal.diff("1")).map(({ path }) => path)).toContain(at("a.txt"));
});

test("a file that one program makes and the next removes is not a change, and a loss of both is reported once", async () => {
  const it = world(files);
  const first = await brought(it, [it.file("new", "1"), it.file("a.txt", "1")], {
    through: [at("heavy")],
  });
  await brought(it, [gone("new")], { continues: first, through: [at("heavy")] });

  const [entry] = await it.journal.history();
  expect(entry?.changes).toEqual([{ path: at("a.txt"), change: "modified" }]);
  expect(entry?.skipped.map(({ path }) => path)).toEqual([at("heavy")]);
  const undone = await it.journal.undo({ last: 1 });
  expect(undone.skipped.map(({ path }) => path)).toEqual([at("heavy")]);
  expect(texts(it)).toEqual(files);
});

test("what another journal undid before the next program came is not in the remaining entry", async () => {
  const it = world(files);
  const first = await brought(it, [it.file("a.txt", "1")]);
  await createJournal({ host: it.host, directory }).undo({ last: 1 });
  await brought(it, [it.file("b.txt", "1")], { continues: first });

  expect(await it.journal.history()).toMatchObject([
    { state: "done", changes: [{ path: at("b.txt") }] },
  ]);
  expect((await it.journal.diff("1")).map(({ path }) => path)).toEqual([at("b.txt")]);
  expect((await it.journal.undo({ last: 1 })).changes).toHaveLength(1);
  expect(await it.journal.history()).toMatchObject([{ state: "undone", changes: [{}, {}] }]);
});

test("a call of which one program kept nothing is undone except for that", async () => {
  const it = world({ ...files, large }, small);
  const first = await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [gone("large")], { continues: first });

  const undone = await it.journal.undo({ last: 1 });

  expect(undone).toMatchObject({ calls: ["1"], skipped: [{ path: at("large") }] });
  expect(texts(it)).toEqual(files);
});

test("none of which is kept cannot be undone", async () => {
  const it = world({ ...files, large, other: large }, small);
  const first = await brought(it, [gone("large")]);
  await brought(it, [gone("other")], { continues: first });

  await expect(it.journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    data: { callId: "1", skipped: [{ path: at("other") }, { path: at("large") }] },
  });
});

test.each(["before", "after"])(
  "a copy that was made %s the file went, which was not kept, stays",
  async (order) => {
    const it = world({ ...files, large }, small);
    const copy = [it.file("copy", large), it.file("a.txt", "1")];
    const going = [gone("large"), it.file("b.txt", "1")];
    const [one, other] = order === "before" ? [copy, going] : [going, copy];
    await brought(it, other, { continues: await brought(it, one) });

    expect(await it.journal.history()).toMatchObject([{ level: "partial" }]);
    expect((await it.journal.diff("1")).map(({ path }) => path)).toEqual([
      at("a.txt"),
      at("b.txt"),
    ]);
    const { skipped } = await it.journal.undo({ last: 1 });

    expect(skipped.map(({ path }) => path).toSorted()).toEqual([at("copy"), at("large")]);
    expect(it.host.control.texts()[at("copy")]).toBe(large);
    expect(texts(it)).toEqual(files);
  },
);

const ownWrite: WriteEffect = { kind: "write", path: at("c.txt"), scope: "file", change: "any" };

test.each([{ programs: 1 }, { programs: 2 }])(
  "what the call wrote by itself before the last of $programs programs is undone with it",
  async ({ programs }) => {
    const it = world(files);
    await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
    const more = programs === 1 ? {} : { continues: await brought(it, [it.file("a.txt", "1")]) };
    await it.fs.writeAtomic(at("c.txt"), new TextEncoder().encode("1"));
    await brought(it, [it.file("c.txt", "2")], more);
    await it.journal.settle("1");

    await it.journal.undo({ last: 1 });

    expect(texts(it)).toEqual(files);
    await it.journal.redo();
    expect(texts(it)).toMatchObject({ "c.txt": "2" });
  },
);

test.each([{ programs: 1 }, { programs: 2 }])(
  "what the call wrote by itself over the changes of $programs programs is undone with it",
  async ({ programs }) => {
    const it = world(files);
    await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
    let continues = await brought(it, [it.file("c.txt", "1"), it.file("a.txt", "1")]);
    if (programs === 2) continues = await brought(it, [it.file("c.txt", "2")], { continues });
    await it.fs.writeAtomic(at("c.txt"), new TextEncoder().encode("3"));

    expect(await it.journal.settle("1")).toMatchObject({ changes: [{}, {}], level: "full" });
    await it.journal.undo({ last: 1 });

    expect(texts(it)).toEqual(files);
    await it.journal.redo();
    expect(texts(it)).toEqual({ ...files, "a.txt": "1", "c.txt": "3" });
  },
);

test("what could not be brought at all is no reason to leave what the call made", async () => {
  const it = world(files);
  await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
  it.host.control.advance(1000);
  const refused = [{ path: at("pipe"), because: "a pipe cannot be brought" }];
  const changes = [it.file("new", "1"), gone("a.txt")];
  const staged = { since: it.host.clock.now() + 1, changes, refused, through: [at("heavy")] };
  await it.journal.apply("1", staged, { tool: "Bash" });
  await it.journal.settle("1");

  const { skipped } = await it.journal.undo({ last: 1 });

  expect(skipped.map(({ path }) => path)).toEqual([at("pipe"), at("heavy")]);
  expect(it.host.control.texts()).not.toHaveProperty([at("new")]);
  expect(texts(it)).toEqual(files);
});

test("a directory of which something was refused is undone itself", async () => {
  const it = world(files);
  await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
  it.host.control.advance(1000);
  const refused = [{ path: at("d"), because: "what is in it is closed" }];
  const staged = {
    since: it.host.clock.now() + 1,
    changes: [folder("d", 0o700)],
    refused,
    through: [],
  };
  await it.journal.apply("1", staged, { tool: "Bash" });

  expect(await it.journal.settle("1")).toMatchObject({
    level: "partial",
    changes: [{ path: at("d"), change: "created" }],
    skipped: refused,
  });
  await it.journal.undo({ last: 1 });
  await expect(it.fs.stat(at("d"))).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a call whose own writes put everything back that its programs did has changed nothing", async () => {
  const it = world(files);
  await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
  const { mtimeMs } = await it.fs.stat(at("c.txt"));
  const continues = await brought(it, [it.file("c.txt", "1")]);
  await brought(it, [it.file("c.txt", "2")], { continues });
  await it.fs.writeAtomic(at("c.txt"), new TextEncoder().encode("0"));
  await it.fs.setModified?.(at("c.txt"), mtimeMs);

  expect(await it.journal.settle("1")).toBeUndefined();
  expect(await it.journal.history()).toEqual([]);
});

test("what others wrote where only its programs do stays as they left it", async () => {
  const it = world(files);
  await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
  const first = await brought(it, [it.file("a.txt", "1")]);
  await it.fs.writeAtomic(at("c.txt"), new TextEncoder().encode("theirs"));
  await brought(it, [it.file("c.txt", "2")], { continues: first });
  it.journal.disown("1", (path) => path === at("c.txt"));
  await it.journal.settle("1");

  await it.journal.undo({ last: 1 });

  expect(texts(it)).toEqual({ ...files, "c.txt": "theirs" });
});

test("a settled call says how far all of it can be undone", async () => {
  const it = world({ ...files, large }, small);
  await it.journal.checkpoint("1", [ownWrite], { tool: "Bash" });
  const first = await brought(it, [it.file("a.txt", "1")]);
  await brought(it, [gone("large")], { continues: first });

  expect(await it.journal.settle("1")).toMatchObject({
    level: "partial",
    changes: [{ path: at("a.txt") }],
    skipped: [{ path: at("large") }],
  });
});
