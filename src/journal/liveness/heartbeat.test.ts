import { expect, test } from "vitest";
import type { StagedChanges } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";

// Two processes that cannot see each other, as in two containers.

const a = "/project/a.txt";
const write = { kind: "write", path: a, scope: "file", change: "modify" } as const;
const minute = 60_000;

function world() {
  const host = memoryHost({ files: { "a.txt": "old" }, root: "/project" });
  const opened = (own: string): Journal =>
    createJournal({
      host,
      directory: "/data/journal",
      processes: { own, isRunning: () => undefined },
    });
  const one = opened("1/a");
  const other = opened("2/b");
  const isRunning = async (): Promise<unknown> =>
    (await other.history()).map((entry) => entry.isRunning === true);
  const begin = async (callId = "1"): Promise<void> => {
    await one.checkpoint(callId, [write], { tool: "Edit" });
    await host.fs.writeAtomic(a, new TextEncoder().encode(`half of ${callId}`));
  };
  /** Content of all files. */
  const log = (): string => Object.values(host.control.texts()).join("");
  return { host, one, other, begin, isRunning, log };
}

/** New file by a command on an overlay. */
function staged(host: MemoryHost): StagedChanges {
  const since = host.clock.now();
  host.control.advance(1);
  host.control.plant("/stage/a", { kind: "file", content: "new", mode: 0o644, mtimeMs: since });
  const to = { kind: "file", source: "/stage/a", size: 3, mode: 0o644, mtimeMs: since } as const;
  const changes = [{ path: "/project/new.txt", to }];
  return { since, changes, refused: [], through: [] };
}

test("a call that takes its time is left to its program", async () => {
  const { host, one, other, begin, isRunning, log } = world();
  await begin();
  for (let minutes = 0; minutes < 5; minutes += 1) {
    host.control.advance(minute);
    await expect.poll(isRunning).toEqual([true]);
  }

  await expect(other.undo({ last: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await one.settle("1")).toMatchObject({ state: "done" });
  expect((await other.undo({ last: 1 })).calls).toEqual(["1"]);
  expect(log()).not.toContain("seenAt");
});

test("so is one that comes long after another", async () => {
  const { host, one, begin, isRunning } = world();
  await begin();
  await one.settle("1");
  host.control.advance(5 * minute);
  await begin("2");

  host.control.advance(5 * minute);
  await expect.poll(isRunning).toEqual([true, false]);
});

test("so is one that has just brought something, of which the log says the beginning", async () => {
  const { host, one, begin, isRunning } = world();
  await begin();
  host.control.advance(5 * minute);
  await expect.poll(isRunning).toEqual([true]);
  await one.apply("1", staged(host), { tool: "Bash", goesOn: true });

  expect(await isRunning()).toEqual([true]);
});

test("so is one that brought something from an overlay and still runs", async () => {
  const { host, one, isRunning } = world();
  await one.apply("1", staged(host), { tool: "Bash", goesOn: true });

  host.control.advance(5 * minute);
  await expect.poll(isRunning).toEqual([true]);
  await one.settle("1");
  expect(await isRunning()).toEqual([false]);
});

test("a minute after its last heartbeat, it counts as interrupted", async () => {
  const { host, one, begin, isRunning } = world();
  await begin();
  host.control.advance(5 * minute);
  await expect.poll(isRunning).toEqual([true]);
  await one.close();

  host.control.advance(minute - 1);
  expect(await isRunning()).toEqual([true]);
  host.control.advance(1);
  expect(await isRunning()).toEqual([false]);
});

test("a program without calls gives no sign, and a short call needs none", async () => {
  const { host, one, begin, log } = world();
  await begin();
  await one.settle("1");

  host.control.advance(5 * minute);
  await one.history();

  expect(log()).toContain('"callId":"1"');
  expect(log()).not.toContain('"running"');
});

test("signs go from the log with time", async () => {
  const { host, one, begin, log } = world();
  await begin();
  host.control.advance(5 * minute);
  await expect.poll(log).toContain('"running"');
  await one.settle("1");
  host.control.advance(180 * minute);

  await one.gc();

  expect(log()).toContain('"callId":"1"');
  expect(log()).not.toContain('"running"');
});

test("no sign keeps a program alive, nor a note that is tried again, and its journal's end ends them", async () => {
  const host = memoryHost({ files: { "a.txt": "old" }, root: "/project" });
  const asked: unknown[] = [];
  const clock = {
    ...host.clock,
    timer: (ms: number, callback: () => void, options?: { readonly keepsAlive?: boolean }) => {
      asked.push(options);
      return host.clock.timer(ms, callback);
    },
  };
  const journal = createJournal({ host: { fs: host.fs, clock }, directory: "/data/journal" });
  await journal.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic(a, new TextEncoder().encode("new"));
  host.control.fail({ operation: "append", fails: "ENOSPC" });
  await expect(journal.settle("1")).rejects.toMatchObject({ code: "NO_SPACE" });

  expect(asked).toEqual([{ keepsAlive: false }, { keepsAlive: false }]);
  await journal.close();
  host.control.advance(60 * minute);
  expect(asked).toHaveLength(2);
});
