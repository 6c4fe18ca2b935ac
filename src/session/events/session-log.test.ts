import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HaftEvent } from "../../core/index.ts";
import { openEventLog } from "./event-log.ts";
import { memoryEventLog } from "./memory-event-log.ts";
import type { SessionLog } from "./session-log.ts";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "haft-log-"));
});
afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});
const file = (): string => path.join(directory, "deep", "events.db");

function started(seq: number, sessionId: string, task = "do it"): HaftEvent {
  const runId = `run-${sessionId}-${seq}`;
  return { type: "run-start", seq, at: 1000 + seq, sessionId, runId, task, model: "m" };
}
function ended(seq: number, sessionId: string, runId: string): HaftEvent {
  return { type: "run-end", seq, at: 1000 + seq, sessionId, runId, status: "done", text: "ok" };
}
function output(seq: number, text: string, callId = "c1"): HaftEvent {
  return { type: "call-output", seq, at: seq, sessionId: "a", callId, text, stream: "stdout" };
}

describe.each<{ name: string; make: () => Promise<SessionLog> }>([
  { name: "in memory", make: async () => memoryEventLog() },
  { name: "in a file", make: async () => await openEventLog({ file: file() }) },
])("an event log $name", ({ make }) => {
  test("gives back what was appended, in order, with positions", async () => {
    const log = await make();
    log.append(started(1, "a"));
    log.append({ type: "mode-change", seq: 2, at: 2, mode: "plan" });
    log.append(started(3, "b"));

    expect(await log.readEvents()).toEqual([
      { ...started(1, "a"), position: 1 },
      { type: "mode-change", seq: 2, at: 2, mode: "plan", position: 2 },
      { ...started(3, "b"), position: 3 },
    ]);
    await log.close();
  });

  test.each([
    { query: { sessionId: "a" }, seqs: [1, 3] },
    { query: { fromSeq: 3 }, seqs: [3, 4] },
    { query: { sessionId: "a", fromSeq: 2 }, seqs: [3] },
    { query: { after: 1 }, seqs: [2, 3, 4] },
    { query: { limit: 2 }, seqs: [1, 2] },
    { query: { sessionId: "a", limit: 1 }, seqs: [1] },
    { query: { sessionId: "nobody" }, seqs: [] },
  ])("reads $query as $seqs", async ({ query, seqs }) => {
    const log = await make();
    for (const [index, session] of ["a", "b", "a", "b"].entries()) {
      log.append(started(index + 1, session));
    }

    const found = await log.readEvents(query);

    expect(found.map(({ seq }) => seq)).toEqual(seqs);
    await log.close();
  });

  test("sums up sessions, the latest first, with the state of their latest run", async () => {
    const log = await make();
    log.append(started(1, "a", "first"));
    log.append(ended(2, "a", "run-a-1"));
    log.append(started(3, "b", "second"));
    log.append(ended(4, "b", "run-b-3"));
    log.append({ ...started(5, "b", "a child's task"), agentId: "child" });
    log.append({ type: "mode-change", seq: 6, at: 6, mode: "plan" });
    log.append(started(7, "a", "again"));

    expect(await log.sessions()).toEqual([
      { sessionId: "a", events: 3, startedAt: 1001, endedAt: 1007, task: "again" },
      {
        sessionId: "b",
        events: 3,
        startedAt: 1003,
        endedAt: 1005,
        task: "second",
        status: "done",
      },
    ]);
    await log.close();
  });

  test("does nothing after it was closed, and closing twice is fine", async () => {
    const log = await make();
    await log.close();
    await log.close();

    expect(() => log.append(started(1, "a"))).not.toThrow();
  });
});

test("what was appended is in the file after the tick, without a flush", async () => {
  const log = await openEventLog({ file: file() });
  log.append(started(1, "a"));
  log.append(started(2, "a"));
  expect(log.health()).toEqual({ waiting: 2, dropped: 0 });

  await new Promise((resolve) => {
    setImmediate(resolve);
  });

  expect(log.health()).toEqual({ waiting: 0, dropped: 0 });
  expect(countRows(file())).toBe(2);
  await log.close();
});

test("closing stores what still waits, and a later log continues after it", async () => {
  const first = await openEventLog({ file: file() });
  first.append(started(1, "a"));
  await first.close();
  const second = await openEventLog({ file: file() });
  second.append(started(1, "a"));

  const found = await second.readEvents({ sessionId: "a" });

  expect(found.map(({ seq, position }) => [seq, position])).toEqual([
    [1, 1],
    [1, 2],
  ]);
  await second.close();
});

test("two logs write to one file without losing an event", async () => {
  const logs = [await openEventLog({ file: file() }), await openEventLog({ file: file() })];
  for (let seq = 1; seq <= 50; seq += 1) {
    for (const [index, log] of logs.entries()) log.append(started(seq, `s${index}`));
    if (seq % 10 === 0) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }
  for (const log of logs) await log.close();

  expect(countRows(file())).toBe(100);
});

test("events wait while another program holds the file, and are stored afterwards", async () => {
  const log = await openEventLog({ file: file() });
  const other = new DatabaseSync(file());
  other.exec("BEGIN IMMEDIATE");
  log.append(started(1, "a"));
  await log.flush();
  expect(log.health()).toEqual({
    waiting: 1,
    dropped: 0,
    problem: "database is locked",
    failures: 1,
  });

  other.exec("ROLLBACK");
  other.close();
  await log.flush();

  expect(log.health()).toEqual({ waiting: 0, dropped: 0 });
  await log.close();
  expect(countRows(file())).toBe(1);
});

test("an event JSON cannot carry does not keep the others from being stored", async () => {
  const log = await openEventLog({ file: file() });
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;
  log.append({
    type: "call-start",
    seq: 1,
    at: 1,
    callId: "c",
    call: { name: "T", input: circular },
  });
  log.append({ ...started(2, "a"), at: Number.NaN });
  log.append(started(3, "a"));

  const found = await log.readEvents();

  expect(found.map(({ seq }) => seq)).toEqual([2, 3]);
  expect(countRows(file())).toBe(3);
  await log.close();
});

test("a huge text is cut in the log and says by how much", async () => {
  const log = await openEventLog({ file: file() });
  log.append(started(1, "a", "x".repeat(1_100_000)));

  const [event] = await log.readEvents();

  expect(event?.type === "run-start" && event.task.slice(-56)).toBe(
    `${"x".repeat(20)}… (1036000 more characters not kept)`,
  );
  await log.close();
});

test("streamed output is kept up to a budget for each call", async () => {
  const log = await openEventLog({ file: file() });
  log.append(output(1, "x".repeat(600_000)));
  log.append(output(2, "y".repeat(400_000)));
  log.append(output(3, "z"));
  log.append(output(4, "other", "c2"));

  const found = await log.readEvents();

  expect(found.map(({ seq }) => seq)).toEqual([1, 2, 4]);
  await log.close();
});

test("the file is made with its directory, for its owner alone", async () => {
  const log = await openEventLog({ file: file() });

  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect((await stat(`${file()}-wal`)).mode & 0o777).toBe(0o600);
  expect((await stat(path.dirname(file()))).mode & 0o777).toBe(0o700);
  await log.close();
});

test("a file that is not a database is refused with the next step, and left as it was", async () => {
  const target = path.join(directory, "notes.txt");
  const text = "these are notes, ".repeat(100);
  await writeFile(target, text);

  await expect(openEventLog({ file: target })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("file is not a database"),
    hint: "Check that it is a file you may write, or move it away to start a new one.",
  });
  expect(await readFile(target, "utf8")).toBe(text);
});

test("a log of a newer version is refused", async () => {
  await (await openEventLog({ file: file() })).close();
  const database = new DatabaseSync(file());
  database.exec("INSERT INTO migrations (id, name, applied_at) VALUES (99, 'later', 0)");
  database.close();

  await expect(openEventLog({ file: file() })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: "Update haft, or name another data directory.",
    data: { found: 99 },
  });
});

test("a stored event of a newer format is skipped", async () => {
  const log = await openEventLog({ file: file() });
  log.append(started(1, "a"));
  await log.flush();
  const database = new DatabaseSync(file());
  database.exec(
    "INSERT INTO events (version, seq, at, type, body) VALUES (99, 2, 2, 'later', '{}')",
  );
  database.close();

  expect(await log.readEvents()).toHaveLength(1);
  await log.close();
});

test("one damaged event hides none of the others, and is counted", async () => {
  const log = await openEventLog({ file: file() });
  for (const seq of [1, 2, 3]) log.append(started(seq, "a"));
  await log.flush();
  const database = new DatabaseSync(file());
  database.exec('UPDATE events SET body = \'{"type": "run-st\' WHERE position = 2');
  database.close();

  const found = await log.readEvents();

  expect(found.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(log.health()).toEqual({ waiting: 0, dropped: 0, damaged: 1 });
  expect(await log.sessions()).toMatchObject([{ sessionId: "a", task: "do it" }]);
  await log.close();
});

test("the pieces of a model's text are stored as one event for a block", async () => {
  const log = await openEventLog({ file: file() });
  const words = Array.from({ length: 40_000 }, () => "word ");
  let seq = 0;
  const next = () => (seq += 1);
  log.append(started(next(), "a"));
  for (const text of words) {
    const at = next();
    log.append({
      type: "model-text",
      seq: at,
      at,
      sessionId: "a",
      runId: "run-a-1",
      turn: 1,
      text,
    });
  }
  log.append(ended(next(), "a", "run-a-1"));
  await log.close();

  const size = (await stat(file())).size;

  expect(countRows(file())).toBeLessThan(10);
  expect(size).toBeLessThan(400_000);
  const again = await openEventLog({ file: file() });
  const stored = await again.readEvents();
  expect(stored.map((each) => (each.type === "model-text" ? each.text : "")).join("")).toBe(
    words.join(""),
  );
  await again.close();
});

test("a collection deletes old events, and a dry run counts them only", async () => {
  const log = await openEventLog({ file: file() });
  for (let seq = 1; seq <= 5; seq += 1) log.append(started(seq, "a"));

  const dry = await log.collect({ beforeMs: 1004, dryRun: true });
  const kept = (await log.readEvents()).length;
  const done = await log.collect({ beforeMs: 1004, dryRun: false });

  expect(dry.events).toBe(3);
  expect(dry).toEqual(done);
  expect(kept).toBe(5);
  expect((await log.readEvents()).map(({ seq }) => seq)).toEqual([4, 5]);
  await log.close();
});

function countRows(target: string): number {
  const database = new DatabaseSync(target, { readOnly: true });
  const row = database.prepare("SELECT count(*) AS rows FROM events").get();
  database.close();
  return Number(row?.["rows"]);
}

test("events that wait for a locked file take bounded memory, and the rest is counted", async () => {
  const log = await openEventLog({ file: file() });
  const other = new DatabaseSync(file());
  other.exec("BEGIN IMMEDIATE");
  const text = "x".repeat(100_000);

  for (let seq = 1; seq <= 500; seq += 1) log.append(started(seq, "a", text));

  const { waiting, dropped } = log.health();
  expect(waiting * text.length).toBeLessThanOrEqual(20_000_000);
  expect(waiting + dropped).toBe(500);
  other.exec("ROLLBACK");
  other.close();
  await log.close();
  expect(countRows(file())).toBe(waiting);
});

test("the file stays within its bound, and the latest events are those that stay", async () => {
  const maxBytes = 2_000_000;
  const log = await openEventLog({ file: file(), maxBytes });
  const text = "x".repeat(2000);

  for (let seq = 1; seq <= 3000; seq += 1) {
    log.append(started(seq, "a", text));
    if (seq % 20 === 0) await log.flush();
  }

  const [first] = await log.readEvents({ limit: 1 });
  const kept = countRows(file());
  expect(first?.seq).toBe(3000 - kept + 1);
  expect(kept).toBeGreaterThan(100);
  await log.close();
  expect((await stat(file())).size).toBeLessThanOrEqual(maxBytes);
});
