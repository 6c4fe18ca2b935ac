import { expect, test } from "vitest";
import type { WriteEffect } from "../../core/index.ts";
import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { JournalOptions } from "../journal-options.ts";

const directory = "/data/journal";

function world(
  files: NonNullable<MemoryHostOptions["files"]>,
  options: Partial<JournalOptions> = {},
): { readonly host: MemoryHost; readonly journal: Journal } {
  const host = memoryHost({ files, root: "/project" });
  return { host, journal: createJournal({ host, directory, ...options }) };
}

const tree: WriteEffect = { kind: "write", path: "/project", scope: "tree", change: "any" };
const file = (path: string): WriteEffect => ({ ...tree, path: `/project/${path}`, scope: "file" });

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

test.for([
  {
    budget: { bytes: 4 },
    skipped: [
      {
        path: "/project/b",
        because: "a call's journal keeps 4 bytes, and its 3 are beyond them",
      },
    ],
    because: "the second file does not fit, the third does",
  },
  {
    budget: { bytes: 0 },
    skipped: ["a", "b", "c"].map((name, index) => ({
      path: `/project/${name}`,
      because: `its ${[2, 3, 1][index]} bytes are more than a call's journal keeps`,
    })),
    because: "no content fits",
  },
  { budget: { bytes: 6 }, skipped: [], because: "all fit exactly" },
  {
    budget: { paths: 2 },
    skipped: ["b", "c"].map((name) => ({
      path: `/project/${name}`,
      because: "there are more than 2 paths",
    })),
    because: "the tree and one file are two paths",
  },
])("the budget $budget skips what it must: $because", async ({ budget, skipped }) => {
  const { host, journal } = world({ a: "12", b: "123", c: "1" }, { budget });
  const level = skipped.length === 0 ? "full" : "partial";

  expect(await journal.assess([tree])).toEqual({ level, skipped });
  expect(await journal.checkpoint("1", [tree], { tool: "Test" })).toEqual({
    callId: "1",
    level,
    skipped,
  });

  // Undo restores stored files; it leaves the others alone and lists them.
  const kept = ["a", "b", "c"].filter((name) => !skipped.some(({ path }) => path.endsWith(name)));
  for (const name of ["a", "b", "c"]) await host.fs.writeAtomic(`/project/${name}`, bytes("!"));
  await journal.settle("1");
  const undo = await journal.undo({ last: 1 }, { force: kept.length === 0 });
  expect(undo.changes.map(({ path }) => path)).toEqual(kept.map((name) => `/project/${name}`));
  expect(undo.skipped).toEqual(skipped);
});

test("a tree that takes too long is kept as far as time went, and says so", async () => {
  const { host, journal } = world(
    { "a/1": "1", "b/2": "2", "c/3": "3" },
    { budget: { milliseconds: 10 } },
  );
  let lists = 0;
  const slow = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return (...given: unknown[]): unknown => {
        if (key === "list" && (lists += 1) > 1) host.control.advance(11);
        return Reflect.apply(method, target, given);
      };
    },
  });
  const patient = createJournal({
    host: { fs: slow, clock: host.clock },
    directory,
    budget: { milliseconds: 10 },
  });

  const { level, skipped } = await patient.assess([tree]);

  expect(level).toBe("partial");
  expect(skipped).toEqual(
    ["a/1", "b", "c"].map((name) => ({
      path: `/project/${name}`,
      because: "reading it all takes longer than 10 ms",
    })),
  );
  expect((await journal.assess([tree])).level).toBe("full");
});

test("in a tree that was not seen whole, what is new may not be the call's and is left", async () => {
  const { host, journal } = world({ "a/1": "1" }, { budget: { paths: 2 } });
  await journal.checkpoint("1", [tree], { tool: "Test" });
  await host.fs.writeAtomic("/project/a/2", bytes("new"));
  await host.fs.remove("/project/a/1");
  await journal.settle("1");

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Test (1) cannot be undone: nothing was stored.",
    data: { callId: "1", skipped: [{ path: "/project/a" }] },
  });
  expect((await journal.undo({ last: 1 }, { force: true })).calls).toEqual(["1"]);
  expect(host.control.texts()["/project/a/2"]).toBe("new");
});

test.for([
  {
    budget: { bytes: 3 },
    removed: ["a/1", "a/2", "b"],
    unkept: { paths: ["a/1", "a/2"], isCounted: true },
    because: "only b fits, which is met first",
  },
  {
    budget: { bytes: 3 },
    removed: ["b"],
    unkept: undefined,
    because: "what was not kept has not changed",
  },
  {
    budget: { paths: 3 },
    removed: ["a/1", "a/2", "b"],
    unkept: { paths: ["a"], isCounted: false },
    because: "nobody looked into the folder",
  },
  {
    budget: { paths: 2 },
    removed: ["b"],
    unkept: { paths: ["b"], isCounted: true },
    because: "it was seen there and is gone",
  },
  {
    budget: { paths: 2 },
    removed: [],
    unkept: undefined,
    because: "nobody knows that it was changed",
  },
])("a removal of $removed with $budget reports $unkept as not kept: $because", async (each) => {
  const files = { "a/1": "123", "a/2": "123", b: "123" };
  const { host, journal } = world(files, { budget: each.budget });
  await journal.checkpoint("1", [tree], { tool: "Test" });
  for (const name of each.removed) await host.fs.remove(`/project/${name}`);
  if (each.removed.length === 3) await host.fs.remove("/project/a", { recursive: true });

  const { unkept } = (await journal.settle("1")) ?? {};

  expect(unkept && { ...unkept, paths: unkept.paths.map(({ path }) => path.slice(9)) }).toEqual(
    each.unkept,
  );
});

test("what was skipped and did not change is forgotten", async () => {
  const { host, journal } = world({ big: "1234567890", a: "1" }, { budget: { bytes: 5 } });
  await journal.checkpoint("1", [tree], { tool: "Test" });
  await host.fs.writeAtomic("/project/a", bytes("2"));
  expect(await journal.settle("1")).toMatchObject({ level: "full", skipped: [] });

  await journal.checkpoint("2", [tree], { tool: "Test" });
  expect(await journal.settle("2")).toBeUndefined();
});

test("a file too large to keep is identified by its version, and force removes one that the call made", async () => {
  const { host, journal } = world({}, { budget: { bytes: 5 } });
  await journal.checkpoint("1", [file("big")], { tool: "Test" });
  await host.fs.writeAtomic("/project/big", bytes("1234567890"));
  await journal.settle("1");

  expect((await journal.diff("1"))[0]).toMatchObject({ change: "created", after: { size: 10 } });
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message:
      "Nothing was changed: /project/big would be lost for good: its 10 bytes are more than the journal keeps.",
    hint: "Move it elsewhere to keep it, or force the path to remove it.",
    data: { paths: ["/project/big"] },
  });
  const undone = await journal.undo({ last: 1 }, { force: ["/project/big"] });
  expect(undone.changes).toEqual([{ path: "/project/big", change: "deleted" }]);
  expect(undone.skipped).toEqual([
    { path: "/project/big", because: "it is gone for good, being too large to be kept for redo" },
  ]);
  await expect(journal.redo()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "/project/big cannot be restored: it was too large to be stored when it was removed.",
  });
  expect((await journal.history())[0]?.state).toBe("undone");

  await journal.checkpoint("2", [file("big")], { tool: "Test" });
  await host.fs.writeAtomic("/project/big", bytes("1234567890"));
  await journal.settle("2");
  await host.fs.writeAtomic("/project/big", bytes("1234567890"));
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "STALE_READ" });
});

test.for(["fifo", "socket", "device"] as const)(
  "a %s is never opened and cannot be restored",
  async (kind) => {
    const { host, journal } = world({ a: "1" });
    host.control.plant("odd", { kind });
    const skipped = [{ path: "/project/odd", because: `a ${kind} cannot be restored` }];

    expect(await journal.assess([tree])).toEqual({ level: "partial", skipped });
    expect(await journal.checkpoint("1", [file("odd")], { tool: "Test" })).toMatchObject({
      level: "none",
      skipped,
    });
  },
);

test("what may not be read is skipped with the host's reason", async () => {
  const { host, journal } = world({ a: "1" });
  host.control.plant("secret", { kind: "file", content: "s", mode: 0 });
  host.control.plant("closed/in", { kind: "file", content: "s" });
  host.control.plant("closed", { kind: "directory", mode: 0 });

  const { level, skipped } = await journal.checkpoint("1", [tree], { tool: "Test" });

  expect(level).toBe("partial");
  expect(skipped.map(({ path }) => path)).toEqual(["/project/closed", "/project/secret"]);
});

test("the journal never keeps itself", async () => {
  const { host, journal } = world({ a: "1" });
  const everything: WriteEffect = { ...tree, path: "/" };
  await journal.checkpoint("1", [everything], { tool: "Test" });
  await host.fs.writeAtomic("/project/a", bytes("2"));

  expect((await journal.settle("1"))?.changes).toEqual([
    { path: "/project/a", change: "modified" },
  ]);
});

test("a directory that may be deleted goes with what is in it, though only it is named", async () => {
  const { host, journal } = world({ "d/e/a": "1", "d/b": "2" });
  for (const [id, change] of [
    ["1", "delete"],
    ["2", "any"],
  ] as const) {
    await journal.checkpoint(id, [{ ...file("d"), change }], { tool: "Test" });
    await host.fs.remove("/project/d", { recursive: true });
    await journal.settle(id);
    await journal.undo({ last: 1 });
    expect(host.control.texts()).toMatchObject({ "/project/d/e/a": "1", "/project/d/b": "2" });
  }
});

test("assessing stores nothing and reads no content", async () => {
  const { host, journal } = world({ a: "1" });
  host.control.fail({ operation: "readFile", fails: "EACCES" });

  expect(await journal.assess([tree, file("new")])).toEqual({ level: "full", skipped: [] });
  await expect(host.fs.stat(directory)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a call whose files can no longer be looked at is settled, and says what is not known", async () => {
  const { host, journal } = world({ "d/a": "1", b: "1" });
  await journal.checkpoint("1", [tree], { tool: "Test" });
  await host.fs.writeAtomic("/project/b", bytes("2"));
  host.control.plant("d", { kind: "directory", mode: 0 });

  expect(await journal.settle("1")).toMatchObject({
    level: "partial",
    skipped: [{ path: "/project/d" }, { path: "/project/d/a" }],
    changes: [
      { path: "/project/b", change: "modified" },
      { path: "/project/d", change: "mode" },
    ],
  });
});

test("an unreadable file is reported as lost where it is removed, and only there", async () => {
  const { host, journal } = world({ secret: "1", a: "1" });
  host.control.fail({ operation: "readFile", path: "/project/secret", fails: "EACCES" });

  await journal.checkpoint("1", [tree, file("secret")], { tool: "Test" });
  await host.fs.writeAtomic("/project/a", bytes("2"));
  expect(await journal.settle("1")).toMatchObject({ level: "full", skipped: [] });

  await journal.checkpoint("2", [file("secret")], { tool: "Test" });
  await host.fs.remove("/project/secret");
  expect(await journal.settle("2")).toMatchObject({
    level: "none",
    unkept: { paths: [{ path: "/project/secret" }], isCounted: true },
  });
});
