import { expect, test } from "vitest";
import type { HostAppender, WriteEffect } from "../core/index.ts";
import { memoryHost, type MemoryHost } from "../host/index.ts";
import { sealed } from "./log/checksum.ts";
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

  const files = Object.entries(host.control.texts())
    .filter(([path]) => path.startsWith(directory))
    .map(([path, text]) => [path, text.replaceAll(/"id":"[-0-9a-f]{13}\.1"/gu, '"id":"…1"')])
    // Checksums depend on the id, which is random.
    .map(([path, text = ""]) => [
      path,
      text.replaceAll(/"(line|crc)":"[0-9a-f]{8}"/gu, '"$1":"…"'),
    ]);
  expect(Object.fromEntries(files)).toMatchInlineSnapshot(`
    {
      "/data/journal/calls/0000490896.jsonl": "
    {"version":3,"id":"…1","kind":"call","state":"done","line":"…","at":1767225600000,"call":{"callId":"1","tool":"Edit"},"paths":["/project/a.txt"],"count":1,"crc":"…"}
    ",
      "/data/journal/format.json": "{"version":3,"collectedAt":1767225600000,"crc":"…"}
    ",
      "/data/journal/log/0000490896.jsonl": "
    {"version":3,"kind":"content","hash":"sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","size":3,"crc":"…","text":"old"}
    {"version":3,"id":"…1","kind":"call","callId":"1","tool":"Edit","at":1767225600000,"state":"open","level":"full","skipped":[],"paths":[{"path":"/project/a.txt","before":{"kind":"file","hash":"sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","size":3,"mode":420,"mtimeMs":1767225600000}}],"crc":"…"}

    {"version":3,"kind":"content","hash":"sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437","size":3,"crc":"…","text":"new"}
    {"version":3,"id":"…1","kind":"call","callId":"1","tool":"Edit","at":1767225600000,"state":"done","level":"full","skipped":[],"paths":[{"path":"/project/a.txt","before":{"kind":"file","hash":"sha256:cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","size":3,"mode":420,"mtimeMs":1767225600000},"after":{"kind":"file","hash":"sha256:11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437","size":3,"mode":420,"mtimeMs":1767225600000}}],"crc":"…"}
    ",
    }
  `);
});

const segment = `${directory}/log/0000490896.jsonl`;

test.for([
  { path: "format.json", text: sealed('{"version":4,"collectedAt":0}') },
  {
    path: "log/0000490897.jsonl",
    text: `${sealed('{"version":4,"kind":"call","id":"x","paths":[]}')}\n`,
  },
])("what another version wrote is not touched: $path $text", async ({ path, text }) => {
  const host = await edited();
  host.control.plant(`${directory}/${path}`, { kind: "file", content: text });
  const before = host.control.texts();
  const journal = createJournal({ host, directory });

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    retryable: false,
    data: { path: `${directory}/${path}` },
  });
  expect(host.control.texts()).toEqual(before);
});

/** Remains of an interrupted addition to the log, to which another process then adds. */
test.for([
  { left: "\n", because: "nothing of it came to the disk" },
  { left: '\n{"version":2,"kind":"call","id":"x","callId":"lost"', because: "a part of it" },
  {
    left: '\n{"version":2,"kind":"content","hash":"sha256:00","size":9,"text":"ab',
    because: "a part of a content",
  },
  { left: "\n\0\0\0\0\n", because: "room without content" },
])("a truncated line is skipped: $because", async ({ left }) => {
  const host = await edited();
  const text = host.control.texts()[segment] ?? "";
  host.control.plant(segment, { kind: "file", content: text + left });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("2", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("newer"));
  await journal.settle("2");

  const again = createJournal({ host, directory });
  expect((await again.history()).map(({ callId, state }) => [callId, state])).toEqual([
    ["2", "done"],
    ["1", "done"],
  ]);
  await again.undo({ last: 2 });
  expect(host.control.texts()["/project/a.txt"]).toBe("old");
});

test("of a call whose last note is damaged nobody knows what it left, and its entry says why", async () => {
  const host = await edited();
  const text = host.control.texts()[segment] ?? "";
  host.control.plant(segment, { kind: "file", content: text.slice(0, -10) });
  const journal = createJournal({ host, directory });

  expect((await journal.history())[0]).toMatchObject({
    state: "done",
    damaged: "the latest note of it in the journal is damaged",
    changes: [{ change: "unknown" }],
  });
  expect(await journal.diff("1")).toMatchObject([{ path: "/project/a.txt", change: "unknown" }]);
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "STALE_READ" });
  await journal.undo({ last: 1 }, { force: true });
  expect(host.control.texts()["/project/a.txt"]).toBe("old");
});

test("a clock that was set back brings no line before an older one", async () => {
  const host = await edited();
  host.control.advance(3 * 60 * 60 * 1000);
  const late = createJournal({ host, directory });
  await late.checkpoint("2", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("newer"));
  await late.settle("2");
  const early = { now: () => host.clock.now() - 3 * 60 * 60 * 1000 };
  const journal = createJournal({ host, directory, clock: early });
  await journal.checkpoint("3", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("newest"));
  await journal.settle("3");

  expect((await journal.history()).map(({ callId }) => callId)).toEqual(["3", "2", "1"]);
});

test("while a process works on, its lines go to a new segment each hour", async () => {
  const host = memoryHost({ files: { "a.txt": "0" } });
  const journal = createJournal({ host, directory });
  for (const text of ["1", "2", "3"]) {
    await journal.checkpoint(text, [write], { tool: "Edit" });
    await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode(text));
    await journal.settle(text);
    host.control.advance(60 * 60 * 1000);
  }
  const names: string[] = [];
  for await (const { name } of host.fs.list(`${directory}/log`)) names.push(name);

  expect(names).toEqual(["0000490896.jsonl", "0000490897.jsonl", "0000490898.jsonl"]);
  await createJournal({ host, directory }).undo({ last: 3 });
  expect(host.control.texts()["/project/a.txt"]).toBe("0");
});

test("a journal that was closed is opened again by its next use", async () => {
  const host = await edited();
  const journal = createJournal({ host, directory });
  await journal.close();
  await journal.undo({ last: 1 });
  await journal.close();
  await journal.close();
  await journal.redo();

  expect(host.control.texts()["/project/a.txt"]).toBe("new");
});

/** Larger than the maximum for a content in the log. */
const large = "\n".padEnd(70_000, "-");

test("what a call left may be lost: only the three sides are less clear", async () => {
  const host = memoryHost({ files: { "a.txt": `old${large}` } });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode(`new${large}`));
  const { hash } = await host.fs.readFile("/project/a.txt");
  const path = `${directory}/left/${hash.replace(":", "-")}`;
  host.control.fail({ path, operation: "append", fails: "ENOSPC" });
  await journal.settle("1");

  expect((await journal.diff("1"))[0]?.diff).toContain("+new");
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("mine"));
  expect((await journal.diff("1"))[0]).not.toHaveProperty("diff");
  const refused = journal.undo({ last: 1 });
  await expect(refused).rejects.toMatchObject({
    data: { conflicts: [{ wouldChange: expect.any(String) }] },
  });
  await expect(refused).rejects.not.toMatchObject({
    data: { conflicts: [{ changedSince: expect.any(String) }] },
  });
});

test("what a call left is written whole where a killed process wrote a part of it", async () => {
  const host = memoryHost({ files: { "a.txt": `old${large}` } });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode(`new${large}`));
  const { hash } = await host.fs.readFile("/project/a.txt");
  const path = `${directory}/left/${hash.replace(":", "-")}`;
  host.control.plant(path, { kind: "file", content: "ne" });
  await journal.settle("1");
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("mine\n"));

  expect(host.control.texts()[path]).toBe(`new${large}`);
  expect((await journal.diff("1"))[0]?.diff).toContain("-old\n+new\n");
});

test.for([
  { name: "a file the call changed", files: { "a.txt": "old" }, now: "new" },
  { name: "a file the call made", files: {}, now: "new" },
  { name: "a file the call deleted", files: { "a.txt": "old" }, now: undefined },
])("$name and another process changes during its undo is left alone", async ({ files, now }) => {
  const host = memoryHost({ files: { ...files, "b.txt": "old" } });
  const put = (path: string, text: string): Promise<unknown> =>
    host.fs.writeAtomic(path, new TextEncoder().encode(text));
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write, { ...write, path: "/project/b.txt" }], { tool: "Edit" });
  await (now === undefined ? host.fs.remove("/project/a.txt") : put("/project/a.txt", now));
  await put("/project/b.txt", "new");
  await journal.settle("1");
  const meddling = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      if (key !== "appender") return method.bind(target);
      return async (path: string): Promise<HostAppender> => ({
        append: async (data) => {
          // The undo has read everything and is about to write its plan.
          const isPlan = new TextDecoder().decode(data).includes('"state":"started"');
          if (isPlan) await put("/project/a.txt", "mine");
          await target.append(path, data);
        },
        close: async () => undefined,
      });
    },
  });
  const second = createJournal({ host: { fs: meddling, clock: host.clock }, directory });

  await expect(second.undo({ last: 1 })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(host.control.texts()).toMatchObject({
    "/project/a.txt": "mine",
    "/project/b.txt": "new",
  });
  expect((await createJournal({ host, directory }).history())[0]?.state).toBe("done");
});

test("a file that is not a record is skipped", async () => {
  const host = await edited();
  host.control.plant(`${directory}/log/notes.txt`, { kind: "file", content: "mine" });

  expect(await createJournal({ host, directory }).history()).toHaveLength(1);
});

test.for(["in the log", "in a file"])("a damaged content %s is never restored", async (where) => {
  const old = where === "in the log" ? "old" : `old${large}`;
  const host = memoryHost({ files: { "a.txt": old } });
  const first = createJournal({ host, directory });
  await first.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("new"));
  await first.settle("1");
  const [place = "", text = ""] =
    Object.entries(host.control.texts()).find(
      ([path, each]) => path.startsWith(directory) && each.includes("old"),
    ) ?? [];
  host.control.plant(place, { kind: "file", content: text.replace("old", "rot") });
  const journal = createJournal({ host, directory });

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Nothing was changed: the journal's copy of /project/a.txt is damaged or lost.",
  });
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

test("without links and permission bits the host's limits are reported, and the rest is restored", async () => {
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

test("a call whose record is damaged still belongs to its session", async () => {
  const host = memoryHost({ files: { "a.txt": "old" }, root: "/project" });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write], { tool: "Edit", sessionId: "one" });
  await host.fs.writeAtomic("/project/a.txt", new TextEncoder().encode("new"));
  await journal.settle("1");
  for (const [path, text] of Object.entries(host.control.texts())) {
    // The notes about calls are in another directory.
    if (!path.startsWith(`${directory}/log/`)) continue;
    const content = text.replaceAll(/.*"kind":"call".*/gu, (line) => "#".repeat(line.length));
    host.control.plant(path, { kind: "file", content });
  }

  const after = createJournal({ host, directory });

  expect(await after.history({ sessionId: "one" })).toMatchObject([{ callId: "1" }]);
  expect(await after.history({ sessionId: "two" })).toEqual([]);
});

test("a content that is kept already is not set aside when it is kept again", async () => {
  const host = memoryHost({ files: { "a.txt": "x".repeat(200_000) }, root: "/project" });
  for (const id of ["1", "2"]) {
    const journal = createJournal({ host, directory });
    await journal.checkpoint(id, [write], { tool: "Edit" });
    await journal.settle(id);
  }

  const names = Object.keys(host.control.texts()).filter((path) => path.includes("damaged"));
  expect(names).toEqual([]);
});
