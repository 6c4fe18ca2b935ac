import type { DatabaseSync } from "node:sqlite";
import type { TokenUsage } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Row } from "../sqlite/sqlite.ts";
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
  const columns = `SELECT s.*,
    (SELECT count(*) FROM messages AS m
      WHERE m.session_id = s.id AND m.agent_id = '' AND m.is_copy = 0) AS messages
    FROM sessions AS s`;
  const one = database.prepare(`${columns} WHERE s.id = ?`);
  const list = database.prepare(`${columns} ORDER BY s.updated_at DESC, s.rowid DESC LIMIT ?`);
  const runs = database.prepare("SELECT * FROM runs WHERE session_id = ? ORDER BY number");
  const runsOf = (sessionId: string): readonly RunRow[] => runs.all(sessionId).map(runFrom);
  const info = (row: Row): SessionInfo => infoFrom(row, runsOf(String(row["id"])), isRunning);
  const has = database.prepare("SELECT 1 FROM sessions WHERE id = ?");
  return {
    has: (sessionId) => has.get(sessionId) !== undefined,
    one(sessionId) {
      const row = one.get(sessionId);
      return row === undefined ? undefined : info(row);
    },
    list: (limit) => list.all(limit).map(info),
    runs: runsOf,
  };
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
