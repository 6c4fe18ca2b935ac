// Logs in a file that several workspaces share, also one that was written before workspaces were stored, or is damaged.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HaftEvent } from "../../core/index.ts";
import { openEventLog } from "./event-log.ts";
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

async function open(workspace?: string): Promise<SessionLog> {
  return await openEventLog({ file: file(), ...(workspace === undefined ? {} : { workspace }) });
}
async function seqsOf(log: SessionLog, sessionId = "s"): Promise<readonly number[]> {
  return (await log.readEvents({ sessionId })).map(({ seq }) => seq);
}

/** Makes a log one that was written before workspaces were stored. */
const beforeWorkspaces =
  "DELETE FROM migrations WHERE id = 2; ALTER TABLE events DROP COLUMN workspace";

describe("two workspaces with one file and equal ids of sessions", () => {
  test("read their own events only", async () => {
    const [one, other, all] = [await open("/one"), await open("/other"), await open()];
    one.append(started(1, "s", "first"));
    other.append(started(2, "s", "second"));
    await Promise.all([one.flush(), other.flush()]);

    expect([await seqsOf(one), await seqsOf(other), await seqsOf(all)]).toEqual([[1], [2], [1, 2]]);
    expect(await one.sessions()).toMatchObject([{ sessionId: "s", events: 1, task: "first" }]);
    expect(await other.sessions()).toMatchObject([{ sessionId: "s", events: 1, task: "second" }]);
    expect(await one.readEvents()).toHaveLength(2);
    for (const log of [one, other, all]) await log.close();
  });

  test("read what was stored before workspaces were", async () => {
    const log = await open("/one");
    await log.close();
    const old = new DatabaseSync(file());
    old.exec(beforeWorkspaces);
    old
      .prepare(
        "INSERT INTO events (version, session_id, seq, at, type, body) VALUES (1, ?, 1, 1, ?, ?)",
      )
      .run("s", "run-start", JSON.stringify(started(1, "s", "old")));
    old.close();

    const one = await open("/one");
    one.append(started(2, "s"));
    await one.flush();
    const other = await open("/other");

    expect([await seqsOf(one), await seqsOf(other)]).toEqual([[1, 2], [1]]);
    expect(await other.sessions()).toMatchObject([{ sessionId: "s", events: 1, task: "old" }]);
    for (const each of [one, other]) await each.close();
  });
});

test.each(["", beforeWorkspaces])(
  "a damaged page of the file hides none of the events on others: %s",
  async (before) => {
    const first = await open("/one");
    for (let seq = 1; seq <= 400; seq += 1)
      first.append(started(seq, "a", `task ${seq}`.padEnd(900)));
    await first.close();
    const database = new DatabaseSync(file());
    database.exec(before);
    database.close();
    const bytes = await readFile(file());
    const pageBytes = 4096;
    // A page in the middle of the table of events, found by a text of one of them.
    const at = Math.floor(bytes.indexOf("task 200 ") / pageBytes) * pageBytes;
    bytes.fill(0xff, at, at + pageBytes);
    await writeFile(file(), bytes);
    const log = await open("/one");

    const seqs = await seqsOf(log, "a");

    expect(seqs).not.toContain(200);
    expect(seqs).toEqual(expect.arrayContaining([1, 100, 300, 400]));
    expect(seqs.length).toBeGreaterThan(390);
    expect(log.health().damaged).toBe(400 - seqs.length);
    await log.close();
  },
);
