import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { createCompensations, type ToolUndoRecord } from "./tool-undo-store.ts";

const directory = "/data/undo";

function store() {
  const host = memoryHost();
  return { host, kept: createCompensations({ ...host, directory }) };
}

const call = (callId: string, at = 1): Omit<ToolUndoRecord, "state"> => ({
  callId,
  tool: "Create",
  input: { a: 1 },
  outcome: { content: "x" },
  at,
});

test("calls are kept newest first, for this machine's user alone", async () => {
  const { host, kept } = store();
  await kept.keep(call("one", 5));
  await kept.keep(call("two", 7));
  await kept.keep(call("three", 7));

  const listed = await createCompensations({ ...host, directory }).list();
  expect(listed.map(({ callId }) => callId)).toEqual(["three", "two", "one"]);
  expect(listed[2]).toMatchObject({ ...call("one", 5), state: "done" });
  expect((await host.fs.stat(directory)).mode & 0o777).toBe(0o700);
  for await (const { name } of host.fs.list(directory)) {
    expect((await host.fs.stat(`${directory}/${name}`)).mode & 0o777).toBe(0o600);
  }
});

test("a record is replaced in its place; of a call that is not there nothing is made", async () => {
  const { kept } = store();
  await kept.keep(call("one"));
  await kept.keep(call("two"));
  await kept.replace({ ...call("one"), state: "undone", undoneWith: [] });
  await kept.replace({ ...call("other"), state: "undone" });

  expect((await kept.list()).map(({ callId, state }) => [callId, state])).toEqual([
    ["two", "done"],
    ["one", "undone"],
  ]);
});

test("what is too large or no JSON is not kept, and says so", async () => {
  const { kept } = store();
  const circle: Record<string, unknown> = {};
  circle["circle"] = circle;

  expect(await kept.keep({ ...call("a"), outcome: "x".repeat(1024 * 1024) })).toBe(false);
  expect(await kept.keep({ ...call("b"), input: circle })).toBe(false);
  expect(await kept.list()).toEqual([]);
});

test("a record that cannot be read hides no other", async () => {
  const { host, kept } = store();
  await kept.keep(call("one"));
  host.control.plant(`${directory}/000000000000009.0000.json`, { kind: "file", content: "{" });
  host.control.plant(`${directory}/000000000000008.0000.json`, {
    kind: "file",
    content: JSON.stringify({ version: 2, ...call("later"), state: "done" }),
  });

  expect((await kept.list()).map(({ callId }) => callId)).toEqual(["one"]);
});

test("the oldest beyond a thousand are forgotten", async () => {
  const { host, kept } = store();
  for (let at = 0; at < 1000; at += 1) {
    const name = `${String(at).padStart(15, "0")}.0000.json`;
    const content = JSON.stringify({ version: 1, ...call(`call-${at}`, at), state: "done" });
    host.control.plant(`${directory}/${name}`, { kind: "file", content });
  }
  await kept.keep(call("newest", 2000));

  const listed = await kept.list();
  expect([listed.length, listed[0]?.callId, listed.at(-1)?.callId]).toEqual([
    1000,
    "newest",
    "call-1",
  ]);
});

test("a relative directory is a programmer's mistake", () => {
  expect(() => createCompensations({ ...memoryHost(), directory: "undo" })).toThrow(TypeError);
});

test("collected is what is older than a month, and the oldest beyond 64 MiB; a dry run only counts it", async () => {
  const day = 24 * 60 * 60 * 1000;
  const { host, kept } = store();
  const now = host.clock.now();
  await kept.keep(call("old", now - 31 * day));
  await kept.keep(call("young", now - 29 * day));
  const before = await kept.list();
  const bytes = `${JSON.stringify({ version: 1, ...before[1] })}\n`.length;

  expect(await kept.gc({ dryRun: true })).toEqual({ calls: 1, bytes });
  expect(await kept.list()).toEqual(before);
  expect(await kept.gc()).toEqual({ calls: 1, bytes });
  expect((await kept.list()).map(({ callId }) => callId)).toEqual(["young"]);

  const outcome = "x".repeat(1_000_000);
  for (let at = 0; at < 70; at += 1) await kept.keep({ ...call(`${at}`, now + at), outcome });
  const { calls } = await kept.gc();
  expect(calls).toBe(4);
  expect((await kept.list()).at(-1)?.callId).toBe("3");
});

test("nothing is collected where nothing was kept", async () => {
  expect(await store().kept.gc()).toEqual({ calls: 0, bytes: 0 });
});

test("where the disk is full, keeping a record fails and is not tried under other names", async () => {
  const { host, kept } = store();
  const restore = host.control.fail({ operation: "writeAtomic", fails: "ENOSPC" });
  const write = host.fs.writeAtomic.bind(host.fs);
  host.fs.writeAtomic = async (...given) => {
    const written = write(...given);
    // A second attempt would succeed.
    restore();
    return await written;
  };

  await expect(kept.keep(call("one"))).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(await kept.list()).toEqual([]);
});
