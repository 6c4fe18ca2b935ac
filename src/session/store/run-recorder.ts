import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { RunLog } from "../runs/run-log.ts";
import { resultOf, type Steps, type StepBatch } from "../runs/steps.ts";
import type { Row } from "../sqlite/sqlite.ts";
import type { Bodies } from "./bodies.ts";
import { processOf, renewMs, type Claims } from "./claims.ts";
import type { Mail } from "../runs/mail.ts";
import type { AgentKey, MessageLog } from "./message-log.ts";
import type { NewRun, RunEnd, StoredRun } from "./session-store.ts";
import type { RunRow } from "./session-rows.ts";
import type { Writer } from "./writer.ts";

export interface RecorderParts {
  readonly database: DatabaseSync;
  readonly writer: Writer;
  readonly bodies: Bodies;
  readonly log: MessageLog;
  readonly mail: Mail;
  readonly claims: Claims;
  readonly now: () => number;
}

/** Records runs of one store. */
export class RunRecorder {
  readonly #parts: RecorderParts;
  readonly #active = new Map<string, { readonly stop: () => void }>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  /** Whether a live process works on the run. */
  isRunning(run: RunRow): boolean {
    if (run.endedAt !== undefined) return false;
    const { claims } = this.#parts;
    if (run.key === claims.key) return this.#active.has(activeKey(run));
    return claims.isHeld(run);
  }

  /** `latest` finds the agent's latest run, within the transaction, so that no other process takes it meanwhile. */
  async begin(
    run: NewRun,
    latest: () => RunRow | undefined,
  ): Promise<Omit<StoredRun, "before"> & { readonly before: RunRow | undefined }> {
    const { database, writer, claims, now } = this.#parts;
    const { sessionId, runId, agentId = "" } = run;
    const insert = database.prepare(
      `INSERT INTO runs (session_id, id, agent_id, parent_agent_id, task, model, turns, calls, started_at,
        owner, owner_key, lease_until) VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?)`,
    );
    const same = database.prepare("SELECT 1 FROM runs WHERE session_id = ? AND id = ?");
    const previous = await writer.write(() => {
      const before = latest();
      if (before !== undefined && this.isRunning(before)) throw stillRunning(before);
      if (same.get(sessionId, runId) !== undefined) throw takenRun(run);
      // An interrupted run ends here: its conversation continues in the new one.
      database
        .prepare(
          "UPDATE runs SET status = 'interrupted', ended_at = ?, owner = NULL, owner_key = NULL WHERE session_id = ? AND agent_id = ? AND ended_at IS NULL",
        )
        .run(now(), sessionId, agentId);
      insert.run(
        sessionId,
        runId,
        agentId,
        run.parentAgentId ?? null,
        run.task === "" ? (before?.task ?? "") : run.task,
        run.model,
        now(),
        claims.owner,
        claims.key,
        claims.leaseUntil(),
      );
      touch(database, sessionId, now());
      return before;
    });
    const key = activeKey({ sessionId, runId });
    const timer = setInterval(() => this.#renew(run), renewMs);
    timer.unref();
    this.#active.set(key, { stop: () => clearInterval(timer) });
    return {
      runId,
      before: previous,
      log: this.#logOf(run),
      end: async (result) => {
        if (!this.#active.has(key)) return;
        this.#stop(key);
        await writer.write(() => this.#recordEnd(run, result), { isDurable: true });
      },
    };
  }

  /** Ends the renewal of every claim, so that other processes may continue the sessions. */
  close(): void {
    for (const key of this.#active.keys()) this.#stop(key);
  }

  #stop(key: string): void {
    this.#active.get(key)?.stop();
    this.#active.delete(key);
  }

  #renew({ sessionId, runId }: NewRun): void {
    const { database, writer, claims } = this.#parts;
    const renewed = writer.write(() => {
      database
        .prepare(
          "UPDATE runs SET lease_until = ? WHERE session_id = ? AND id = ? AND owner_key = ?",
        )
        .run(claims.leaseUntil(), sessionId, runId, claims.key);
    });
    // The next renewal tries again; the run itself reports what cannot be stored.
    renewed.catch(() => undefined);
  }

  #recordEnd({ sessionId, runId }: NewRun, result: RunEnd): void {
    const { database, now, claims } = this.#parts;
    database
      .prepare(
        `UPDATE runs SET status = ?, turns = ?, calls = ?, usage = ?, cost_usd = ?, ended_at = ?, owner = NULL,
          owner_key = NULL WHERE session_id = ? AND id = ? AND owner_key = ?`,
      )
      .run(
        result.status,
        result.turns,
        result.calls,
        JSON.stringify(result.usage),
        result.costUsd ?? null,
        now(),
        sessionId,
        runId,
        claims.key,
      );
    touch(database, sessionId, now());
  }

  #logOf(run: NewRun): RunLog {
    const { database, writer, log, mail, now } = this.#parts;
    const { sessionId, runId, agentId = "" } = run;
    const agent: AgentKey = { sessionId, agentId };
    return {
      steps: this.#stepsOf(run),
      mail: () => mail.waiting(sessionId, agentId),
      append: async (messages, taken = []) => {
        const turns = messages.filter(({ role }) => role === "assistant").length;
        const calls = messages.flatMap(({ role, content }) => (role === "tool" ? content : []));
        await writer.write(() => {
          this.#refuseTaken(run);
          log.append(agent, messages, { runId, at: now() });
          mail.remove(sessionId, taken);
          database
            .prepare(
              "UPDATE runs SET turns = turns + ?, calls = calls + ? WHERE session_id = ? AND id = ?",
            )
            .run(turns, calls.length, sessionId, runId);
          touch(database, sessionId, now());
        });
      },
      replace: async (messages) => {
        await writer.write(() => {
          this.#refuseTaken(run);
          log.replace(agent, messages, { runId, at: now() });
        });
      },
    };
  }

  /** A process that was taken for dead, as after a suspension, must not write into a conversation that continued. */
  #refuseTaken({ sessionId, runId }: NewRun): void {
    const { database, claims } = this.#parts;
    const row = database
      .prepare("SELECT owner_key FROM runs WHERE session_id = ? AND id = ?")
      .get(sessionId, runId);
    if (row?.["owner_key"] === claims.key) return;
    const isGone = row === undefined;
    throw new ToolError(
      isGone ? "NOT_FOUND" : "UNAVAILABLE",
      isGone
        ? `The session ${sessionId} was deleted.`
        : `The session ${sessionId} was continued elsewhere.`,
      { hint: "Start a new run.", retryable: false },
    );
  }

  #stepsOf(run: NewRun): Steps {
    const { database, writer, bodies, now } = this.#parts;
    const { sessionId, runId, agentId = "" } = run;
    const insert = database.prepare(
      "INSERT OR REPLACE INTO steps (session_id, run_id, agent_id, key, at, body) VALUES (?, ?, ?, ?, ?, ?)",
    );
    const recorded = stepReader(database, bodies);
    const find = (key: string): { value: unknown } | undefined =>
      recorded({ sessionId, agentId }, runId, key);
    const record = async (key: string, result: unknown): Promise<void> => {
      await writer.write(() => {
        this.#refuseTaken(run);
        const body = bodies.encode(sessionId, { value: result });
        insert.run(sessionId, runId, agentId, key, now(), body);
      });
    };
    return {
      async run<T>(key: string, work: () => Promise<T>): Promise<T> {
        const found = find(key);
        if (found !== undefined && isResult(work, found.value)) return found.value;
        const result = await work();
        await record(key, result);
        return result;
      },
      async runAll<T>(keys: readonly string[], work: StepBatch<T>): Promise<readonly T[]> {
        const results = new Map<string, T>();
        for (const key of keys) {
          const found = find(key);
          if (found !== undefined && isResult(results, found.value)) results.set(key, found.value);
        }
        const missing = keys.filter((key) => !results.has(key));
        const stored: Promise<void>[] = [];
        if (missing.length > 0) {
          await work(missing, (key, result) => {
            results.set(key, result);
            const storing = record(key, result);
            // Awaited below; until then a failure is not an unhandled one.
            storing.catch(() => undefined);
            stored.push(storing);
          });
        }
        await Promise.all(stored);
        return keys.map((key) => resultOf(results, key));
      },
    };
  }
}

/** Reads the recorded results of a run. A damaged one counts as not recorded. */
function stepReader(
  database: DatabaseSync,
  bodies: Bodies,
): (agent: AgentKey, runId: string, key: string) => { value: unknown } | undefined {
  const select = database.prepare(
    "SELECT body FROM steps WHERE session_id = ? AND run_id = ? AND agent_id = ? AND key = ?",
  );
  return ({ sessionId, agentId }, runId, key) =>
    stepIn(bodies, () => select.get(sessionId, runId, agentId, key));
}

/** Reads the latest results that any run of an agent recorded. */
export function latestStepReader(
  database: DatabaseSync,
  bodies: Bodies,
): (agent: AgentKey, key: string) => { value: unknown } | undefined {
  const select = database.prepare(
    "SELECT body FROM steps WHERE session_id = ? AND agent_id = ? AND key = ? ORDER BY rowid DESC LIMIT 1",
  );
  return ({ sessionId, agentId }, key) => stepIn(bodies, () => select.get(sessionId, agentId, key));
}

function stepIn(bodies: Bodies, read: () => Row | undefined): { value: unknown } | undefined {
  try {
    const body = read()?.["body"];
    if (typeof body !== "string") return undefined;
    const value: unknown = bodies.decode(body);
    // JSON has no undefined, so a step without a result has no member.
    return isRecord(value) ? { value: value["value"] } : undefined;
  } catch {
    return undefined;
  }
}

/** Narrows the type: a result is read with the type with which it was recorded under its key. */
function isResult<T>(
  _of: (() => Promise<T>) | ReadonlyMap<string, T>,
  _value: unknown,
): _value is T {
  return true;
}

function activeKey({ sessionId, runId }: Pick<NewRun, "sessionId" | "runId">): string {
  return JSON.stringify([sessionId, runId]);
}

function touch(database: DatabaseSync, sessionId: string, now: number): void {
  database.prepare("UPDATE sessions SET updated_at = ? WHERE id = ?").run(now, sessionId);
}

function takenRun({ sessionId, runId }: NewRun): ToolError {
  return new ToolError("ALREADY_EXISTS", `The session ${sessionId} already has a run ${runId}.`, {
    hint: "Leave out runId: the session itself is what continues.",
  });
}

/** Error for a session that a live process works on. */
export function stillRunning({ sessionId, owner }: RunRow): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `The session ${sessionId} is still running in ${processOf(owner)}.`,
    { hint: "Wait until it ends, end that process, or fork the session.", data: { sessionId } },
  );
}
