import { expect, test } from "vitest";
import { memoryHost } from "../host/index.ts";
import { createJournal, type Journal } from "./journal.ts";

// Two programs that do not see each other, as in two containers.

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
  const begin = async (): Promise<void> => {
    await one.checkpoint("1", [write], { tool: "Edit" });
    await host.fs.writeAtomic(a, new TextEncoder().encode("half"));
  };
  return { host, one, other, begin, isRunning };
}

test("a call that takes its time is left to its program", async () => {
  const { host, one, other, begin, isRunning } = world();
  await begin();
  for (let minutes = 0; minutes < 5; minutes += 1) {
    host.control.advance(minute);
    await expect.poll(isRunning).toEqual([true]);
  }

  await expect(other.undo({ last: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await one.settle("1")).toMatchObject({ state: "done" });
  expect((await other.undo({ last: 1 })).calls).toEqual(["1"]);
});

test("so is one that brought something from an overlay and goes on", async () => {
  const { host, one, isRunning } = world();
  const since = host.clock.now();
  host.control.advance(1);
  host.control.plant("/stage/a", { kind: "file", content: "new", mode: 0o644, mtimeMs: since });
  const to = { kind: "file", source: "/stage/a", size: 3, mode: 0o644, mtimeMs: since } as const;
  const staged = { since, changes: [{ path: a, to }], refused: [], through: [] };
  await one.apply("1", staged, { tool: "Bash", goesOn: true });

  host.control.advance(5 * minute);
  await expect.poll(isRunning).toEqual([true]);
  await one.settle("1");
  expect(await isRunning()).toEqual([false]);
});

test("a minute after the last sign of it, it counts as cut short", async () => {
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
  const { host, one, begin } = world();
  const log = (): string => Object.values(host.control.texts()).join("");
  await begin();
  await one.settle("1");

  host.control.advance(5 * minute);
  await one.history();

  expect(log()).toContain('"callId":"1"');
  expect(log()).not.toContain('"running"');
});
