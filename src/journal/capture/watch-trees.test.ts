import { expect, test } from "vitest";
import type { WriteEffect } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { JournalOptions } from "../journal-options.ts";

const directory = "/project/.data/journal";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const declared: WriteEffect = {
  kind: "write",
  path: "/project/a.txt",
  scope: "file",
  change: "modify",
};

function world(options: Partial<JournalOptions> = {}): {
  readonly host: MemoryHost;
  readonly journal: Journal;
} {
  const host = memoryHost({
    root: "/project",
    files: { "a.txt": "a", "d/b.txt": "b", "d/c.txt": "c", "run.sh": "#!" },
  });
  return { host, journal: createJournal({ host, directory, ...options }) };
}

const info = { tool: "Bash", watch: ["/project", "/project/d"] };
const suffix = ", and what was there is not kept";

test("what a call changes beyond what it said is named as not kept; what it said is kept", async () => {
  const { host, journal } = world();
  expect(await journal.checkpoint("1", [declared], info)).toMatchObject({ level: "partial" });
  await host.fs.writeAtomic("/project/a.txt", bytes("new"));
  await host.fs.writeAtomic("/project/d/b.txt", bytes("new"));
  await host.fs.remove("/project/d/c.txt");
  await host.fs.setMode?.("/project/run.sh", 0o755);
  await host.fs.mkdir("/project/made");

  expect(await journal.settle("1")).toMatchObject({
    level: "partial",
    changes: [{ path: "/project/a.txt", change: "modified" }],
    skipped: [
      { path: "/project/d/b.txt", because: `it was changed${suffix}` },
      { path: "/project/d/c.txt", because: `it was deleted${suffix}` },
      { path: "/project/made", because: `it was made${suffix}` },
      { path: "/project/run.sh", because: `it was changed${suffix}` },
    ],
  });
  await journal.undo({ last: 1 });
  expect(host.control.texts()).toMatchObject({
    "/project/a.txt": "a",
    "/project/d/b.txt": "new",
  });
});

test("a call that changes nothing it did not say is kept whole, and one that changes nothing is not noted", async () => {
  const { host, journal } = world();
  await journal.checkpoint("1", [declared], info);
  expect(await journal.settle("1")).toBeUndefined();

  await journal.checkpoint("2", [declared], info);
  await host.fs.writeAtomic("/project/a.txt", bytes("new"));
  expect(await journal.settle("2")).toMatchObject({ level: "full", skipped: [] });
});

test("a call with nothing but undeclared changes cannot be undone", async () => {
  const { host, journal } = world();
  expect(await journal.checkpoint("1", [], info)).toMatchObject({ level: "partial" });
  await host.fs.writeAtomic("/project/d/b.txt", bytes("new"));

  expect(await journal.settle("1")).toMatchObject({ level: "none", changes: [] });
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test.for([
  { budget: { paths: 4 }, because: "there are more than 4 paths to watch", slow: false },
  {
    budget: { watchMilliseconds: 10 },
    because: "watching it all takes longer than 10 ms",
    slow: true,
  },
])("where the budget $budget ends, that is reported", async ({ budget, because, slow }) => {
  const { host, journal } = world({ budget });
  const list = host.fs.list.bind(host.fs);
  if (slow) {
    Object.assign(host.fs, {
      list: (path: string) => {
        host.control.advance(11);
        return list(path);
      },
    });
  }
  await journal.checkpoint("1", [declared], { tool: "Bash", watch: ["/project"] });
  await host.fs.writeAtomic("/project/a.txt", bytes("new"));
  await host.fs.writeAtomic("/project/d/b.txt", bytes("unseen"));

  expect(await journal.settle("1")).toMatchObject({
    level: "partial",
    changes: [{ path: "/project/a.txt" }],
    skipped: [
      { path: "/project/d", because },
      { path: "/project/.data", because },
    ],
  });
});

test("trees that are watched later are added to those already watched, each from its own moment", async () => {
  const { host, journal } = world();
  await journal.checkpoint("1", [], { tool: "Bash", watch: ["/other"] });
  await host.fs.mkdir("/other");
  await host.fs.writeAtomic("/other/made", bytes("x"));
  await host.fs.writeAtomic("/project/earlier", bytes("x"));
  await journal.watch("1", ["/project", "/other"], { tool: "Bash" });
  await host.fs.writeAtomic("/project/later", bytes("x"));

  const entry = await journal.settle("1");

  expect(entry?.skipped.map(({ path }) => path)).toEqual(["/other/made", "/project/later"]);
});
