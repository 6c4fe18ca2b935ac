import type { DatabaseSync } from "node:sqlite";
import type { TokenUsage } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { failedWith } from "../sqlite/failed-with.ts";
import { readRows, type Row, type RowQuery } from "../sqlite/sqlite.ts";
import type { SessionInfo } from "./session-store.ts";

/** A run as it is stored. */
export interface RunRow {
  readonly sessionId: string;
  readonly runId: string;
  readonly agentId: string;
  readonly parentAgentId: string | undefined;
  readonly task: string;
  readonly model: string;
  readonly status: string | undefined;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage | undefined;
  readonly costUsd: number | undefined;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly owner: string;
  readonly key: string;
  readonly leaseUntil: number;
}

export interface SessionRows {
  has(sessionId: string): boolean;
  one(sessionId: string): SessionInfo | undefined;
  list(limit: number): readonly SessionInfo[];
  runs(sessionId: string): readonly RunRow[];
}

/** Reads sessions with what their runs add up to. `isRunning` says whether a process works on a run. */
export function sessionRows(
  database: DatabaseSync,
  isRunning: (run: RunRow) => boolean,
): SessionRows {
  const one = database.prepare("SELECT * FROM sessions WHERE id = ?");
  const runs = database.prepare("SELECT * FROM runs WHERE session_id = ? ORDER BY number");
  const count = database.prepare(
    "SELECT count(*) AS messages FROM messages WHERE session_id = ? AND agent_id = '' AND is_copy = 0",
  );
  // Damaged rows are left out, so that they hide nothing else.
  const info = (sessionId: string, row: Row | undefined): SessionInfo => {
    let isDamaged = row === undefined;
    const found = readRows(database, runsQuery(sessionId), () => {
      isDamaged = true;
    });
    let messages = 0;
    try {
      messages = Number(count.get(sessionId)?.["messages"]);
    } catch {
      isDamaged = true;
    }
    const stored = { ...(row ?? { id: sessionId, created_at: 0, updated_at: 0 }), messages };
    const known = infoFrom(stored, found.map(runFrom), isRunning);
    return isDamaged ? { ...known, isDamaged } : known;
  };
  const has = database.prepare("SELECT 1 FROM sessions WHERE id = ?");
  return {
    has: (sessionId) => has.get(sessionId) !== undefined,
    one(sessionId) {
      try {
        const row = one.get(sessionId);
        return row === undefined ? undefined : info(sessionId, row);
      } catch (error) {
        if (!failedWith(error, "corrupt", "ioError")) throw error;
        return info(sessionId, undefined);
      }
    },
    list(limit) {
      const damaged = new Set<number>();
      const found = readRows(database, sessionsQuery, (key) => {
        if (key !== undefined) damaged.add(key);
      });
      const unreadable = damaged.size === 0 ? [] : idsOf(database, damaged);
      const infos = [
        ...found.map((row) => info(String(row["id"]), row)),
        ...unreadable.map((id) => info(id, undefined)),
      ];
      return limit < 0 ? infos : infos.slice(0, limit);
    },
    runs: (sessionId) => runs.all(sessionId).map(runFrom),
  };
}

const sessionsQuery: RowQuery = {
  rows: "SELECT * FROM sessions ORDER BY updated_at DESC, rowid DESC",
  values: [],
  keys: "SELECT rowid AS key FROM sessions ORDER BY updated_at DESC, rowid DESC",
  keyValues: [],
  row: "SELECT * FROM sessions WHERE rowid = ?",
};

function runsQuery(sessionId: string): RowQuery {
  return {
    rows: "SELECT * FROM runs WHERE session_id = ? ORDER BY number",
    values: [sessionId],
    keys: "SELECT number AS key FROM runs WHERE session_id = ? ORDER BY number",
    keyValues: [sessionId],
    row: "SELECT * FROM runs WHERE number = ?",
  };
}

/** Ids of sessions by their row, from the index of ids, which is on pages of its own. */
function idsOf(database: DatabaseSync, keys: ReadonlySet<number>): readonly string[] {
  try {
    return database
      .prepare(
        "SELECT rowid AS key, id FROM sessions INDEXED BY sqlite_autoindex_sessions_1 ORDER BY id",
      )
      .all()
      .flatMap(({ key, id }) => (keys.has(Number(key)) ? [String(id)] : []));
  } catch {
    return [];
  }
}

function infoFrom(
  row: Row,
  runs: readonly RunRow[],
  isRunning: (run: RunRow) => boolean,
): SessionInfo {
  const own = runs.filter(({ agentId }) => agentId === "");
  const latest = own.at(-1);
  const title = textOf(row["title"]) ?? firstLine(own[0]?.task ?? "");
  const costs = runs.flatMap(({ costUsd }) => costUsd ?? []);
  const workspace = textOf(row["workspace"]);
  const forkedFrom = textOf(row["forked_from"]);
  return {
    sessionId: String(row["id"]),
    title,
    ...(latest === undefined ? {} : { task: latest.task, model: latest.model }),
    runs: own.length,
    status: statusOf(latest, isRunning),
    ...(workspace === undefined ? {} : { workspace }),
    messages: Number(row["messages"]),
    turns: sum(runs, ({ turns }) => turns),
    calls: sum(runs, ({ calls }) => calls),
    usage: {
      input: sum(runs, ({ usage }) => usage?.input),
      output: sum(runs, ({ usage }) => usage?.output),
      cacheRead: sum(runs, ({ usage }) => usage?.cacheRead),
      cacheWrite: sum(runs, ({ usage }) => usage?.cacheWrite),
      reasoning: sum(runs, ({ usage }) => usage?.reasoning),
    },
    ...(costs.length === 0 ? {} : { costUsd: sum(costs, (cost) => cost) }),
    createdAt: Number(row["created_at"]),
    updatedAt: Number(row["updated_at"]),
    ...(forkedFrom === undefined
      ? {}
      : { forkedFrom: { sessionId: forkedFrom, message: Number(row["forked_at"]) } }),
  };
}

function statusOf(latest: RunRow | undefined, isRunning: (run: RunRow) => boolean): string {
  if (latest === undefined) return "new";
  return latest.status ?? (isRunning(latest) ? "running" : "interrupted");
}

function sum<T>(items: readonly T[], value: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (value(item) ?? 0), 0);
}

function runFrom(row: Row): RunRow {
  return {
    sessionId: String(row["session_id"]),
    runId: String(row["id"]),
    agentId: String(row["agent_id"]),
    parentAgentId: textOf(row["parent_agent_id"]),
    task: String(row["task"]),
    model: String(row["model"]),
    status: textOf(row["status"]),
    turns: Number(row["turns"]),
    calls: Number(row["calls"]),
    usage: storedUsage(row["usage"]),
    costUsd: row["cost_usd"] === null ? undefined : Number(row["cost_usd"]),
    startedAt: Number(row["started_at"]),
    endedAt: row["ended_at"] === null ? undefined : Number(row["ended_at"]),
    owner: textOf(row["owner"]) ?? "",
    key: textOf(row["owner_key"]) ?? "",
    leaseUntil: Number(row["lease_until"] ?? 0),
  };
}

/** A damaged usage hides nothing else of its session. */
function storedUsage(json: unknown): TokenUsage | undefined {
  try {
    return typeof json === "string" ? usageFrom(JSON.parse(json)) : undefined;
  } catch {
    return undefined;
  }
}

/** Usage in a JSON value, with 0 for what it does not have. */
export function usageFrom(value: unknown): TokenUsage | undefined {
  if (!isRecord(value)) return undefined;
  const count = (name: string): number => {
    const number = value[name];
    return isAmount(number) ? number : 0;
  };
  return {
    input: count("input"),
    output: count("output"),
    cacheRead: count("cacheRead"),
    cacheWrite: count("cacheWrite"),
    reasoning: count("reasoning"),
  };
}

/** Whether a value can be a number of something. */
export function isAmount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Maximum characters of a title made from a task. */
const titleChars = 80;

function firstLine(task: string): string {
  const [line = ""] = task.trim().split("\n");
  return line.length <= titleChars ? line : `${line.slice(0, titleChars - 1)}…`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
