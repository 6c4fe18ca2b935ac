import { expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";
import type { RecordStore } from "../log/record-store.ts";
import type { CallRecord } from "../records.ts";
import { lateNotes } from "./pending-entries.ts";

// The disk does not accept the line that a call has ended: other processes must not see it as running indefinitely.

const directory = "/data/journal";
const a = "/project/a.txt";
const write = { kind: "write", path: a, scope: "file", change: "modify" } as const;

interface World {
  readonly host: MemoryHost;
  readonly one: Journal;
  /** Journal of another process, which sees that the first one runs. */
  readonly other: Journal;
  readonly put: (text: string) => Promise<unknown>;
  /** Call whose note fails. The returned function frees disk space. */
  readonly unnoted: () => Promise<() => void>;
}

function world({ seesOne = true }: { readonly seesOne?: boolean } = {}): World {
  const host = memoryHost({ files: { "a.txt": "old", "b.txt": "b" }, root: "/project" });
  const opened = (own: string): Journal =>
    createJournal({
      host,
      directory,
      processes: { own, isRunning: () => (seesOne ? true : undefined) },
    });
  const one = opened("1/a");
  const put = async (text: string): Promise<unknown> =>
    await host.fs.writeAtomic(a, new TextEncoder().encode(text));
  return {
    host,
    one,
    other: opened("2/b"),
    put,
    async unnoted() {
      await one.checkpoint("1", [write], { tool: "Edit" });
      await put("new");
      const heal = host.control.fail({ operation: "append", fails: "ENOSPC" });
      await expect(one.settle("1")).rejects.toMatchObject({ code: "NO_SPACE" });
      return heal;
    },
  };
}

const textOf = (host: MemoryHost): string | undefined => host.control.texts()[a];

test("the next use of the program notes it", async () => {
  const { host, one, other, unnoted } = world();
  const heal = await unnoted();
  await expect(other.undo({ last: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  heal();

  expect(await one.history()).toMatchObject([{ callId: "1", state: "done", level: "full" }]);
  expect((await other.undo({ last: 1 })).calls).toEqual(["1"]);
  expect(textOf(host)).toBe("old");
});

test("a program that does nothing more notes it by itself, once the disk takes it", async () => {
  const { host, other, unnoted } = world();
  const heal = await unnoted();
  const states = async (): Promise<unknown> =>
    (await other.history()).map(({ state, isRunning = false }) => ({ state, isRunning }));
  host.control.advance(10_000);
  await expect.poll(states).toEqual([{ state: "open", isRunning: true }]);
  heal();

  // Retried however often it has failed.
  await expect
    .poll(async () => {
      host.control.advance(60_000);
      return await states();
    })
    .toEqual([{ state: "done", isRunning: false }]);
  expect((await other.undo({ last: 1 })).calls).toEqual(["1"]);
});

test("the end of the program's journal notes it", async () => {
  const { one, other, unnoted } = world();
  (await unnoted())();

  await one.close();

  expect(await other.history()).toMatchObject([{ callId: "1", state: "done" }]);
});

test("a call that changed nothing, and of which that could not be noted, is forgotten", async () => {
  const { host, one, other } = world();
  await one.checkpoint("1", [write], { tool: "Edit" });
  const heal = host.control.fail({ operation: "append", fails: "ENOSPC" });
  await expect(one.settle("1")).rejects.toMatchObject({ code: "NO_SPACE" });
  heal();

  expect(await one.history()).toEqual([]);
  expect(await other.history()).toEqual([]);
});

test("a call whose file states could not be stored is interrupted, and no longer runs", async () => {
  const { host, one, other, put } = world();
  await put("old".padEnd(70_000));
  const { hash } = await host.fs.readFile(a);
  const path = `${directory}/blobs/${hash.replace(":", "-")}`;
  host.control.fail({ path, operation: "writeAtomic", fails: "ENOSPC" });
  const info = { tool: "Edit", isTransaction: true };
  const { transaction } = await one.checkpoint("1", [write], info);
  transaction?.changing([write.path]);
  await put("new");
  await expect(one.settle("1")).rejects.toMatchObject({ code: "NO_SPACE" });
  const [before] = await other.history();
  await one.history();
  const [after] = await other.history();

  expect(before).toMatchObject({ callId: "1", state: "open", isRunning: true });
  expect(after).toMatchObject({ callId: "1", state: "open" });
  expect(after).not.toHaveProperty("isRunning");
});

test("changes applied from an overlay belong to a call that has ended", async () => {
  const { host, one, other } = world();
  const since = host.clock.now();
  host.control.advance(1);
  host.control.plant("/stage/file", { kind: "file", content: "new", mode: 0o644, mtimeMs: since });
  const to = { kind: "file", source: "/stage/file", size: 3, mode: 0o644, mtimeMs: since } as const;
  const staged = { since, changes: [{ path: a, to }], refused: [], through: [] };
  await one.apply("1", staged, { tool: "Bash", goesOn: true });
  const heal = host.control.fail({ operation: "append", fails: "ENOSPC" });
  await one.settle("1");
  heal();

  expect(await other.history()).toMatchObject([{ callId: "1", isRunning: true }]);
  await one.history();
  expect((await other.undo({ last: 1 })).calls).toEqual(["1"]);
});

test("an undo of another program in the meantime is not reverted", async () => {
  const { host, one, other, unnoted } = world({ seesOne: false });
  const heal = await unnoted();
  heal();
  // From then on it counts as interrupted for processes that cannot see its process.
  const far = createJournal({
    host,
    directory,
    clock: { now: () => host.clock.now() + 120_000 },
    processes: { own: "3/c", isRunning: () => undefined },
  });
  await far.undo({ last: 1 }, { force: true });

  await one.history();

  expect(textOf(host)).toBe("old");
  expect((await other.history()).map(({ state }) => state)).toEqual(["undone"]);
});

test("a call that is not run because its images cannot be made safe is forgotten", async () => {
  const { host, one, other } = world();
  await host.fs.writeAtomic(a, new TextEncoder().encode("old".padEnd(70_000)));
  const { hash } = await host.fs.readFile(a);
  const path = `${directory}/blobs/${hash.replace(":", "-")}`;
  const heal = host.control.fail({ path, operation: "writeAtomic", fails: "ENOSPC" });
  const checkpoint = one.checkpoint("1", [write], { tool: "Edit" });
  await expect(checkpoint).rejects.toMatchObject({ code: "NO_SPACE" });
  heal();

  expect(await one.history()).toEqual([]);
  expect(await other.history()).toEqual([]);
});

test("the same call can be had again", async () => {
  const { one, put, unnoted } = world();
  (await unnoted())();

  await one.checkpoint("1", [write], { tool: "Edit" });
  await put("newer");

  expect(await one.settle("1")).toMatchObject({ state: "done" });
});

const recordOf = (id: string, by: string) =>
  ({ kind: "call", id, callId: id, state: "open", by, paths: [] }) as unknown as CallRecord;

test("a call that another program has taken over is not noted as ended by this one", async () => {
  const ended: string[] = [];
  const [own, taken] = [recordOf("own", "1/a"), recordOf("taken", "1/a")];
  const records = {
    calls: async () => await Promise.resolve([own, recordOf("taken", "2/b")]),
    remove: async () => undefined,
    settle: async (all: readonly CallRecord[]) => void ended.push(...all.map(({ id }) => id)),
    end: async () => undefined,
  } as unknown as RecordStore;
  const late = lateNotes({
    records: () => records,
    alone: async (work) => await work(),
    clock: {},
    by: "1/a",
  });
  late.keep({ settled: [own, taken] });

  await late.write();

  expect(ended).toEqual(["own"]);
});
