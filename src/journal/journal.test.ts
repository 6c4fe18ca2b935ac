import { expect, test } from "vitest";
import { project, world, write } from "../../test/support/calls-world.ts";
import { memoryHost } from "../host/index.ts";
import { createJournal } from "./journal.ts";

const directory = "/data/journal";

test("undo restores what a call changed, made and deleted; redo does it again", async () => {
  const { host, fs, journal, call, put } = world({ "a.txt": "old", "b.txt": "gone" });
  await call(
    "1",
    [write("/project/a.txt"), write("/project/b.txt"), write("/project/new/deep/c.txt")],
    async () => {
      await put("/project/a.txt", "new");
      await fs.remove("/project/b.txt");
      await fs.mkdir("/project/new/deep");
      await put("/project/new/deep/c.txt", "made");
    },
  );

  const undone = await journal.undo({ last: 1 });

  expect(undone).toEqual({
    calls: ["1"],
    changes: [
      { path: "/project/a.txt", change: "modified" },
      { path: "/project/b.txt", change: "created" },
      { path: "/project/new", change: "deleted" },
      { path: "/project/new/deep", change: "deleted" },
      { path: "/project/new/deep/c.txt", change: "deleted" },
    ],
    kept: [],
    skipped: [],
  });
  expect(project(host)).toEqual({ "/project/a.txt": "old", "/project/b.txt": "gone" });
  await expect(fs.stat("/project/new")).rejects.toMatchObject({ code: "NOT_FOUND" });

  const redone = await journal.redo();

  expect(redone.calls).toEqual(["1"]);
  expect(project(host)).toEqual({
    "/project/a.txt": "new",
    "/project/new/deep/c.txt": "made",
  });
  await expect(journal.redo()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await journal.undo({ call: "1" });
  expect(project(host)).toEqual({ "/project/a.txt": "old", "/project/b.txt": "gone" });
});

test("a call that changes nothing leaves no entry", async () => {
  const { host, journal, call, put } = world({ "a.txt": "same" });

  await call("1", [write("/project/a.txt"), write("/project/none.txt")], () =>
    put("/project/a.txt", "same"),
  );

  expect(await journal.history()).toEqual([]);
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "There is nothing to undo.",
  });
  expect(await createJournal({ host, directory }).history()).toEqual([]);
});

test("the before-image is durable before the call runs", async () => {
  const { host, journal } = world({ "a.txt": "old" });

  await journal.checkpoint("1", [write("/project/a.txt")], { tool: "Edit", title: "Edit a.txt" });

  const log = host.control.texts()[`${directory}/log/0000490896.jsonl`];
  expect(log).toContain('"text":"old"}\n');
  expect(log).toContain('"callId":"1","tool":"Edit","title":"Edit a.txt"');
});

test("a checkpoint that cannot be stored fails, so that the call does not run", async () => {
  const { host, journal } = world({ "a.txt": "old" });
  host.control.fail({ operation: "append", fails: "ENOSPC" });

  const checkpoint = journal.checkpoint("1", [write("/project/a.txt")], { tool: "Edit" });

  await expect(checkpoint).rejects.toMatchObject({ code: "NO_SPACE" });
});

test.for(["blobs", "log"])("nor when only its %s cannot be stored", async (part) => {
  const { host, journal, call, put } = world({ "a.txt": "old".padEnd(70_000), "z.txt": "z" });
  await call("0", [write("/project/z.txt")], () => put("/project/z.txt", "y"));
  const { hash } = await host.fs.readFile("/project/a.txt");
  const path =
    part === "blobs"
      ? `${directory}/blobs/${hash.replace(":", "-")}`
      : `${directory}/log/0000490896.jsonl`;
  host.control.fail({
    path,
    operation: part === "blobs" ? "writeAtomic" : "append",
    fails: "ENOSPC",
  });

  const checkpoint = journal.checkpoint("1", [write("/project/a.txt")], { tool: "Edit" });

  await expect(checkpoint).rejects.toMatchObject({ code: "NO_SPACE" });
});

test("undo to a call undoes what came after it and leaves the call", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1" });
  for (const id of ["1", "2", "3"]) {
    await call(id, [write("/project/a.txt")], () => put("/project/a.txt", `by ${id}`));
  }

  expect((await journal.undo({ to: "1" })).calls).toEqual(["3", "2"]);
  expect(project(host)).toEqual({ "/project/a.txt": "by 1" });
  await expect(journal.undo({ to: "1" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await journal.redo();
  expect(project(host)).toEqual({ "/project/a.txt": "by 3" });
});

test("redo goes through every undo, the latest first, and refuses over other work", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await call("2", [write("/project/a.txt")], () => put("/project/a.txt", "a3"));
  await journal.undo({ last: 1 });
  await journal.undo({ last: 1 });

  await put("/project/a.txt", "mine");
  await expect(journal.redo()).rejects.toMatchObject({ code: "STALE_READ" });
  await put("/project/a.txt", "a1");
  await journal.redo();
  expect(project(host)).toEqual({ "/project/a.txt": "a2" });
  await put("/project/a.txt", "mine");
  await journal.redo({ force: true });
  expect(project(host)).toEqual({ "/project/a.txt": "a3" });
});

test.for([0, -1, 1.5, Number.NaN])("last: %s is a mistake of the program", async (last) => {
  await expect(world().journal.undo({ last })).rejects.toThrow(TypeError);
});

test("a call nobody knows is NOT_FOUND", async () => {
  const { journal } = world();

  await expect(journal.undo({ call: "x" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    data: { callId: "x" },
  });
  await expect(journal.undo({ to: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(journal.diff("x")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await journal.settle("x")).toBeUndefined();
});

test("a running call is not undone, and what it touches is not restored under it", async () => {
  const { journal, call, put } = world({ "a.txt": "a1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await journal.checkpoint("2", [write("/project/a.txt")], { tool: "Bash" });

  await expect(journal.checkpoint("2", [], { tool: "Bash" })).rejects.toThrow(TypeError);
  for (const target of [{ call: "2" }, { last: 1 }, { last: 2 }, { to: "1" }]) {
    await expect(journal.undo(target)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "Bash (2) is still running.",
      hint: "Wait until it has ended, or stop it; a call before it can be undone by its id.",
    });
  }
  await expect(journal.undo({ call: "1" })).rejects.toMatchObject({
    data: { conflicts: [{ callId: "1", laterCalls: ["2"] }] },
  });
  await journal.settle("2");
  expect((await journal.undo({ last: 1 })).calls).toEqual(["1"]);
});

test("a call is distinguished from an earlier one with the same id", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1", "b.txt": "b1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await journal.checkpoint("1", [write("/project/b.txt")], { tool: "Bash" });

  await expect(journal.undo({ call: "1" })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  await journal.settle("1");
  await journal.undo({ last: 1 });

  expect(project(host)).toEqual({ "/project/a.txt": "a1", "/project/b.txt": "b1" });
});

test("undo and history can be kept to one session", async () => {
  const { host, journal, put } = world({ "a.txt": "a1", "b.txt": "b1" });
  for (const [id, sessionId] of [
    ["a", "one"],
    ["b", "two"],
  ] as const) {
    await journal.checkpoint(id, [write(`/project/${id}.txt`)], {
      tool: "Write",
      sessionId,
      agentId: "main",
    });
    await put(`/project/${id}.txt`, "changed");
    await journal.settle(id);
  }

  expect(await journal.history({ sessionId: "one" })).toEqual([
    {
      callId: "a",
      tool: "Write",
      sessionId: "one",
      agentId: "main",
      at: host.clock.now(),
      state: "done",
      level: "full",
      skipped: [],
      changes: [{ path: "/project/a.txt", change: "modified" }],
    },
  ]);
  expect((await journal.history({ limit: 1 })).map(({ callId }) => callId)).toEqual(["b"]);
  expect((await journal.undo({ last: 5 }, { sessionId: "one" })).calls).toEqual(["a"]);
});

test("the difference a call made is shown per path, also after later calls", async () => {
  const { journal, call, put, fs } = world({ "a.txt": "one\n", "b.bin": new Uint8Array([0, 1]) });
  await call(
    "1",
    [write("/project/a.txt"), write("/project/b.bin"), write("/project/c.txt")],
    async () => {
      await put("/project/a.txt", "two\n");
      await fs.writeAtomic("/project/b.bin", new Uint8Array([0, 2]));
      await put("/project/c.txt", "new\n");
    },
  );
  await call("2", [write("/project/a.txt")], () => put("/project/a.txt", "three\n"));

  expect(await journal.diff("1")).toMatchObject([
    {
      path: "/project/a.txt",
      change: "modified",
      diff: "--- a/project/a.txt\n+++ b/project/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n",
    },
    { path: "/project/b.bin", change: "modified", before: { size: 2 }, after: { size: 2 } },
    {
      path: "/project/c.txt",
      change: "created",
      diff: "--- a/project/c.txt\n+++ b/project/c.txt\n@@ -0,0 +1,1 @@\n+new\n",
    },
  ]);
  expect((await journal.diff("1"))[1]).not.toHaveProperty("diff");
});

test("a directory the call made stays when it holds other files, and redo does not mind", async () => {
  const { host, journal, call, put, fs } = world();
  await call("1", [write("/project/d/a.txt")], async () => {
    await fs.mkdir("/project/d");
    await put("/project/d/a.txt", "made");
  });
  await put("/project/d/mine.txt", "mine");

  expect(await journal.undo({ last: 1 })).toMatchObject({
    changes: [{ path: "/project/d/a.txt", change: "deleted" }],
    kept: [{ path: "/project/d", because: "it holds files the call did not make" }],
  });
  expect(project(host)).toEqual({ "/project/d/mine.txt": "mine" });
  await journal.redo();
  expect(project(host)).toEqual({ "/project/d/mine.txt": "mine", "/project/d/a.txt": "made" });
});

test("a relative directory is refused at once", () => {
  expect(() => createJournal({ host: memoryHost(), directory: "journal" })).toThrow(TypeError);
});

test("what a call changed in a directory it opened and closed again is restored, and that stays closed", async () => {
  const { host, fs, journal, call, put } = world({ "d/a.txt": "old" });
  host.control.plant("d", { kind: "directory", mode: 0o500 });
  await call("1", [write("/project/d", { scope: "tree" })], async () => {
    await fs.setMode?.("/project/d", 0o700);
    await put("/project/d/a.txt", "new");
    await put("/project/d/b.txt", "made");
    await fs.setMode?.("/project/d", 0o500);
  });

  const undone = await journal.undo({ last: 1 });

  expect(undone.changes.map(({ path }) => path)).toEqual(["/project/d/a.txt", "/project/d/b.txt"]);
  expect(project(host)).toEqual({ "/project/d/a.txt": "old" });
  expect((await fs.stat("/project/d")).mode).toBe(0o500);
  await fs.setMode?.("/project/d", 0o550);
  await journal.redo();
  expect(project(host)).toEqual({ "/project/d/a.txt": "new", "/project/d/b.txt": "made" });
  expect((await fs.stat("/project/d")).mode).toBe(0o550);
});
