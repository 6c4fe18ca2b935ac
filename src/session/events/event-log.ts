import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { defaultLimits, ToolError, type HaftEvent } from "../../core/index.ts";
import { eventFromJson, eventToJson, eventVersion, type TextChange } from "./event-json.ts";
import { migrate } from "./event-schema.ts";
import { eventRetention } from "./event-retention.ts";
import { OutputBudget } from "./output-budget.ts";
import type { EventQuery, SessionLog, SessionSummary, StoredEvent } from "./session-log.ts";
import { openDatabase, transact } from "./sqlite.ts";
import { WaitingEvents } from "./waiting-events.ts";

export interface EventLogOptions {
  /** Path of the database. It is created with its directories if missing, readable only by its owner. */
  readonly file: string;
  /** Removes from every text what must not be stored. Default: texts are stored unchanged. */
  readonly redact?: TextChange;
  /**
   * Maximum size of the file in bytes; beyond it the oldest events are deleted. Default: `defaultLimits.events.bytes`.
   */
  readonly maxBytes?: number;
}

/** Time to wait for another process's lock: long if a caller waits for the result, short while calls run. */
const patientMs = 5000;
const briefMs = 200;
/**
 * Delay before storing failed events again. It starts with the first value and doubles with each failure up to the
 * second.
 */
const retryMs = 250;
const maxRetryMs = 10_000;

/** Opens the log in `file`; several processes may write to it at the same time. */
export async function openEventLog({
  file,
  redact,
  maxBytes = defaultLimits.events.bytes,
}: EventLogOptions): Promise<SessionLog> {
  const database = await openFile(file);
  const insert = database.prepare(
    "INSERT INTO events (version, session_id, agent_id, seq, at, type, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const output = new OutputBudget();
  const retention = eventRetention(database, maxBytes);
  const waiting = new WaitingEvents();
  let pauseMs = retryMs;
  let problem: string | undefined;
  let failures = 0;
  let isClosed = false;
  let isScheduled = false;

  const store = (): void => {
    if (waiting.size === 0) return;
    try {
      let bytes = 0;
      transact(database, () => {
        for (const event of waiting) {
          const { sessionId = null, agentId = null, seq, at, type } = event;
          const body = eventToJson(event, redact);
          bytes += Buffer.byteLength(body);
          insert.run(eventVersion, sessionId, agentId, whole(seq), whole(at), type, body);
        }
      });
      waiting.clear();
      problem = undefined;
      failures = 0;
      pauseMs = retryMs;
      retention.added(bytes);
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
      failures += 1;
    }
  };
  const storeSoon = (): void => {
    isScheduled = false;
    if (isClosed) return;
    store();
    if (waiting.size === 0 || isScheduled) return;
    isScheduled = true;
    setTimeout(storeSoon, pauseMs).unref();
    // Waiting for a lock blocks the event loop, so retries become less frequent.
    pauseMs = Math.min(pauseMs * 2, maxRetryMs);
  };

  return {
    append(event) {
      if (isClosed || !output.admits(event)) return;
      waiting.add(event);
      if (isScheduled) return;
      isScheduled = true;
      // All events of a tick share one transaction, and none is lost when the process exits normally.
      setImmediate(storeSoon);
    },
    async readEvents(query = {}) {
      store();
      return readEvents(database, query);
    },
    async sessions() {
      store();
      return readSessions(database);
    },
    health: () => ({
      waiting: waiting.size,
      dropped: waiting.dropped,
      ...(problem === undefined ? {} : { problem, failures }),
    }),
    async flush() {
      store();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      database.exec(`PRAGMA busy_timeout = ${patientMs}`);
      store();
      database.close();
    },
  };
}

async function openFile(file: string): Promise<DatabaseSync> {
  let database: DatabaseSync | undefined;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // SQLite gives its side files the mode of the database, so the database is created here first.
    await (await open(file, "a", 0o600)).close();
    database = await openDatabase(file);
    database.exec(`PRAGMA busy_timeout = ${patientMs}`);
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON",
    );
    migrate(database, Date.now());
    database.exec(`PRAGMA busy_timeout = ${briefMs}`);
    return database;
  } catch (cause) {
    database?.close();
    if (ToolError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError("UNAVAILABLE", `The event log ${file} cannot be opened: ${reason}.`, {
      hint: "Check that it is a file you may write, or move it away to start a new one.",
      cause,
    });
  }
}

function readEvents(database: DatabaseSync, query: EventQuery): readonly StoredEvent[] {
  const { where, values } = conditions(query);
  const rows = database
    .prepare(`SELECT position, version, body FROM events ${where} ORDER BY position LIMIT ?`)
    .all(...values, query.limit ?? -1);
  return rows.flatMap(({ position, version, body }) => {
    const event = eventFromJson(String(body), Number(version));
    return event === undefined ? [] : [{ ...event, position: Number(position) }];
  });
}

function conditions(query: EventQuery): { where: string; values: SQLInputValue[] } {
  const wanted = [
    { sql: "session_id = ?", value: query.sessionId },
    { sql: "seq >= ?", value: query.fromSeq },
    { sql: "position > ?", value: query.after },
  ].flatMap(({ sql, value }) => (value === undefined ? [] : [{ sql, value }]));
  if (wanted.length === 0) return { where: "", values: [] };
  return {
    where: `WHERE ${wanted.map(({ sql }) => sql).join(" AND ")}`,
    values: wanted.map(({ value }) => value),
  };
}

function readSessions(database: DatabaseSync): readonly SessionSummary[] {
  const rows = database
    .prepare(
      `SELECT s.session_id AS id, count(*) AS events, min(s.at) AS first, max(s.at) AS last,
        ${latest("run-start")} AS run_start, ${latest("run-end")} AS run_end
      FROM events AS s WHERE s.session_id IS NOT NULL
      GROUP BY s.session_id ORDER BY max(s.position) DESC`,
    )
    .all();
  return rows.map((row) => {
    const start = eventOf(row["run_start"]);
    const end = eventOf(row["run_end"]);
    // A `run-end` of an earlier run says nothing about the latest one.
    const isEnded =
      end?.type === "run-end" && (start?.type !== "run-start" || end.runId === start.runId);
    return {
      sessionId: String(row["id"]),
      events: Number(row["events"]),
      startedAt: Number(row["first"]),
      endedAt: Number(row["last"]),
      ...(start?.type === "run-start" ? { task: start.task } : {}),
      ...(isEnded ? { status: end.status } : {}),
    };
  });
}

function eventOf(body: unknown): HaftEvent | undefined {
  return typeof body === "string" ? eventFromJson(body, eventVersion) : undefined;
}

function latest(type: "run-start" | "run-end"): string {
  return `(SELECT body FROM events AS e WHERE e.session_id = s.session_id AND e.type = '${type}'
    AND e.agent_id IS NULL ORDER BY e.position DESC LIMIT 1)`;
}

/** Returns a number that every column accepts, so that one invalid event never delays the others. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
