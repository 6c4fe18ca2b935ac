import { expect, test } from "vitest";
import {
  at,
  directory,
  folder,
  gone,
  link,
  stage,
  world,
  type World,
} from "../../../test/support/memory-stage.ts";
import type { HostFs, StagedChange, WriteEffect } from "../../core/index.ts";
import { createJournal } from "../journal.ts";

test("what a command did on its overlay comes to the tree, with modes and times, and goes again", async () => {
  const { journal, file, apply, seen } = world({
    "a.txt": "old",
    "d/b.txt": "b",
    "d/e/c.txt": "c",
    "was-file": "f",
  });
  const before = await seen();

  const entry = await apply([
    file("a.txt", "new", 0o755),
    gone("d"),
    gone("d/b.txt"),
    gone("d/e"),
    gone("d/e/c.txt"),
    link("link", "made"),
    folder("made", 0o700),
    file("made/x", "x", 0o600),
    folder("was-file"),
  ]);

  expect(entry).toMatchObject({
    callId: "1",
    tool: "Bash",
    title: "make",
    state: "done",
    level: "full",
    skipped: [],
    changes: [
      { path: "/project/a.txt", change: "modified" },
      { path: "/project/d", change: "deleted" },
      { path: "/project/d/b.txt", change: "deleted" },
      { path: "/project/d/e", change: "deleted" },
      { path: "/project/d/e/c.txt", change: "deleted" },
      { path: "/project/link", change: "modified" },
      { path: "/project/made", change: "created" },
      { path: "/project/made/x", change: "created" },
      { path: "/project/was-file", change: "replaced" },
    ],
  });
  const after = await seen();
  expect(after).toEqual({
    "/project/a.txt": "755 new 500",
    "/project/link": "-> made",
    "/project/made": "700/",
    "/project/made/x": "600 x 500",
    "/project/was-file": "755/",
    "/stage/.here": "644  -10000",
  });
  expect(await journal.diff("1")).toMatchObject([
    { diff: expect.stringContaining("+new") },
    ...Array.from({ length: 8 }, () => ({})),
  ]);

  expect((await journal.undo({ last: 1 })).kept).toEqual([]);
  expect(await seen()).toEqual(before);
  await journal.redo();
  expect(await seen()).toEqual(after);
});

test.for<{
  name: string;
  meddle: (world: World) => Promise<unknown> | void;
  changes: (world: World) => readonly StagedChange[];
  path: string;
  because: string;
}>([
  {
    name: "a file was written",
    meddle: ({ fs }) => fs.writeAtomic(at("a.txt"), new TextEncoder().encode("mine")),
    changes: ({ file }) => [file("a.txt", "new"), file("other", "o")],
    path: "a.txt",
    because: "it was changed while the command ran",
  },
  {
    name: "only its permission bits were changed",
    meddle: ({ fs }) => fs.setMode?.(at("a.txt"), 0o600),
    changes: () => [gone("a.txt"), folder("new")],
    path: "a.txt",
    because: "it was changed while the command ran",
  },
  {
    name: "a file was made where the command made one",
    meddle: ({ fs }) => fs.writeAtomic(at("new"), new TextEncoder().encode("mine")),
    changes: ({ file }) => [file("new", "new"), gone("a.txt")],
    path: "new",
    because: "it was changed while the command ran",
  },
  {
    name: "something was put into a directory that goes",
    meddle: ({ fs }) => fs.writeAtomic(at("d/mine"), new TextEncoder().encode("mine")),
    changes: () => [gone("d"), gone("d/b.txt")],
    path: "d",
    because: "/project/d/mine was put into it while the command ran",
  },
  {
    name: "a directory on the way became a link",
    meddle: ({ host }) => host.control.plant("d", { kind: "symlink", target: "elsewhere" }),
    changes: ({ file }) => [file("d/b.txt", "new"), gone("a.txt")],
    path: "d/b.txt",
    because: "its path now leads through a link",
  },
])("nothing is applied where $name meanwhile", async ({ meddle, changes, path, because }) => {
  const it = world({ "a.txt": "old", "d/b.txt": "b" });
  const staged = changes(it);
  await meddle(it);
  const before = await it.seen();

  await expect(it.apply(staged)).rejects.toMatchObject({
    code: "STALE_READ",
    message: `No change of the command was applied: ${at(path)} changed while it ran.`,
    data: { paths: [at(path)], conflicts: [{ path: at(path), because }] },
  });
  expect(await it.seen()).toEqual(before);
  expect(await it.journal.history()).toEqual([]);
});

test("a link that the command replaced with a directory is not in the way", async () => {
  const { file, fs, apply, journal, seen } = world({ "a.txt": "old", "d/b.txt": "b" });
  const before = await seen();
  const staged = [folder("link"), file("link/new", "new"), folder("link/e"), file("link/e/f", "f")];

  await apply(staged);

  expect((await fs.readFile(at("link/e/f"))).bytes).toEqual(new TextEncoder().encode("f"));
  await journal.undo({ last: 1 });
  expect(await seen()).toEqual(before);
});

test("a link that another program put behind a replaced one is", async () => {
  const { host, file, apply } = world({ "a.txt": "old", "d/e/b.txt": "b" });
  const staged = [folder("d", 0o700), file("d/e/b.txt", "new")];
  host.control.plant("d/e", { kind: "symlink", target: "../a.txt" });

  await expect(apply(staged)).rejects.toMatchObject({ data: { paths: [at("d/e/b.txt")] } });
});

test("writes right before the command, in a shared directory, or of a deleted file are not a conflict", async () => {
  const { host, fs, file, apply, journal } = world({ "a.txt": "old", "d/b.txt": "b" });
  const staged = [file("a.txt", "new"), file("d/b.txt", "c"), folder("d", 0o700)];
  await fs.writeAtomic(at("d/mine"), new Uint8Array());
  await fs.remove(at("a.txt"));

  await apply(staged);

  expect(host.control.texts()).toMatchObject({ "/project/a.txt": "new", "/project/d/mine": "" });
  await journal.undo({ last: 1 });
  expect(host.control.texts()).toMatchObject({ "/project/d/b.txt": "b", "/project/d/mine": "" });
  expect(Object.keys(host.control.texts())).not.toContain("/project/a.txt");
});

test("a command that changed nothing leaves no entry", async () => {
  const { host, file, apply, journal, seen } = world({ "a.txt": "old" });
  const { mtimeMs } = await host.fs.stat(at("a.txt"));
  const same = file("a.txt", "old");
  if (same.to.kind === "file") {
    host.control.plant(same.to.source, { kind: "file", content: "old", mtimeMs });
  }
  const before = await seen();

  expect(await apply([])).toBeUndefined();
  expect(await apply([same, gone("none")], { through: [at("node_modules")] })).toBeUndefined();
  expect(await seen()).toEqual(before);
  expect(await journal.history()).toEqual([]);
});

test("what cannot be kept or applied is reported: too large, refused, written straight through", async () => {
  const { fs, file, apply, journal, seen } = world(
    { big: "1234567890", a: "1" },
    { budget: { bytes: 5 } },
  );

  const entry = await apply([gone("big"), file("a", "2"), file("made", "012345678")], {
    refused: [{ path: at("pipe"), because: "a socket cannot be applied" }],
    through: [at("node_modules")],
  });

  expect(entry).toMatchObject({
    level: "partial",
    skipped: [
      { path: at("big"), because: "its 10 bytes are more than a call's journal keeps" },
      { path: at("pipe"), because: "a socket cannot be applied" },
      { path: at("node_modules"), because: "what the command did there was not kept" },
    ],
    changes: [
      { path: at("a"), change: "modified" },
      { path: at("made"), change: "created" },
    ],
  });
  await expect(fs.stat(at("big"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await journal.undo({ last: 1 }, { force: [at("made")] });
  expect(await seen()).toEqual({
    "/project/a": "644 1 -10000",
    "/project/link": "-> a.txt",
    "/stage/.here": "644  -10000",
  });
});

test("a failure in the middle puts everything back, the staged files too", async () => {
  let failures = 0;
  for (let failing = 0; failures === failing; failing += 1) {
    const { host, file, apply, seen, journal } = world({ "a.txt": "old", "d/b.txt": "b", z: "z" });
    host.control.plant("d", { kind: "directory", mode: 0o700 });
    const staged = [
      file("a.txt", "new", 0o600),
      gone("d"),
      gone("d/b.txt"),
      folder("made"),
      file("made/x", "x"),
      link("z", "made"),
    ];
    const before = await seen();
    const restore = failOnce(host.fs, failing);
    const failure = await apply(staged).catch((error: unknown) => error);
    restore();
    const isApplied = "/project/made" in (await seen());
    if (!isApplied) failures += 1;

    expect(failure).toMatchObject(isApplied ? { state: "done" } : { message: "full" });
    expect(await journal.history()).toHaveLength(isApplied ? 1 : 0);
    if (isApplied) await journal.undo({ last: 1 });
    expect(ofProject(await seen())).toEqual(ofProject(before));
    expect(isApplied ? before : await seen()).toEqual(before);
  }
  expect(failures).toBe(8);
});

/** Makes one operation outside the journal fail, by its number from 0. */
function failOnce(fs: HostFs, failing: number): () => void {
  const operations = ["move", "remove", "mkdir", "makeLink", "setMode", "setModified"] as const;
  let count = -1;
  for (const operation of operations) {
    const method = fs[operation];
    Object.assign(fs, {
      [operation]: async (...given: never[]): Promise<unknown> => {
        if (!String(given[0]).startsWith(directory) && (count += 1) === failing) {
          throw new Error("full");
        }
        return Reflect.apply(method as () => unknown, fs, given);
      },
    });
  }
  return () => {
    for (const operation of operations) Reflect.deleteProperty(fs, operation);
  };
}

function ofProject(seen: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(seen).filter(([path]) => path.startsWith("/project")));
}

test("a missing staged file is reported before anything is changed", async () => {
  const { host, file, apply, seen } = world({ "a.txt": "old" });
  const staged = [gone("a.txt"), file("b", "b")];
  await host.fs.remove(`${stage}/b`);
  const before = await seen();

  await expect(apply(staged)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    data: { path: at("b") },
  });
  expect(await seen()).toEqual(before);
});

test("a call that had a checkpoint is settled by applying it", async () => {
  const { file, apply, journal } = world({ "a.txt": "old" });
  const write: WriteEffect = { kind: "write", path: at("a.txt"), scope: "file", change: "any" };
  await journal.checkpoint("1", [write], { tool: "Bash" });
  const entry = await apply([file("a.txt", "new"), file("b", "b")]);

  expect(entry?.changes).toHaveLength(2);
  expect(await journal.settle("1")).toEqual(entry);
  expect(await journal.settle("1")).toBeUndefined();
  expect(await journal.history()).toEqual([entry]);

  await journal.checkpoint("1", [write], { tool: "Bash" });
  expect(await apply([])).toBeUndefined();
  expect(await journal.settle("1")).toBeUndefined();
  expect(await journal.history()).toEqual([entry]);
});

test("a directory nobody may write is filled, emptied and closed again", async () => {
  const { host, file, apply, seen, journal } = world({ "d/b.txt": "b", "e/c.txt": "c" });
  host.control.plant("d", { kind: "directory", mode: 0o500 });
  host.control.plant("e", { kind: "directory", mode: 0o500 });
  const before = await seen();

  await apply([folder("d", 0o550), file("d/x", "x"), gone("d/b.txt"), gone("e"), gone("e/c.txt")]);

  expect(await seen()).toMatchObject({ "/project/d": "550/", "/project/d/x": "644 x 500" });
  await journal.undo({ last: 1 });
  expect(ofProject(await seen())).toEqual(ofProject(before));
});

test("another program that finishes what this one is at does no harm", async () => {
  for (let point = 0, ended = false; !ended; point += 1) {
    const { host, file, apply, seen, journal } = world({ "a.txt": "old", "d/b.txt": "b" });
    const staged = [
      file("a.txt", "new"),
      gone("d"),
      gone("d/b.txt"),
      folder("made"),
      file("made/x", "x"),
      link("link", "made"),
    ];
    let count = -1;
    let meddled = false;
    const other = createJournal({
      host: { fs: { ...methodsOf(host.fs) }, clock: host.clock },
      directory,
    });
    for (const operation of ["move", "remove", "mkdir", "makeLink"] as const) {
      const method = host.fs[operation];
      Object.assign(host.fs, {
        [operation]: async (...given: never[]): Promise<unknown> => {
          const isMine = !String(given[0]).startsWith(directory);
          if (isMine && (count += 1) === point) {
            meddled = true;
            await other.recover();
          }
          return Reflect.apply(method as () => unknown, host.fs, given);
        },
      });
    }
    const entry = await apply(staged);
    ended = !meddled;

    expect(entry).toMatchObject({ state: "done", skipped: [] });
    expect(await seen()).toEqual({
      "/project/a.txt": "644 new 500",
      "/project/link": "-> made",
      "/project/made": "755/",
      "/project/made/x": "644 x 500",
      "/stage/.here": "644  -10000",
    });
    expect((await journal.history()).map(({ state }) => state)).toEqual(["done"]);
  }
});

/** Original methods, whatever replaces them later. */
function methodsOf(fs: HostFs): HostFs {
  const names = [
    "stat",
    "readFile",
    "readRange",
    "list",
    "readLink",
    "append",
    "writeAtomic",
  ] as const;
  const more = [
    "move",
    "remove",
    "mkdir",
    "makeLink",
    "setMode",
    "setModified",
    "appender",
  ] as const;
  const bound = [...names, ...more].map((name) => {
    const method: unknown = Reflect.get(fs, name);
    return [name, typeof method === "function" ? method.bind(fs) : undefined];
  });
  return Object.fromEntries(bound) as HostFs;
}
