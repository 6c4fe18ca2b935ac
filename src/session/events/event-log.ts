import type { DatabaseSync } from "node:sqlite";
import { defaultLimits, type HaftEvent } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { openDatabase, readRows } from "../sqlite/sqlite.ts";
import { transact } from "../sqlite/transact.ts";
import { eventFromJson, eventToJson, eventVersion, type TextChange } from "./event-json.ts";
import { collectEvents, eventRetention } from "./event-retention.ts";
import { OutputBudget } from "./output-budget.ts";
import type { EventQuery, SessionLog, SessionSummary, StoredEvent } from "./session-log.ts";
import { TextBlocks } from "./text-blocks.ts";
import { WaitingEvents } from "./waiting-events.ts";
import type { Schema } from "../sqlite/migrate.ts";

/** Tables of an event log. */
const eventSchema: Schema = {
  name: "event log",
  migrations: [
    {
      name: "events",
      sql: `
      CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        version INTEGER NOT NULL,
        session_id TEXT,
        agent_id TEXT,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_by_session ON events (session_id, position);
      CREATE INDEX events_by_type ON events (type, session_id, position);
    `,
    },
    {
      name: "workspaces",
      // SQLite reads all rows for it, and a log with a damaged one must stay readable.
      isOptional: true,
      // No index of it: the keys of a session are read from an index that is older than it.
      sql: "ALTER TABLE events ADD COLUMN workspace TEXT",
    },
  ],
};

export interface EventLogOptions {
  /** Path of the database. It is created with its directories if missing, readable only by its owner. */
  readonly file: string;
  /**
   * Workspace of the events that are appended. Sessions that are read are those of this workspace, and those stored
   * without one: two workspaces with one data directory may have sessions with equal ids. Default: none, and the
   * sessions of all workspaces are read.
   */
  readonly workspace?: string;
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
  workspace: given,
  redact,
  maxBytes = defaultLimits.events.bytes,
}: EventLogOptions): Promise<SessionLog> {
  const database = await openDatabase({ file, schema: eventSchema, busyMs: briefMs });
  const hasWorkspaces = storesWorkspaces(database);
  const workspace = hasWorkspaces ? given : undefined;
  const insert = database.prepare(
    `INSERT INTO events (version, session_id, agent_id, seq, at, type, body${hasWorkspaces ? ", workspace" : ""})
    VALUES (?, ?, ?, ?, ?, ?, ?${hasWorkspaces ? ", ?" : ""})`,
  );
  const output = new OutputBudget();
  const retention = eventRetention(database, maxBytes);
  const waiting = new WaitingEvents();
  const blocks = new TextBlocks();
  let damaged = 0;
  const onDamaged = (): void => void (damaged += 1);
  let pauseMs = retryMs;
  let problem: string | undefined;
  let failures = 0;
  let isClosed = false;
  let isScheduled = false;

  const storeAll = (): void => {
    for (const block of blocks.flush()) waiting.add(block);
    store();
  };
  const store = (): void => {
    if (waiting.size === 0) return;
    try {
      let bytes = 0;
      transact(database, () => {
        for (const event of waiting) {
          const { sessionId = null, agentId = null, seq, at, type } = event;
          const body = eventToJson(event, redact);
          bytes += Buffer.byteLength(body);
          const place = hasWorkspaces ? [workspace ?? null] : [];
          insert.run(eventVersion, sessionId, agentId, whole(seq), whole(at), type, body, ...place);
        }
      });
      waiting.clear();
      problem = undefined;
      failures = 0;
      pauseMs = retryMs;
      retention.added(bytes);
    } catch (error) {
      problem = messageOf(error);
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
      for (const complete of blocks.add(event)) waiting.add(complete);
      if (isScheduled || waiting.size === 0) return;
      isScheduled = true;
      // All events of a tick share one transaction, and none is lost when the process exits normally.
      setImmediate(storeSoon);
    },
    async readEvents(query = {}) {
      storeAll();
      damaged = 0;
      return readEvents(database, { ...query, workspace }, onDamaged);
    },
    async lastPosition() {
      storeAll();
      const row = database.prepare("SELECT max(position) AS last FROM events").get();
      return Number(row?.["last"] ?? 0);
    },
    async sessions() {
      storeAll();
      damaged = 0;
      return readSessions(database, workspace, onDamaged);
    },
    health: () => ({
      waiting: waiting.size + blocks.size,
      dropped: waiting.dropped,
      ...(damaged === 0 ? {} : { damaged }),
      ...(problem === undefined ? {} : { problem, failures }),
    }),
    async collect({ beforeMs, dryRun }) {
      storeAll();
      return collectEvents(database, { beforeMs, maxBytes, dryRun });
    },
    async flush() {
      storeAll();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      database.exec(`PRAGMA busy_timeout = ${patientMs}`);
      storeAll();
      database.close();
    },
  };
}

/** Whether the migration was possible: a damaged log keeps the table that it has. */
function storesWorkspaces(database: DatabaseSync): boolean {
  return database
    .prepare("SELECT name FROM pragma_table_info('events')")
    .all()
    .some(({ name }) => name === "workspace");
}

function readEvents(
  database: DatabaseSync,
  query: WorkspaceQuery,
  onDamaged: () => void,
): readonly StoredEvent[] {
  const { fromSeq = -Infinity, limit = -1 } = query;
  const { where, values } = conditions(query);
  const own = ofWorkspace(query);
  const rows = readRows(
    database,
    {
      rows: `SELECT position, version, body FROM events ${where}${own.where} AND seq >= ? ORDER BY position LIMIT ?`,
      values: [...values, ...own.values, Math.max(fromSeq, 0), limit],
      // From an index, which is on other pages than the rows.
      keys: `SELECT position AS key FROM events INDEXED BY events_by_session ${where} ORDER BY position`,
      keyValues: values,
      row: `SELECT position, version, body FROM events WHERE position = ?${own.where}`,
      rowValues: own.values,
    },
    onDamaged,
  );
  const events = rows.flatMap(({ position, version, body }) => {
    const event = eventOf(body, Number(version), onDamaged);
    return event === undefined ? [] : [{ ...event, position: Number(position) }];
  });
  return events.filter(({ seq }) => seq >= fromSeq).slice(0, limit === -1 ? undefined : limit);
}

type WorkspaceQuery = EventQuery & { readonly workspace: string | undefined };

interface Condition {
  readonly where: string;
  readonly values: readonly (string | number)[];
}

function conditions({ sessionId, after = 0 }: EventQuery): Condition {
  const session = sessionId === undefined ? "" : " AND session_id = ?";
  return {
    where: `WHERE position > ?${session}`,
    values: sessionId === undefined ? [after] : [after, sessionId],
  };
}

/** Only a session of another workspace is left out: events of all sessions are those of every workspace. */
function ofWorkspace({ sessionId, workspace }: WorkspaceQuery): Condition {
  return sessionId === undefined || workspace === undefined
    ? { where: "", values: [] }
    : { where: " AND (workspace = ? OR workspace IS NULL)", values: [workspace] };
}

function readSessions(
  database: DatabaseSync,
  workspace: string | undefined,
  onDamaged: () => void,
): readonly SessionSummary[] {
  const isOwn = (table: string): string =>
    workspace === undefined
      ? ""
      : `AND (${table}.workspace = :workspace OR ${table}.workspace IS NULL)`;
  const rows = database
    .prepare(
      `SELECT s.session_id AS id, count(*) AS events, min(s.at) AS first, max(s.at) AS last,
        ${latest("run-start", isOwn("e"))} AS run_start, ${latest("run-end", isOwn("e"))} AS run_end
      FROM events AS s WHERE s.session_id IS NOT NULL ${isOwn("s")}
      GROUP BY s.session_id ORDER BY max(s.position) DESC`,
    )
    .all(workspace === undefined ? {} : { workspace });
  return rows.map((row) => {
    const start = eventOf(row["run_start"], eventVersion, onDamaged);
    const end = eventOf(row["run_end"], eventVersion, onDamaged);
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

/** A damaged row hides no other: it is counted and skipped. */
function eventOf(body: unknown, version: number, onDamaged: () => void): HaftEvent | undefined {
  if (typeof body !== "string") return undefined;
  try {
    return eventFromJson(body, version);
  } catch {
    onDamaged();
    return undefined;
  }
}

function latest(type: "run-start" | "run-end", isOwn: string): string {
  return `(SELECT body FROM events AS e WHERE e.session_id = s.session_id AND e.type = '${type}' ${isOwn}
    AND e.agent_id IS NULL ORDER BY e.position DESC LIMIT 1)`;
}

/** Returns a number that every column accepts, so that one invalid event never delays the others. */
function whole(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) : 0;
}
