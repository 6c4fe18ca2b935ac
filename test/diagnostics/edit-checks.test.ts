import { readFile } from "node:fs/promises";
import { afterEach, expect, test } from "vitest";
import { checksWorld, type ChecksWorld } from "./checks-world.ts";

let world: ChecksWorld | undefined;

afterEach(async () => {
  await world?.dispose();
  world = undefined;
});

test("an error that the edit makes is reported, with its new place", async () => {
  world = await checksWorld({ mode: "pull" });
  await world.write("a.txt", "one\ntwo\n");

  const found = await world.edit("a.txt", "zero\none\nBAD thing\ntwo\n");

  expect(found?.text).toBe("New since this edit:\n- a.txt:3:1 error E1: bad: BAD thing (fake)");
});

test.each(["pull", "push"])(
  "an error that was there before is not reported, although it moves (%s)",
  async (mode) => {
    world = await checksWorld({ mode });
    await world.write("a.txt", "one\nBAD old\n");

    expect(await world.edit("a.txt", "zero\none\nBAD old\n")).toBeUndefined();
    const found = await world.edit("a.txt", "zero\nBAD new\none\nBAD old\n");

    expect(found?.findings.map(({ message, line }) => [line, message])).toEqual([
      [2, "bad: BAD new"],
    ]);
  },
);

test("hermes-agent#66471: an error that the edit removes is never reported again", async () => {
  world = await checksWorld({ mode: "pull" });
  await world.write("a.txt", "BAD one\n");

  for (const text of ["good\n", "BAD two\n", "good again\n", "good\nand more\n"]) {
    const found = await world.edit("a.txt", text);
    expect(found?.findings.map(({ message }) => message) ?? []).toEqual(
      text.includes("BAD") ? ["bad: BAD two"] : [],
    );
  }
});

test("a second error like an earlier one is new", async () => {
  world = await checksWorld({ mode: "pull" });
  await world.write("a.txt", "BAD x\n");

  const found = await world.edit("a.txt", "BAD x\nBAD x\n");

  expect(found?.findings).toHaveLength(1);
});

test("errors of a new file are new", async () => {
  world = await checksWorld({ mode: "pull" });

  expect((await world.edit("new.txt", "BAD\n"))?.findings).toHaveLength(1);
});

test("problems that name an old version or no version are never reported", async () => {
  for (const mode of ["stale", "unversioned"]) {
    const mine = await checksWorld({ mode, waitMs: 1500 });
    await mine.write("a.txt", "BAD old\n");
    expect(await mine.edit("a.txt", "good\n")).toBeUndefined();
    expect(await mine.edit("a.txt", "BAD new\n")).toBeUndefined();
    await mine.dispose();
  }
});

test.each([
  ["a.txt", undefined],
  ["other.txt", "bad: BAD written"],
])(
  "while the check of a.txt runs, another program changes %s: reported is %j",
  async (name, text) => {
    world = await checksWorld({ mode: `writes:${name}` });
    await world.write("a.txt", "one\n");

    const found = await world.edit("a.txt", "BAD\n");

    expect(found?.findings[0]?.message).toBe(text);
    expect(await readFile(world.at(name), "utf8")).toMatch(/x$/u);
  },
);

test("at most ten lines are shown, errors of all are in the metadata", async () => {
  world = await checksWorld({ mode: "pull" });
  await world.write("a.txt", "one\n");

  const text = Array.from({ length: 30 }, (_, index) => `BAD ${index}`).join("\n");
  const found = await world.edit("a.txt", text);

  expect(found?.text.split("\n")).toHaveLength(12);
  expect(found?.text).toContain("(20 more)");
  expect(found?.findings).toHaveLength(30);
});

test("opencode#6959: a server that never answers delays an edit by the limit only", async () => {
  world = await checksWorld({ mode: "silent", waitMs: 300 });
  await world.write("a.txt", "one\n");

  expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();
});

test("an abort ends the wait", async () => {
  world = await checksWorld({ mode: "silent", waitMs: 600_000 });
  await world.write("a.txt", "one\n");
  const controller = new AbortController();
  const begun = await world.diagnostics.edits.begin([world.at("a.txt")], controller.signal);
  await world.write("a.txt", "BAD\n");

  const ending = begun?.end(controller.signal);
  controller.abort();

  expect(await ending).toBeUndefined();
});

const broken = [
  { mode: "dies", says: "ended with exit code 7" },
  { mode: "flood", says: "sent far more than it was asked for" },
  { mode: "huge", says: "sent a message of more than 32000000 bytes" },
  { mode: "noise", says: "sent no valid header" },
  { mode: "no-json", says: "sent a message that is not JSON-RPC" },
] as const;

test.each(broken)(
  "a server that $says is ended, and only doctor says so",
  async ({ mode, says }) => {
    world = await checksWorld({ mode });
    await world.write("a.txt", "one\n");

    expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();
    await expect(
      world.diagnostics.servers?.problems(world.at("a.txt"), new AbortController().signal),
    ).rejects.toMatchObject({ code: "UNAVAILABLE", hint: expect.any(String) });
    const [state] = world.diagnostics.states();

    expect(state?.failure).toMatchObject({
      code: "UNAVAILABLE",
      message: `The language server fake ${says}.`,
    });
  },
);

test("a server that keeps failing is not started again", async () => {
  world = await checksWorld({ mode: "dies" });
  await world.write("a.txt", "one\n");
  const { signal } = new AbortController();
  const { servers } = world.diagnostics;
  const ask = async () => await servers?.problems(world?.at("a.txt") ?? "", signal);

  for (let count = 0; count < 3; count += 1)
    await expect(ask()).rejects.toMatchObject({ code: "UNAVAILABLE" });

  await expect(ask()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("failed 3 times and is not started again"),
  });
});

test("answers with wrong ids answer nothing, and a refusal is an error with the server's reason", async () => {
  world = await checksWorld({ mode: "wrong-id", waitMs: 500 });
  await world.write("a.txt", "one\n");
  expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();

  const other = await checksWorld({ mode: "refuses" });
  await other.write("a.txt", "one\n");
  const asked = other.diagnostics.servers?.problems(
    other.at("a.txt"),
    new AbortController().signal,
  );

  await expect(asked).rejects.toMatchObject({
    code: "TOOL_FAILED",
    message: "fake answered textDocument/diagnostic with: I will not",
  });
  await other.dispose();
});

test("a server that is not installed is reported with its program", async () => {
  world = await checksWorld({
    servers: { none: { command: ["no-such-server"], files: ["*.txt"] } },
  });
  await world.write("a.txt", "one\n");

  expect(await world.edit("a.txt", "BAD\n")).toBeUndefined();

  expect(world.diagnostics.states()[0]?.failure).toMatchObject({
    code: "UNAVAILABLE",
    hint: "Install no-such-server, or correct the setting diagnostics.servers.none.",
  });
});

test.each([
  ["that is not installed", ["no-such-language-server"]],
  ["that never answers", [process.execPath, "-e", "setInterval(() => 0, 1000)"]],
])("the end does not wait for a server %s and is starting", async (_name, command) => {
  for (const turns of [0, 1, 3, 10]) {
    const opened = await checksWorld({ servers: { fake: { command, files: ["*.txt"] } } });
    await opened.write("a.txt", "fine\n");
    const edit = opened.edit("a.txt", "BAD\n");
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();

    await opened.dispose();
    await edit.catch(() => undefined);

    expect(opened.diagnostics.states().map(({ isRunning }) => isRunning)).toEqual([false]);
  }
});

test("the end takes a server with everything that it started", async () => {
  world = await checksWorld({ mode: "child" });
  await world.write("a.txt", "one\n");
  await world.edit("a.txt", "BAD\n");
  expect(await world.host.proc.list()).toHaveLength(1);

  await world.diagnostics.dispose();

  expect(await world.host.proc.list()).toEqual([]);
});

test("an idle server ends, and the next edit starts it again", async () => {
  const limits = { idleMs: 50, memoryBytes: 3e9, startMs: 20_000 };
  world = await checksWorld({ mode: "pull", limits });
  await world.write("a.txt", "one\n");
  await world.edit("a.txt", "BAD one\n");
  const { diagnostics, host } = world;

  await expect.poll(() => diagnostics.states()[0]?.isRunning, { timeout: 20_000 }).toBe(false);
  await expect.poll(async () => await host.proc.list(), { timeout: 20_000 }).toEqual([]);

  expect((await world.edit("a.txt", "BAD two\n"))?.findings).toHaveLength(1);
});

test("a server that uses too much memory ends", async () => {
  const limits = { idleMs: 60_000, memoryBytes: 1_000_000, startMs: 20_000 };
  world = await checksWorld({ mode: "pull", limits });
  await world.write("a.txt", "one\n");
  await world.edit("a.txt", "BAD\n");
  const { diagnostics } = world;

  await expect
    .poll(() => diagnostics.states()[0]?.failure?.message, { timeout: 20_000 })
    .toBe("fake used more than 1 MB of memory.");
});
