import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { JournalProcesses } from "../liveness/owner.ts";

const write = { kind: "write", path: "/ws/a", scope: "file", change: "modify" } as const;
const processes: JournalProcesses = { own: "1", isRunning: () => true };

async function editedFile(text = "edited", first?: (other: Journal) => Promise<unknown>) {
  const host = memoryHost({ files: { "/ws/a": "before" } });
  const put = async (content: string): Promise<void> =>
    void (await host.fs.writeAtomic("/ws/a", new TextEncoder().encode(content)));
  const open = (name = "1") =>
    createJournal({ host, directory: "/data/journal", processes: { ...processes, own: name } });
  await first?.(open("2"));
  const journal = open();
  await journal.checkpoint("c1", [write], { tool: "Edit" });
  await put(text);
  await journal.settle("c1");
  const read = async (): Promise<string> =>
    new TextDecoder().decode((await host.fs.readFile("/ws/a")).bytes);
  return { host, journal, open, put, read };
}

/** Changes of the call c1 while one program of a hook runs. */
async function whileRuns(journal: Journal, work: () => Promise<unknown>) {
  const tracker = journal.trackHookChanges({ callId: "c1", startedAt: 0 });
  const end = await tracker.onProgramStart("format");
  await work();
  await end(true);
  return await tracker.end();
}

test("a change while a program of a hook runs is part of the call, and undo and redo name it", async () => {
  const { journal, put, read } = await editedFile();

  const changes = await whileRuns(journal, async () => put("formatted"));
  const [difference] = await journal.diff("c1");
  const undone = await journal.undo({ call: "c1" });
  const before = await read();
  const redone = await journal.redo();

  expect(changes).toMatchObject([{ path: "/ws/a", hooks: ["format"], isPart: true }]);
  expect(difference).toMatchObject({ hooks: ["format"] });
  expect(difference?.diff).toContain("-before");
  expect(difference?.diff).toContain("+formatted");
  expect(before).toBe("before");
  const byHooks = [
    {
      path: "/ws/a",
      hooks: ["format"],
      note: "also what changed while the hook `format` ran after the call",
    },
  ];
  expect(undone.byHooks).toEqual(byHooks);
  expect(redone.byHooks).toEqual(byHooks);
  expect(await read()).toBe("formatted");
});

test("only the time in which programs run counts, as far as they started", async () => {
  const { journal, put } = await editedFile();
  const tracker = journal.trackHookChanges({ callId: "c1", startedAt: 0 });

  const end = await tracker.onProgramStart("cannot start");
  await put("foreign");
  await end(false);
  const second = await tracker.onProgramStart("format");
  await put("formatted");
  await second(true);

  expect(await tracker.end()).toEqual([]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
});

test("programs that run at the same time share what changed until the last one ends", async () => {
  const { journal, put } = await editedFile();
  const tracker = journal.trackHookChanges({ callId: "c1", startedAt: 0 });

  const one = await tracker.onProgramStart("format");
  const other = await tracker.onProgramStart("sort");
  await put("formatted");
  await one(true);
  await put("sorted");
  await other(true);

  expect(await tracker.end()).toMatchObject([{ hooks: ["format", "sort"], isPart: true }]);
  expect(await journal.undo({ call: "c1" })).toMatchObject({ changes: [{ path: "/ws/a" }] });
});

test("a program that outlasts the following adds nothing", async () => {
  const { journal, put } = await editedFile();
  const tracker = journal.trackHookChanges({ callId: "c1", startedAt: 0 });

  const end = await tracker.onProgramStart("format");
  const changes = await tracker.end();
  await put("formatted");
  await end(true);

  expect(changes).toEqual([]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
});

test("a file that another program changed before is not compared, and undo refuses it", async () => {
  const { journal, put, read } = await editedFile();

  await put("foreign");
  const changes = await whileRuns(journal, async () => put("formatted"));

  expect(changes).toEqual([]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(await read()).toBe("formatted");
});

test("a path that an unfinished call of another process may change is never added", async () => {
  const { journal, open, put } = await editedFile();
  const other = open("2");

  const changes = await whileRuns(journal, async () => {
    await other.checkpoint("o1", [write], { tool: "Edit" });
    await put("by another call");
  });

  expect(changes).toMatchObject([{ path: "/ws/a", isPart: false }]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
});

test.for(["before", "after"])(
  "an unfinished command that began %s the hook may change every file",
  async (when) => {
    const { journal, open, put } = await editedFile();
    const other = open("2");
    const begin = async () => await other.checkpoint("o1", [], { tool: "Bash", watch: ["/ws"] });

    if (when === "before") await begin();
    const changes = await whileRuns(journal, async () => {
      if (when === "after") await begin();
      await put("by the command");
    });

    expect(changes).toMatchObject([{ path: "/ws/a", isPart: false }]);
    await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
  },
);

test("an unfinished command that began before the call may change every file", async () => {
  const { journal, put } = await editedFile("edited", async (other) => {
    await other.checkpoint("o1", [], { tool: "Bash", watch: ["/ws"] });
  });

  const changes = await whileRuns(journal, async () => put("by the command"));

  expect(changes).toMatchObject([{ path: "/ws/a", isPart: false }]);
});

test("a call that began before the hook and ended while it ran may have made the change", async () => {
  const { journal, open, put } = await editedFile();
  const other = open("2");
  await other.checkpoint("o1", [write], { tool: "Edit" });

  const changes = await whileRuns(journal, async () => {
    await put("by another call");
    await other.settle("o1");
  });

  expect(changes).toMatchObject([{ path: "/ws/a", isPart: false }]);
});

test("a command that ended while the hook ran may have changed every file", async () => {
  const { host, journal, open, put } = await editedFile();
  const other = open("2");

  const changes = await whileRuns(journal, async () => {
    await other.checkpoint("o1", [], { tool: "Bash", watch: ["/ws"] });
    await host.fs.writeAtomic("/ws/b", new Uint8Array());
    await other.settle("o1");
    await put("by a child of the command");
  });

  expect(changes).toMatchObject([{ isPart: false }]);
});

test("a command that turned out to start programs may change every file", async () => {
  const { journal, open, put } = await editedFile();
  const other = open("2");
  const info = { tool: "Bash" };
  await other.checkpoint("o1", [{ ...write, path: "/ws/b" }], info);
  await other.watch("o1", ["/ws"], info);

  const changes = await whileRuns(journal, async () => put("by the command"));

  expect(changes).toMatchObject([{ isPart: false }]);
});

test("a program that outlived its call may change every file", async () => {
  const { journal, put } = await editedFile();
  await journal.checkpoint("o1", [], { tool: "Bash", watch: ["/ws"] });
  const endLate = journal.watchLate("o1", "late", { tool: "Bash" });
  await journal.settle("o1");

  const changes = await whileRuns(journal, async () => put("by the program"));
  await endLate();

  expect(changes).toMatchObject([{ isPart: false }]);
});

test("what a later call found is what the hook left: once that call is undone, so can be this one", async () => {
  const { journal, open, put, read } = await editedFile();
  const other = open("2");

  const changes = await whileRuns(journal, async () => {
    await put("formatted");
    await other.checkpoint("o1", [write], { tool: "Edit" });
    await put("by another call");
    await other.settle("o1");
  });

  expect(changes).toMatchObject([{ path: "/ws/a", isPart: true }]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(await read()).toBe("by another call");
  await journal.undo({ call: "o1" });
  expect(await read()).toBe("formatted");
  await journal.undo({ call: "c1" });
  expect(await read()).toBe("before");
});

test("a call that is undone while its hooks run stays undone", async () => {
  const { journal, put } = await editedFile();

  const changes = await whileRuns(journal, async () => {
    await journal.undo({ call: "c1" });
    await put("formatted");
  });

  expect(changes).toMatchObject([{ isPart: false }]);
  expect(await journal.history()).toMatchObject([{ callId: "c1", state: "undone" }]);
});

test("a directory in place of the file is not added, because its entries are unknown", async () => {
  const { host, journal } = await editedFile();

  const changes = await whileRuns(journal, async () => {
    await host.fs.remove("/ws/a");
    await host.fs.mkdir("/ws/a");
  });

  expect(changes).toMatchObject([{ isPart: false, after: { kind: "directory" } }]);
});

test("both looks share one limit of bytes: a file that grew beyond it is not read", async () => {
  const { host, journal } = await editedFile("x".repeat(1024 * 1024));
  const limits: number[] = [];
  const readFile = host.fs.readFile.bind(host.fs);
  const end = await journal
    .trackHookChanges({ callId: "c1", startedAt: 0 })
    .onProgramStart("other");
  await end(true);
  host.fs.readFile = async (path, options) => {
    limits.push(options?.maxBytes ?? Number.POSITIVE_INFINITY);
    return await readFile(path, options);
  };

  await whileRuns(journal, async () => undefined);

  expect(limits).toEqual([64 * 1024 * 1024, 63 * 1024 * 1024]);
});

test("a large content is compared by its hash and not kept", async () => {
  const { journal, put } = await editedFile("x".repeat(300_000));

  const [change] = await whileRuns(journal, async () => put("y".repeat(300_000)));

  expect(change?.isPart).toBe(true);
  expect(change?.before).not.toHaveProperty("bytes");
  expect(change?.after).not.toHaveProperty("bytes");
});

test("an earlier call with the same id is left alone", async () => {
  const { journal, put, host } = await editedFile();
  const tracker = journal.trackHookChanges({ callId: "c1", startedAt: host.clock.now() + 1 });

  const end = await tracker.onProgramStart("format");
  await put("formatted");
  await end(true);

  expect(await tracker.end()).toEqual([]);
});
