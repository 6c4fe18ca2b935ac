import { expect, test } from "vitest";
import type { WriteEffect } from "../core/index.ts";
import { memoryHost, type MemoryHost } from "../host/index.ts";
import { createJournal } from "./journal.ts";

const directory = "/data/journal";
const write: WriteEffect = {
  kind: "write",
  path: "/project/a.txt",
  scope: "file",
  change: "modify",
};

async function edited(): Promise<MemoryHost> {
  const host = memoryHost({ files: { "a.txt": "old" } });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("new"));
  await journal.settle("1");
  return host;
}

test("the stored record says its version and what a reader needs", async () => {
  const host = await edited();

  const files = Object.entries(host.control.texts()).filter(([path]) => path.startsWith(directory));
  expect(Object.fromEntries(files)).toMatchInlineSnapshot(`
    {
      "/data/journal/blobs/sha256-11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437": "new",
      "/data/journal/blobs/sha256-cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4": "old",
      "/data/journal/format.json": "{"version":1,"collectedAt":1767225600000}
    ",
      "/data/journal/records/0000000001.call.json": "{"version":1,"kind":"call","seq":1,"callId":"1","tool":"Edit","at":1767225600000,"state":"done","level":"full","skipped":[],"paths":[{"path":"/project/a.txt","before":{"kind":"file","hash":"sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","size":3,"mode":420},"after":{"kind":"file","hash":"sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437","size":3,"mode":420}}]}
    ",
    }
  `);
});

test.for([
  { path: "format.json", text: '{"version":2,"collectedAt":0}' },
  { path: "format.json", text: '{"collectedAt":0}' },
  { path: "records/0000000001.call.json", text: '{"version":2,"kind":"call","seq":1,"paths":[]}' },
  { path: "records/0000000001.call.json", text: "[]" },
  { path: "records/0000000001.call.json", text: "{" },
])("what another version wrote is not touched: $path $text", async ({ path, text }) => {
  const host = await edited();
  host.control.plant(`${directory}/${path}`, { kind: "file", content: text });
  const journal = createJournal({ host, directory });

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryable: false,
    data: { path: `${directory}/${path}` },
  });
  expect(host.control.texts()[`${directory}/${path}`]).toBe(text);
});

test("a file that is no record is passed over", async () => {
  const host = await edited();
  host.control.plant(`${directory}/records/notes.txt`, { kind: "file", content: "mine" });

  expect(await createJournal({ host, directory }).history()).toHaveLength(1);
});

test("a damaged content is never restored", async () => {
  const host = await edited();
  const [blob] = Object.keys(host.control.texts()).filter(
    (path) => host.control.texts()[path] === "old",
  );
  host.control.plant(blob ?? "", { kind: "file", content: "rot" });
  const journal = createJournal({ host, directory });

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "INTERNAL" });
  expect(host.control.texts()["/project/a.txt"]).toBe("new");
  expect((await journal.history())[0]?.state).toBe("done");
});

test("two journals of one directory share their numbers and their history", async () => {
  const host = memoryHost({ files: { "a.txt": "1", "b.txt": "1" } });
  const one = createJournal({ host, directory });
  const two = createJournal({ host, directory });
  for (const [index, journal] of [one, two, one, two].entries()) {
    const path = `/project/${index % 2 === 0 ? "a" : "b"}.txt`;
    await journal.checkpoint(`${index}`, [{ ...write, path }], { tool: "Write" });
    await host.fs.writeAtomic(path, new TextEncoder().encode(`by ${index}`));
    await journal.settle(`${index}`);
  }

  expect((await one.history()).map(({ callId }) => callId)).toEqual(["3", "2", "1", "0"]);
  await two.undo({ last: 4 });
  await one.redo();
  expect(host.control.texts()).toMatchObject({
    "/project/a.txt": "by 2",
    "/project/b.txt": "by 3",
  });
});

test("calls that run at the same time are each their own entry", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
  const host = memoryHost({ files: Object.fromEntries(names.map((name) => [name, "old"])) });
  const journal = createJournal({ host, directory });
  await Promise.all(
    names.map(async (name) => {
      await journal.checkpoint(name, [{ ...write, path: `/project/${name}` }], { tool: "Write" });
      await host.fs.writeAtomic(`/project/${name}`, new TextEncoder().encode("new"));
      await journal.settle(name);
    }),
  );

  expect(
    (await journal.history()).map(({ callId }) => callId).toSorted((a, b) => (a < b ? -1 : 1)),
  ).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
  await journal.undo({ last: 12 });
  expect(names.map((name) => host.control.texts()[`/project/${name}`])).toEqual(
    names.map(() => "old"),
  );
});

test("without links and permission bits the host's limits are told, the rest is restored", async () => {
  const host = memoryHost({ files: { "a.txt": "old" } });
  host.control.plant("link", { kind: "symlink", target: "a.txt" });
  host.control.plant("d", { kind: "directory", mode: 0o700 });
  host.control.plant("run", { kind: "file", content: "#!", mode: 0o755 });
  Object.assign(host.fs, { makeLink: undefined, setMode: undefined });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [{ ...write, path: "/project", scope: "tree" }], { tool: "Bash" });
  await host.fs.remove("/project/link");
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("new"));
  host.control.plant("d", { kind: "directory", mode: 0o755 });
  host.control.plant("run", { kind: "file", content: "#!!", mode: 0o644 });
  await journal.settle("1");

  const { kept } = await journal.undo({ last: 1 });

  expect(kept).toEqual([
    { path: "/project/link", because: "this host cannot make links" },
    { path: "/project/d", because: "this host cannot set its permission bits back to 700" },
  ]);
  const run = await host.fs.readFile("/project/run");
  expect([new TextDecoder().decode(run.bytes), run.stat.mode]).toEqual(["#!", 0o755]);
  expect(host.control.texts()["/project/a.txt"]).toBe("old");
});
