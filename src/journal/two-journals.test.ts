import { expect, test } from "vitest";
import type { HostFs, StagedChanges } from "../core/index.ts";
import type { MemoryHost } from "../host/index.ts";
import { a, at, pair } from "../../test/support/two-journals.ts";
import { createJournal, type Journal } from "./journal.ts";

function staged(host: MemoryHost, path: string): StagedChanges {
  const since = host.clock.now();
  host.control.advance(1);
  const content = "by a command";
  host.control.plant("/stage/file", { kind: "file", content, mode: 0o644, mtimeMs: since });
  const to = {
    kind: "file",
    source: "/stage/file",
    size: 12,
    mode: 0o644,
    mtimeMs: since,
  } as const;
  return { since, changes: [{ path, to }], refused: [], through: [] };
}

test("a redo that began second gives way to the undo of another program, and comes after it", async () => {
  const { host, one, other, edit, stopInUndo, before } = pair();
  await edit("1", a, "1");
  await edit("2", a, "2");
  await one.undo({ last: 1 });
  let undone: Promise<unknown> | undefined;
  before('"state":"redoing"', async () => {
    ({ undone } = await stopInUndo());
  });

  const { calls } = await other.redo();

  await expect(undone).resolves.toMatchObject({ calls: ["1"] });
  expect(calls).toEqual(["1"]);
  expect(host.control.texts()[a]).toBe("1");
});

test("of two programs that do the same again at once the first does it, and the other what was undone before", async () => {
  const { host, one, other, edit, before } = pair();
  await edit("1", a, "1");
  await edit("2", a, "2");
  await one.undo({ last: 1 });
  await one.undo({ last: 1 });
  before('"state":"redoing"', () => one.redo());

  expect((await other.redo()).calls).toEqual(["2"]);

  expect(host.control.texts()[a]).toBe("2");
  await expect(other.redo()).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("changes of a command that began second give way to the undo of another program, and are looked at again", async () => {
  const { host, other, edit, stopInUndo, before } = pair();
  await edit("1", a, "1");
  const changes = staged(host, a);
  let undone: Promise<unknown> | undefined;
  before('"state":"applying"', async () => {
    ({ undone } = await stopInUndo());
  });

  await expect(other.apply("2", changes, { tool: "Bash" })).rejects.toMatchObject({
    code: "STALE_READ",
  });

  await undone;
  expect(host.control.texts()).toMatchObject({ [a]: "0", "/stage/file": "by a command" });
  expect((await other.history()).map(({ callId }) => callId)).toEqual(["1"]);
});

test("what another program is at and does not end holds up its own paths, and nothing else", async () => {
  const { host, one, other, edit, stopInUndo } = pair({ letsGo: false });
  await edit("b", at("b.txt"), "1");
  await edit("a", a, "1");
  await stopInUndo();

  expect((await other.undo({ call: "b" })).calls).toEqual(["b"]);
  expect((await other.redo()).calls).toEqual(["b"]);
  await other.apply("c", staged(host, at("b.txt")), { tool: "Bash" });
  expect(host.control.texts()[at("b.txt")]).toBe("by a command");
  const blocked = other.undo({ call: "a" });

  await expect(blocked).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `An undo or redo in another haft process is still being written to ${a}.`,
    hint: "Try again, or end that program: the next `haft undo` then finishes or reverts what it began.",
    data: { path: a },
  });
  await expect(
    other.apply("d", staged(host, at("a.txt/below")), { tool: "Bash" }),
  ).rejects.toMatchObject({ code: "UNAVAILABLE", data: { path: at("a.txt/below") } });
  await expect(other.apply("e", staged(host, "/project"), { tool: "Bash" })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    data: { path: a },
  });
  expect((await one.history()).length).toBe(3);
});

/**
 * Journal of a live process for which the disk fails from the write of `b.txt` on, until it is repaired. The change of
 * `a.txt` is applied by then.
 */
function failing(host: MemoryHost): { readonly journal: Journal; readonly repair: () => void } {
  const faults: (() => void)[] = [];
  const first = Promise.withResolvers<void>();
  const fails = (path: string, operation: keyof HostFs): void => {
    faults.push(host.control.fail({ path, operation, fails: "EIO" }));
  };
  const breaking = (key: "writeAtomic" | "move"): void => {
    if (faults.length > 0) return;
    for (const path of [a, at("b.txt"), "/stage/b.txt"]) fails(path, key);
    fails(a, "writeAtomic");
  };
  const fs = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      const run = (given: unknown[]): unknown => Reflect.apply(method, target, given);
      if (key !== "writeAtomic" && key !== "move") return (...given: unknown[]) => run(given);
      return async (...given: unknown[]): Promise<unknown> => {
        const to = key === "move" ? given[1] : given[0];
        if (to === at("b.txt")) {
          await first.promise;
          breaking(key);
        }
        const result = await run(given);
        if (to === a) first.resolve();
        return result;
      };
    },
  });
  const processes = { own: "3/c", isRunning: () => true };
  const journal = createJournal({
    host: { fs, clock: host.clock },
    directory: "/data/journal",
    processes,
  });
  return { journal, repair: () => faults.forEach((end) => end()) };
}

test("an undo that could neither go on nor back is finished by any other program that runs", async () => {
  const { host, other, edit } = pair();
  await edit("1", a, "1");
  await edit("2", at("b.txt"), "1");
  const { journal, repair } = failing(host);

  await expect(journal.undo({ last: 2 })).rejects.toMatchObject({ code: "INTERNAL" });
  expect(host.control.texts()).toMatchObject({ [a]: "0", [at("b.txt")]: "1" });
  repair();
  const [recovered] = await other.recover();

  expect(recovered).toMatchObject({ calls: ["1", "2"], kept: [] });
  expect(host.control.texts()).toMatchObject({ [a]: "1", [at("b.txt")]: "1" });
});

test("changes of a command that could neither come nor go hold up nobody who touches other paths", async () => {
  const { host, other, edit } = pair();
  await edit("1", at("b.txt"), "1");
  await edit("2", at("c.txt"), "1");
  const since = host.clock.now();
  host.control.advance(1);
  const changes = ["a.txt", "b.txt"].map((name) => {
    host.control.plant(`/stage/${name}`, { kind: "file", content: "new", mode: 0o644, mtimeMs: 1 });
    const to = {
      kind: "file",
      source: `/stage/${name}`,
      size: 3,
      mode: 0o644,
      mtimeMs: 1,
    } as const;
    return { path: at(name), to };
  });
  const { journal, repair } = failing(host);

  await expect(
    journal.apply("3", { since, changes, refused: [], through: [] }, { tool: "Bash" }),
  ).rejects.toMatchObject({ code: "INTERNAL" });
  expect(host.control.texts()[a]).toBe("new");
  repair();

  expect((await other.undo({ call: "2" })).calls).toEqual(["2"]);
  await expect(other.undo({ call: "3" })).rejects.toMatchObject({
    code: "STALE_READ",
    data: { paths: [a], conflicts: [{ after: "unknown: the call was interrupted" }] },
  });
  await other.undo({ call: "3" }, { force: [a] });
  expect(host.control.texts()).toMatchObject({ [a]: "0", [at("b.txt")]: "1" });
});

test("a journal that is closed during an operation counts as running until that has ended", async () => {
  const { host, one, other, edit, stopInUndo } = pair();
  const processes = { own: "1/a", isRunning: () => true };
  const third = createJournal({ host, directory: "/data/journal", processes });
  await edit("1", a, "1");
  const { undone } = await stopInUndo();
  const closed = one.close();

  expect(await third.recover()).toEqual([]);
  expect(host.control.texts()[a]).toBe("1");
  await expect(other.undo({ last: 1 })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await closed;
  await undone;
  expect(host.control.texts()[a]).toBe("0");
});
