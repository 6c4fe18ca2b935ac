import { expect, test } from "vitest";
import {
  at,
  directory,
  folder,
  gone,
  link,
  world,
  type World,
} from "../../../test/support/memory-stage.ts";
import { ToolError, type HostAppender, type HostFs } from "../../core/index.ts";
import { createJournal, type Journal } from "../journal.ts";

// The disk is full from some point on, for the files and for the journal, until there is space again. Wherever that
// point is, an undo or redo is then either completed or was never started.

const filling: ReadonlySet<string | symbol> = new Set(["writeAtomic", "mkdir", "makeLink"]);

interface Disk {
  readonly fs: HostFs;
  /** Number of further operations that succeed. */
  space: number;
}

function full(): ToolError {
  return new ToolError("NO_SPACE", "No space is left.", { hint: "Make some." });
}

function diskOf({ host }: World): Disk {
  const disk = { space: Number.POSITIVE_INFINITY };
  const take = (): void => {
    disk.space -= 1;
    if (disk.space < 0) throw full();
  };
  const fs = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      return async (...given: unknown[]): Promise<unknown> => {
        if (filling.has(key)) take();
        const result: unknown = await Reflect.apply(method, target, given);
        return key === "appender" && isAppender(result) ? appenderOf(result) : result;
      };
    },
  });
  const appenderOf = (appender: HostAppender): HostAppender => ({
    append: async (data, options) => {
      if (data.length > 0) take();
      await appender.append(data, options);
    },
    close: async () => await appender.close(),
  });
  return Object.assign(disk, {
    fs: new Proxy(fs, {
      get: (target, key) =>
        key === "list" ? host.fs.list.bind(host.fs) : Reflect.get(target, key),
    }),
  });
}

function isAppender(value: unknown): value is HostAppender {
  return typeof value === "object" && value !== null && "append" in value;
}

interface Ready {
  readonly it: World;
  readonly disk: Disk;
  readonly journal: Journal;
  readonly before: Record<string, string>;
  readonly after: Record<string, string>;
}

async function ready(): Promise<Ready> {
  const it = world({ "a.txt": "a", "d/b.txt": "b", "d/e/c.txt": "c", z: "z" });
  const disk = diskOf(it);
  const journal = createJournal({ host: { fs: disk.fs, clock: it.host.clock }, directory });
  const before = await it.seen();
  await it.apply([
    it.file("a.txt", "new", 0o600),
    gone("d"),
    gone("d/b.txt"),
    gone("d/e"),
    gone("d/e/c.txt"),
    folder("z"),
    it.file("z/x", "x"),
    link("made", "z"),
  ]);
  return { it, disk, journal, before, after: await it.seen() };
}

test.each(["undo", "redo"] as const)(
  "where the disk is full from any point of an %s on, it can be had once there is space",
  async (act) => {
    const ends = new Set<string>();
    let isDone = false;
    for (let space = 0; !isDone; space += 1) {
      const { it, disk, journal, before, after } = await ready();
      if (act === "redo") await journal.undo({ last: 1 });
      disk.space = space;
      const failure = await (act === "undo" ? journal.undo({ last: 1 }) : journal.redo()).then(
        () => undefined,
        (error: unknown) => (ToolError.is(error) ? error.code : String(error)),
      );
      isDone = failure === undefined;
      expect(failure ?? "NO_SPACE").toBe("NO_SPACE");

      disk.space = Number.POSITIVE_INFINITY;
      const [entry] = await journal.history();
      ends.add(String(entry?.state));
      expect(entry).not.toHaveProperty("left");
      expect(await it.seen()).toEqual(entry?.state === "undone" ? before : after);
      await (entry?.state === "undone" ? journal.redo() : journal.undo({ last: 1 }));
      expect(await it.seen()).toEqual(entry?.state === "undone" ? after : before);
    }
    expect(ends).toEqual(new Set(["done", "undone"]));
  },
);

test("a file that changed after an interrupted undo is left alone, and the history says so", async () => {
  const { it, disk, journal, before } = await ready();
  disk.space = 1;
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "NO_SPACE" });
  await it.fs.writeAtomic(at("a.txt"), new TextEncoder().encode("mine"));
  disk.space = Number.POSITIVE_INFINITY;

  const next = createJournal({ host: it.host, directory });
  const because = `${at("a.txt")} changed while it was being undone.`;
  const told = { state: "undone", left: [{ path: at("a.txt"), because }] };
  expect(await next.history()).toMatchObject([told]);
  expect(await journal.history()).toMatchObject([told]);

  const { [at("a.txt")]: mine, ...others } = await it.seen();
  expect(mine).toContain("mine");
  expect({ ...others, [at("a.txt")]: before[at("a.txt")] }).toEqual(before);
  await next.redo({ force: [at("a.txt")] });
  expect((await next.history())[0]).not.toHaveProperty("left");
});

test("an undo that cannot be recorded says that it changed nothing", async () => {
  const { it, disk, journal, after } = await ready();
  disk.space = 0;

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "NO_SPACE",
    message: "Nothing was changed: an undo has to be recorded first. No space is left.",
  });

  expect(await it.seen()).toEqual(after);
});

test("reading needs no space, also after an interrupted undo", async () => {
  for (let space = 1; space < 12; space += 1) {
    const { it, disk, journal } = await ready();
    disk.space = space;
    await journal.undo({ last: 1 }).catch(() => undefined);
    disk.space = 0;
    const next = createJournal({ host: { fs: disk.fs, clock: it.host.clock }, directory });

    for (const each of [journal, next]) {
      expect(await each.history()).toHaveLength(1);
      expect(await each.diff((await each.history())[0]?.callId ?? "")).not.toEqual([]);
      expect(await each.examine()).toMatchObject({ calls: 1, damage: [] });
    }
  }
});

test("nor does it where nothing was ever kept", async () => {
  const it = world({ "a.txt": "a" });
  const disk = diskOf(it);
  disk.space = 0;
  const journal = createJournal({ host: { fs: disk.fs, clock: it.host.clock }, directory });

  expect(await journal.history()).toEqual([]);
  expect(await journal.examine()).toMatchObject({ calls: 0, damage: [] });
});

test("a collection that frees space succeeds on a full disk", async () => {
  const { it, disk } = await ready();
  // Enough to note what was removed, as on a disk where the log's last block has room.
  disk.space = 1;
  const quota = { calls: 0 };
  const journal = createJournal({ host: { fs: disk.fs, clock: it.host.clock }, directory, quota });

  const collected = await journal.gc();

  expect(collected.calls).toBe(1);
  disk.space = Number.POSITIVE_INFINITY;
  expect(await journal.history()).toEqual([]);
});

test("a call that failed before it began is not said to have changed what was not kept", async () => {
  const it = world({ a: "1", b: "2", c: "3", z: "z" });
  const disk = diskOf(it);
  const opened = () =>
    createJournal({ host: { fs: disk.fs, clock: it.host.clock }, directory, budget: { bytes: 0 } });
  const journal = opened();
  await it.apply([it.file("z", "new")]);
  const writes = [{ kind: "write", path: "/project", scope: "tree", change: "any" }] as const;
  await journal.checkpoint("2", writes, { tool: "Bash" });
  disk.space = 0;
  await expect(journal.settle("2")).rejects.toMatchObject({ code: "NO_SPACE" });
  await journal.close().catch(() => undefined);
  disk.space = Number.POSITIVE_INFINITY;

  const { calls, skipped } = await opened().undo({ last: 1 });

  expect(calls).toEqual(["1"]);
  const because = "Bash (2) may have changed it and 3 more, and nothing of that was kept";
  expect(skipped).toEqual([{ path: at("a"), because }]);
});
