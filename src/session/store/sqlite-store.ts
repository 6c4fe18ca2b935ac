import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { isRecord, messageOf } from "../../text/index.ts";
import { failedWith } from "../sqlite/failed-with.ts";
import { openDatabase, watchFile } from "../sqlite/sqlite.ts";
import { Bodies } from "./bodies.ts";
import { Claims, type ProcessNames } from "./claims.ts";
import { exportHtml } from "./export-html.ts";
import { exportLines } from "./export-lines.ts";
import { importLines } from "./import-lines.ts";
import { toolCallsOf } from "../messages/messages.ts";
import { mailOf } from "../runs/mail.ts";
import { agentRows } from "../runs/stored-agents.ts";
import { MessageLog } from "./message-log.ts";
import { latestStepReader, RunRecorder, stillRunning } from "./run-recorder.ts";
import { sessionSchema } from "./schema.ts";
import { sessionRows, type RunRow } from "./session-rows.ts";
import type {
  NewCallRecord,
  NewSession,
  PastRun,
  SessionInfo,
  SessionStore,
} from "./session-store.ts";
import { Writer } from "./writer.ts";

export interface SessionStoreOptions {
  /** Path of the database, created with its directories if missing, readable only by its owner; or `:memory:`. */
  readonly file: string;
  /** Replaces the secrets of a text, for titles and exports. Default: texts stay as they are. */
  readonly redact?: (text: string) => string;
  /** Identifies processes, so that a session is not continued while another one works on it. */
  readonly processes?: ProcessNames;
  /** Current time in milliseconds since the epoch. Default: the system's. */
  readonly now?: () => number;
}

/** Milliseconds for which a statement itself waits for a lock; the writer then waits without blocking. */
const busyMs = 200;

/** Opens the sessions in a file; several processes, and several stores of one process, may use it at the same time. */
export async function openSessionStore(options: SessionStoreOptions): Promise<SessionStore> {
  const database = await openDatabase({ file: options.file, schema: sessionSchema, busyMs });
  return storeOn(database, options);
}

/** Store on an open database with the schema of sessions. */
export function storeOn(
  database: DatabaseSync,
  { file, redact = (text) => text, processes, now = Date.now }: SessionStoreOptions,
): SessionStore {
  // A deleted session must not stay readable in the free pages of the file.
  database.exec("PRAGMA secure_delete = ON");
  const bodies = new Bodies(database);
  const log = new MessageLog(database, bodies);
  const mail = mailOf(database);
  const claims = new Claims(processes, now);
  const writer = new Writer(database, { file, isGone: watchFile(file) });
  const recorder = new RunRecorder({ database, writer, bodies, log, mail, claims, now });
  const rows = sessionRows(database, (run) => recorder.isRunning(run));
  const agents = agentRows(database, {
    bodies,
    mail,
    claims,
    now,
    isRunning(sessionId, runId) {
      const run = rows.runs(sessionId).find((each) => each.runId === runId);
      return run === undefined ? undefined : recorder.isRunning(run);
    },
  });
  const latestStep = latestStepReader(database, bodies);
  let closing: Promise<void> | undefined;

  const reading = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw readError(error, file);
    }
  };
  const existing = (sessionId: string): SessionInfo => {
    const info = rows.one(sessionId);
    if (info === undefined) throw missing(sessionId);
    return info;
  };
  const mustExist = (sessionId: string): void => {
    if (!rows.has(sessionId)) throw missing(sessionId);
  };
  const latestOf = (sessionId: string, agentId: string): RunRow | undefined =>
    rows.runs(sessionId).findLast((run) => run.agentId === agentId);
  const insert = ({ sessionId, title, workspace }: NewSession, at: number): void => {
    database
      .prepare(
        "INSERT INTO sessions (id, title, workspace, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
      )
      .run(sessionId, title === undefined ? null : redact(title), workspace ?? null, at, at);
  };

  const insertRecord = ({
    sessionId,
    callId,
    kind,
    body,
  }: Omit<NewCallRecord, "isDurable">): void => {
    database
      .prepare("INSERT INTO intents (session_id, call_id, kind, at, body) VALUES (?, ?, ?, ?, ?)")
      .run(sessionId, callId, kind, now(), bodies.encode(sessionId, { value: body }));
  };
  // Messages alone do not say which calls had started: each one without a result may have taken effect.
  const recordOpenCalls = (sessionId: string): void => {
    for (const agentId of ["", ...log.agents(sessionId)]) {
      const last = log.visible({ sessionId, agentId }).at(-1);
      if (last?.role !== "assistant") continue;
      for (const { id: callId } of toolCallsOf(last)) {
        insertRecord({ sessionId, callId, kind: "intent", body: { copied: true } });
      }
    }
  };

  return {
    async create(session) {
      return await writer.write(() => {
        if (rows.has(session.sessionId)) {
          throw new ToolError("ALREADY_EXISTS", `There is a session ${session.sessionId}.`, {
            hint: "Use another id.",
          });
        }
        insert(session, now());
        return existing(session.sessionId);
      });
    },
    async get(sessionId) {
      return reading(() => rows.one(sessionId));
    },
    async list({ limit = -1 } = {}) {
      return reading(() => rows.list(limit));
    },
    async rename(sessionId, title) {
      if (title.trim() === "") {
        throw new ToolError("INVALID_INPUT", "The title of a session is empty.", {
          hint: "Give it a title with at least one character.",
        });
      }
      return await writer.write(() => {
        mustExist(sessionId);
        database
          .prepare("UPDATE sessions SET title = ? WHERE id = ?")
          .run(redact(title), sessionId);
        return existing(sessionId);
      });
    },
    async fork(from, { sessionId, message }) {
      return await writer.write(() => {
        const source = existing(from);
        if (message !== undefined && (message < 1 || message > source.messages)) {
          throw new ToolError("INVALID_INPUT", `${from} has no message ${message}.`, {
            hint: `Use a number from 1 to ${source.messages}.`,
          });
        }
        const title = `${source.title} (fork)`;
        insert({ sessionId, title, ...workspaceOf(source) }, now());
        const last = log.copy(from, sessionId, message);
        database
          .prepare("UPDATE sessions SET forked_from = ?, forked_at = ? WHERE id = ?")
          .run(from, last, sessionId);
        recordOpenCalls(sessionId);
        return existing(sessionId);
      });
    },
    async delete(sessionId) {
      await writer.write(() => {
        mustExist(sessionId);
        const running = rows.runs(sessionId).find((run) => recorder.isRunning(run));
        if (running !== undefined) throw stillRunning(running);
        database.prepare("DELETE FROM sessions WHERE id = ?").run(sessionId);
        database.exec(
          "DELETE FROM blobs WHERE NOT EXISTS (SELECT 1 FROM blob_uses AS u WHERE u.hash = blobs.hash)",
        );
      });
    },
    async messages(sessionId, agentId = "") {
      return reading(() => {
        mustExist(sessionId);
        return log.visible({ sessionId, agentId });
      });
    },
    async conversation(sessionId, agentId = "") {
      return reading(() => {
        mustExist(sessionId);
        return log.conversation({ sessionId, agentId });
      });
    },
    async agents(sessionId) {
      return reading(() => {
        mustExist(sessionId);
        return log.agents(sessionId);
      });
    },
    async post(sessionId, text) {
      await writer.write(
        () => {
          const { status } = existing(sessionId);
          if (status !== "running" && status !== "new") throw ended(sessionId, status);
          mail.post({ sessionId, agentId: "", text, at: now() });
        },
        { isDurable: true },
      );
    },
    async begin(run) {
      reading(() => mustExist(run.sessionId));
      const { sessionId, agentId = "" } = run;
      const shown = { ...run, task: redact(run.task) };
      const { before, ...begun } = await recorder.begin(shown, () => latestOf(sessionId, agentId));
      const step = (key: string): unknown => latestStep({ sessionId, agentId }, key)?.value;
      return { ...begun, before: before === undefined ? undefined : { ...pastRun(before), step } };
    },
    async recordAgent(agent, end) {
      return await writer.write(() => {
        mustExist(agent.sessionId);
        return agents.record(agent, end);
      });
    },
    async storedAgents(query) {
      return reading(() => agents.find(query));
    },
    async recordCall({ isDurable, ...record }) {
      await writer.write(
        () => {
          if (rows.has(record.sessionId)) insertRecord(record);
        },
        { isDurable },
      );
    },
    async callRecords(sessionId, callId) {
      const select = database.prepare(
        "SELECT kind, at, body FROM intents WHERE session_id = ? AND call_id = ? ORDER BY rowid",
      );
      const found = reading(() => select.all(sessionId, callId));
      return found.map(({ kind, at, body }) => ({
        kind: kind === "answer" ? "answer" : "intent",
        at: Number(at),
        body: bodyOf(bodies, body),
      }));
    },
    async export(sessionId, { format = "jsonl", secrets = false } = {}) {
      const session = reading(() => ({
        info: existing(sessionId),
        runs: rows.runs(sessionId),
        agents: ["", ...log.agents(sessionId)].map((agentId) => ({
          agentId,
          ...log.conversation({ sessionId, agentId }),
        })),
      }));
      const change = secrets ? (text: string) => text : redact;
      return format === "html" ? exportHtml(session, change) : exportLines(session, change);
    },
    async import(text, { sessionId }) {
      const imported = importLines(text);
      return await writer.write(() => {
        const own = imported.sessionId;
        const id = own === undefined || rows.has(own) ? sessionId : own;
        // A time in the future would make it the latest session for as long.
        insert({ ...imported, sessionId: id }, Math.min(imported.createdAt, now()));
        for (const { agentId, runId, at, kind, messages } of imported.entries) {
          const agent = { sessionId: id, agentId };
          if (kind === "compaction") log.replace(agent, messages, { runId, at });
          else log.append(agent, messages, { runId, at });
        }
        for (const run of imported.runs) insertRun(database, { ...run, sessionId: id });
        recordOpenCalls(id);
        return existing(id);
      });
    },
    async close() {
      closing ??= (async () => {
        recorder.close();
        await writer.settled();
        database.close();
      })();
      await closing;
    },
  };
}

function pastRun({ runId, task, model }: RunRow): Omit<PastRun, "step"> {
  return { runId, task, model };
}

function missing(sessionId: string): ToolError {
  return new ToolError("NOT_FOUND", `There is no session ${sessionId}.`, {
    hint: "List the sessions with haft sessions list.",
  });
}

function ended(sessionId: string, status: string): ToolError {
  return new ToolError("UNAVAILABLE", `The session ${sessionId} is not running: ${status}.`, {
    hint: "Start a session with SessionsSpawn, or let the user continue this one.",
    retryable: false,
    data: { sessionId },
  });
}

/** Error of a damaged file; any other error stays as it is. */
function readError(error: unknown, file: string): unknown {
  if (!failedWith(error, "corrupt", "notADatabase", "ioError")) return error;
  return new ToolError("UNAVAILABLE", `${file} cannot be read: ${messageOf(error)}.`, {
    hint: "Export the sessions that can still be read, then move the file away.",
    cause: error,
  });
}

function workspaceOf({ workspace }: SessionInfo): Pick<NewSession, "workspace"> {
  return workspace === undefined ? {} : { workspace };
}

/** A damaged record still says that there was one. */
function bodyOf(bodies: Bodies, body: unknown): unknown {
  try {
    const value = bodies.decode(String(body));
    return isRecord(value) ? value["value"] : undefined;
  } catch {
    return undefined;
  }
}

/** Stores a run that has ended elsewhere. */
function insertRun(
  database: DatabaseSync,
  run: Omit<RunRow, "owner" | "key" | "leaseUntil">,
): void {
  database
    .prepare(
      `INSERT OR IGNORE INTO runs (session_id, id, agent_id, parent_agent_id, task, model, status, turns, calls, usage,
        cost_usd, started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      run.sessionId,
      run.runId,
      run.agentId,
      run.parentAgentId ?? null,
      run.task,
      run.model,
      run.status ?? "interrupted",
      run.turns,
      run.calls,
      run.usage === undefined ? null : JSON.stringify(run.usage),
      run.costUsd ?? null,
      run.startedAt,
      run.endedAt ?? run.startedAt,
    );
}
