import { expect, test } from "vitest";
import { project, world, write } from "../../../test/support/calls-world.ts";
import { createJournal } from "../journal.ts";

test("undo refuses a file that changed since the call, shows the three sides, and changes nothing", async () => {
  const { host, journal, call, put } = world({ "a.txt": "one\n", "b.txt": "b\n" });
  await call("1", [write("/project/a.txt"), write("/project/b.txt")], async () => {
    await put("/project/a.txt", "two\n");
    await put("/project/b.txt", "c\n");
  });
  await put("/project/a.txt", "mine\n");

  const undo = journal.undo({ last: 1 });

  await expect(undo).rejects.toMatchObject({
    code: "STALE_READ",
    message: "Nothing was changed: /project/a.txt is no longer as the call left it.",
    hint: "Check the differences; force the paths whose present content may be lost.",
    data: {
      paths: ["/project/a.txt"],
      conflicts: [
        {
          path: "/project/a.txt",
          callId: "1",
          before: "a file of 4 bytes, mode 644",
          after: "a file of 4 bytes, mode 644",
          now: "a file of 5 bytes, mode 644",
          changedSince: "--- a/project/a.txt\n+++ b/project/a.txt\n@@ -1,1 +1,1 @@\n-two\n+mine\n",
          wouldChange: "--- a/project/a.txt\n+++ b/project/a.txt\n@@ -1,1 +1,1 @@\n-mine\n+one\n",
          laterCalls: [],
        },
      ],
    },
  });
  expect(project(host)).toEqual({ "/project/a.txt": "mine\n", "/project/b.txt": "c\n" });
});

test("a forced path is restored, and redo brings back what was lost by it", async () => {
  const { host, journal, call, put } = world({ "a.txt": "one", "b.txt": "b" });
  await call("1", [write("/project/a.txt"), write("/project/b.txt")], async () => {
    await put("/project/a.txt", "two");
    await put("/project/b.txt", "c");
  });
  await put("/project/a.txt", "mine");
  await put("/project/b.txt", "mine too");

  await expect(journal.undo({ last: 1 }, { force: ["/project/a.txt"] })).rejects.toMatchObject({
    data: { paths: ["/project/b.txt"] },
  });
  await journal.undo({ last: 1 }, { force: ["/project/a.txt", "/project/b.txt"] });
  expect(project(host)).toEqual({ "/project/a.txt": "one", "/project/b.txt": "b" });
  await journal.redo();
  expect(project(host)).toEqual({ "/project/a.txt": "mine", "/project/b.txt": "mine too" });
});

test.for([
  { act: "delete", because: "a file the call changed was deleted" },
  { act: "mode", because: "its permission bits were changed" },
  { act: "directory", because: "a directory replaced it" },
  { act: "link", because: "a link replaced it" },
] as const)("it is a conflict when $because, and force restores the file", async ({ act }) => {
  const { host, fs, journal, call, put } = world({ "a.txt": "one" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "two"));
  await fs.remove("/project/a.txt");
  if (act === "mode") {
    host.control.plant("/project/a.txt", { kind: "file", content: "two", mode: 0o600 });
  }
  if (act === "directory") await fs.mkdir("/project/a.txt");
  if (act === "link") host.control.plant("/project/a.txt", { kind: "symlink", target: "b" });

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "STALE_READ" });
  await journal.undo({ last: 1 }, { force: true });
  const { stat } = await fs.readFile("/project/a.txt");
  expect(stat.mode).toBe(0o644);
  expect(project(host)).toEqual({ "/project/a.txt": "one" });
});

test("a file that is already as it was before the call is not a conflict", async () => {
  const { host, journal, call, put } = world({ "a.txt": "one" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "two"));
  await put("/project/a.txt", "one");

  expect(await journal.undo({ last: 1 })).toMatchObject({ calls: ["1"], changes: [] });
  expect(project(host)).toEqual({ "/project/a.txt": "one" });
});

test("a call in the middle is undone when nothing later touched its paths", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1", "b.txt": "b1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await call("2", [write("/project/b.txt")], () => put("/project/b.txt", "b2"));

  await journal.undo({ call: "1" });

  expect(project(host)).toEqual({ "/project/a.txt": "a1", "/project/b.txt": "b2" });
  expect((await journal.history()).map(({ callId, state }) => [callId, state])).toEqual([
    ["2", "done"],
    ["1", "undone"],
  ]);
});

test("a call in the middle is refused when a later one touched its path, though the content fits", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await call("2", [write("/project/a.txt")], () => put("/project/a.txt", "a3"));
  await call("3", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));

  await expect(journal.undo({ call: "1" })).rejects.toMatchObject({
    code: "STALE_READ",
    hint: "Undo 2, 3 first, or force these paths.",
    data: { conflicts: [{ laterCalls: ["2", "3"] }] },
  });
  await journal.undo({ last: 3 });
  expect(project(host)).toEqual({ "/project/a.txt": "a1" });
});

test("a later call that replaced the directory a file was in concerns that file", async () => {
  const { fs, journal, call, put } = world({ "d/a.txt": "a1" });
  await call("1", [write("/project/d/a.txt")], () => fs.remove("/project/d/a.txt"));
  await call("2", [write("/project/d")], async () => {
    await fs.remove("/project/d", { recursive: true });
    await put("/project/d", "file now");
  });

  await expect(journal.undo({ call: "1" })).rejects.toMatchObject({
    data: { conflicts: [{ path: "/project/d/a.txt", laterCalls: ["2"] }] },
  });
});

test("several calls on one path are one way back; an edit between them stops it", async () => {
  const { host, journal, call, put } = world({ "a.txt": "a1" });
  await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "a2"));
  await put("/project/a.txt", "mine");
  await call("2", [write("/project/a.txt")], () => put("/project/a.txt", "a3"));

  await expect(journal.undo({ last: 2 })).rejects.toMatchObject({
    data: { conflicts: [{ callId: "1", path: "/project/a.txt" }] },
  });
  expect(project(host)).toEqual({ "/project/a.txt": "a3" });
  await journal.undo({ last: 1 });
  expect(project(host)).toEqual({ "/project/a.txt": "mine" });
});

test("a path is reported once, by its newest call that does not fit", async () => {
  const { journal, call, put } = world({ "a.txt": "a1" });
  for (const id of ["1", "2", "3"]) {
    await call(id, [write("/project/a.txt")], () => put("/project/a.txt", `by ${id}`));
  }
  await put("/project/a.txt", "mine");

  await expect(journal.undo({ last: 3 })).rejects.toMatchObject({
    data: { paths: ["/project/a.txt"], conflicts: [{ callId: "3" }] },
  });
});

test("a call interrupted before it changed anything does not block the undo of an earlier one", async () => {
  const { host, journal, call, put } = world({ "a.txt": "0" });
  for (const text of ["1", "2"]) {
    await call(text, [write("/project/a.txt")], () => put("/project/a.txt", text));
  }
  await journal.checkpoint("interrupted", [write("/project/a.txt")], { tool: "Test" });
  const next = createJournal({ host, directory: "/data/journal" });

  expect((await next.undo({ last: 1 })).calls).toEqual(["2"]);
  expect((await next.undo({ last: 1 })).calls).toEqual(["1"]);
  expect(project(host)).toEqual({ "/project/a.txt": "0" });
});

test.each([
  { who: "it is still running", own: true, left: [1, 1] },
  { who: "its process is gone", own: false, left: [0, 1] },
])(
  "after a redo a call that found what it changed has $left of its paths left, where $who",
  async (row) => {
    const { host, journal, call, put } = world({ "a.txt": "0" });
    await call("1", [write("/project/a.txt")], () => put("/project/a.txt", "1"));
    await journal.undo({ last: 1 });
    await journal.checkpoint("2", [write("/project/a.txt")], { tool: "Test" });
    const redoing = row.own ? journal : createJournal({ host, directory: "/data/journal" });

    await redoing.redo();

    expect((await journal.history()).map(({ changes }) => changes.length)).toEqual(row.left);
    expect(project(host)).toEqual({ "/project/a.txt": "1" });
  },
);
