import { expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";

const directory = "/data/journal";
const at = 1_767_225_600_000;
const oldHash = "sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4";
const newHash = "sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437";
const before = { kind: "file", hash: oldHash, size: 3, mode: 420 };
const after = { kind: "file", hash: newHash, size: 3, mode: 420 };
const call = {
  version: 1,
  kind: "call",
  seq: 1,
  callId: "1",
  tool: "Edit",
  at,
  state: "open",
  level: "full",
  skipped: [],
  paths: [{ path: "/project/a.txt", before }],
};
const note = { ...call, state: "done", paths: [{ path: "/project/a.txt", before, after }] };

/** Files of version 1: an edit, and a call that was undone and can be redone. */
const stored: Readonly<Record<string, string>> = {
  "format.json": `{"version":1,"collectedAt":${at}}\n`,
  [`blobs/${oldHash.replace(":", "-")}`]: "old",
  [`blobs/${newHash.replace(":", "-")}`]: "new",
  [`left/${newHash.replace(":", "-")}`]: "new",
  "records/0000000001.call.json": `${JSON.stringify(call)}\n`,
  "records/0000000001.done.json": `${JSON.stringify(note)}\n`,
  "records/0000000002.call.json": `${JSON.stringify({
    ...note,
    seq: 2,
    callId: "2",
    state: "undone",
    paths: [{ path: "/project/b.txt", before: { kind: "absent" }, after }],
  })}\n`,
  "records/0000000003.undo.json": `${JSON.stringify({
    version: 1,
    kind: "undo",
    seq: 3,
    at,
    state: "done",
    calls: [2],
    steps: [{ path: "/project/b.txt", from: after, to: { kind: "absent" } }],
  })}\n`,
};

function oldWorld(files: Readonly<Record<string, string>> = stored): MemoryHost {
  const host = memoryHost({ root: "/project", files: { "a.txt": "new" } });
  for (const [name, content] of Object.entries(files)) {
    host.control.plant(`${directory}/${name}`, { kind: "file", content });
  }
  return host;
}

test("what version 1 stored can be read, undone and redone", async () => {
  const host = oldWorld();
  const journal = createJournal({ host, directory });

  expect((await journal.history()).map(({ callId, state }) => [callId, state])).toEqual([
    ["2", "undone"],
    ["1", "done"],
  ]);
  expect((await journal.diff("1"))[0]?.diff).toContain("-old");
  await journal.redo();
  expect(host.control.texts()["/project/b.txt"]).toBe("new");
  await journal.undo({ last: 2 });
  expect(host.control.texts()["/project/a.txt"]).toBe("old");
  expect(host.control.texts()).not.toHaveProperty("/project/b.txt");
  expect(Object.keys(host.control.texts()).filter((path) => path.includes("records"))).toEqual([]);
  expect(host.control.texts()[`${directory}/format.json`]).toContain('"version":3');
});

test("new calls come after the old ones", async () => {
  const host = oldWorld();
  const journal = createJournal({ host, directory });
  await journal.checkpoint(
    "3",
    [{ kind: "write", path: "/project/a.txt", scope: "file", change: "modify" }],
    { tool: "Edit" },
  );
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("newer"));
  await journal.settle("3");

  expect((await createJournal({ host, directory }).history()).map(({ callId }) => callId)).toEqual([
    "3",
    "2",
    "1",
  ]);
  await journal.undo({ last: 2 });
  expect(host.control.texts()["/project/a.txt"]).toBe("old");
});

test("interrupted or done by two at once, the change of version is made once", async () => {
  for (const operation of ["writeAtomic", "remove"] as const) {
    for (let times = 1; times < 3; times += 1) {
      const host = oldWorld();
      const heal = host.control.fail({ operation, fails: "EIO", times });
      await createJournal({ host, directory })
        .history()
        .catch(() => undefined);
      heal();
      const journals = [0, 1].map(() => createJournal({ host, directory }));
      const histories = await Promise.all(journals.map((journal) => journal.history()));

      expect(histories.map((history) => history.map(({ callId }) => callId))).toEqual([
        ["2", "1"],
        ["2", "1"],
      ]);
      await journals[0]?.undo({ last: 1 });
      expect(host.control.texts()["/project/a.txt"]).toBe("old");
    }
  }
});

test.for([
  "[]",
  "{",
  '{"version":1,"kind":"call","seq":1}',
  '{"version":2,"kind":"call","seq":1,"paths":[]}',
])("an old record that cannot be read stops it before anything is changed: %s", async (text) => {
  const host = oldWorld({ ...stored, "records/0000000001.call.json": text });
  const texts = host.control.texts();

  await expect(createJournal({ host, directory }).history()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    data: { path: `${directory}/records/0000000001.call.json` },
  });
  expect(host.control.texts()).toEqual(texts);
});
