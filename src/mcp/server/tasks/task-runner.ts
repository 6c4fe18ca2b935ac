import { isRecord } from "../../../text/index.ts";
import { setTimeout as delay } from "node:timers/promises";
import { RpcError } from "../protocol/json-rpc.ts";
import type { Result } from "../protocol/server-context.ts";
import type { Era } from "../protocol/versions.ts";
import { isEnded, LiveTask, type Attached } from "./live-task.ts";
import type { McpTaskRecord, McpTaskStore } from "./task-store.ts";

export interface TaskRunnerOptions {
  readonly store: McpTaskStore;
  /** Session whose tasks the client sees; undefined outside one. */
  readonly sessionId: string | undefined;
  readonly askTimeoutMs: number;
}

/** A call that becomes a task. */
export interface StartedCall {
  readonly tool: string;
  readonly callId: string;
  readonly era: Era;
  /** Time that the client asks for. */
  readonly ttlMs: unknown;
  readonly controller: AbortController;
  /** Reports a change to the client. */
  readonly onChange: (record: McpTaskRecord) => void;
}

/** Maximum number of calls that run as tasks at the same time. */
const maxRunning = 64;
const defaultTtlMs = 24 * 60 * 60_000;
const minTtlMs = 60_000;
const maxTtlMs = 7 * defaultTtlMs;
/** Interval between two checks of whether work in the background has ended. */
const lookMs = 200;
const endedEarly = "The server ended before the call did.";

/** Tasks of the clients of one server. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #live = new Map<string, { readonly task: LiveTask; readonly run: Running }>();

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  get store(): McpTaskStore {
    return this.#options.store;
  }

  /** Refuses a further task while too many run. */
  checkRoom(): void {
    if (this.#live.size < maxRunning) return;
    throw new RpcError(
      "serverBusy",
      `${maxRunning} tasks are running already. Cancel one, or wait until one has ended.`,
      { code: "LIMIT_REACHED" },
    );
  }

  /** Makes a task of a call; it is stored when this resolves. */
  async start(call: StartedCall, calling: Promise<Result>): Promise<LiveTask> {
    const { store, sessionId, askTimeoutMs } = this.#options;
    const now = Date.now();
    const record: McpTaskRecord = {
      id: crypto.randomUUID(),
      tool: call.tool,
      callId: call.callId,
      ...(sessionId === undefined ? {} : { sessionId }),
      status: "working",
      createdAt: now,
      updatedAt: now,
      ttlMs: ttlOf(call.ttlMs),
    };
    await store.save(record);
    const task = new LiveTask({
      record,
      era: call.era,
      askTimeoutMs,
      now: () => Date.now(),
      onChange: async (changed) => {
        await store.save(changed);
        call.onChange(changed);
      },
    });
    const ended = this.#follow(task, calling);
    this.#live.set(record.id, { task, run: { controller: call.controller, ended } });
    return task;
  }

  /** Present state of a task, with the questions that wait for an answer. */
  async get(id: unknown): Promise<{ readonly record: McpTaskRecord; readonly asked: Result }> {
    const live = typeof id === "string" ? this.#live.get(id) : undefined;
    if (live !== undefined) return { record: live.task.record, asked: live.task.inputRequests() };
    const { record } = await this.#stored(id);
    return { record, asked: {} };
  }

  async list(): Promise<readonly McpTaskRecord[]> {
    const { store, sessionId } = this.#options;
    const records = (await store.list()).filter((each) => each.sessionId === sessionId);
    return await Promise.all(records.map(async ({ id }) => (await this.get(id)).record));
  }

  /** Resolves with the task when it has ended. The client may be asked meanwhile. */
  async ended(id: unknown, attached: Attached): Promise<McpTaskRecord> {
    const live = typeof id === "string" ? this.#live.get(id) : undefined;
    const detach = live?.task.attach(attached);
    try {
      for (;;) {
        const { record } = await this.get(id);
        attached.signal.throwIfAborted();
        if (isEnded(record)) return record;
        await delay(lookMs, undefined, { signal: attached.signal });
      }
    } finally {
      detach?.();
    }
  }

  async answer(id: unknown, responses: unknown): Promise<void> {
    const live = typeof id === "string" ? this.#live.get(id) : undefined;
    if (live === undefined) await this.#stored(id);
    else await live.task.answer(responses);
  }

  /** Ends a task; returns its state before. One that has ended does not change. */
  async cancel(id: unknown): Promise<McpTaskRecord> {
    const { store } = this.#options;
    const live = typeof id === "string" ? this.#live.get(id) : undefined;
    if (live !== undefined) {
      const before = live.task.record;
      await live.task.change(cancelled);
      live.run.controller.abort();
      return before;
    }
    const { record, isOwned } = await this.#stored(id);
    if (isEnded(record)) return record;
    const work = await store.work(record.callId);
    if (work === undefined && isOwned) {
      throw new RpcError(
        "invalidParams",
        "The task runs in another process. Cancel it there, or end that process.",
        { code: "UNAVAILABLE" },
      );
    }
    await store.save({ ...record, ...cancelled, updatedAt: Date.now() });
    await work?.stop();
    return record;
  }

  /** Ends the calls of this process. Work in the background that they left continues. */
  async close(): Promise<void> {
    await Promise.all(
      Array.from(this.#live.values(), async ({ task, run }) => {
        await task.change({
          status: "failed",
          message: endedEarly,
          error: { code: -32_603, message: endedEarly },
        });
        run.controller.abort();
        await run.ended;
      }),
    );
  }

  /** Follows a call to its end. Never rejects. */
  async #follow(task: LiveTask, calling: Promise<Result>): Promise<void> {
    const { store } = this.#options;
    const { id, callId } = task.record;
    try {
      const result = await calling;
      const work = await store.work(callId);
      if (isEnded(task.record)) await work?.stop();
      else if (work === undefined) await task.change({ status: "completed", result });
      else await task.change({ status: "working", inBackground: true });
    } catch (error) {
      await task.change({ status: "failed", error: errorOf(error) }).catch(() => undefined);
    } finally {
      this.#live.delete(id);
    }
  }

  /** A task of this session that is not a call of this process any more, in its present state. */
  async #stored(
    id: unknown,
  ): Promise<{ readonly record: McpTaskRecord; readonly isOwned: boolean }> {
    const { store, sessionId } = this.#options;
    const found = typeof id === "string" ? await store.get(id) : undefined;
    if (found === undefined || found.record.sessionId !== sessionId) throw unknown();
    const { record, isOwned } = found;
    const { createdAt, ttlMs, inBackground } = record;
    if (createdAt + ttlMs < Date.now()) throw unknown();
    if (isEnded(record) || (isOwned && inBackground !== true)) return found;
    const work = await store.work(record.callId);
    if (work?.isRunning === true) return found;
    const end: Partial<McpTaskRecord> =
      work === undefined
        ? {
            status: "failed",
            message: endedEarly,
            error: { code: -32_603, message: endedEarly },
          }
        : {
            status: "completed",
            result: {
              content: [{ type: "text", text: await work.text() }],
              isError: work.isError,
            },
          };
    const ended = { ...record, ...end, updatedAt: Date.now() };
    await store.save(ended);
    return { record: ended, isOwned: false };
  }
}

/** A call of this process. */
interface Running {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

const cancelled = { status: "cancelled", message: "The client cancelled the task." } as const;

function unknown(): RpcError {
  return new RpcError(
    "invalidParams",
    "There is no such task: it belongs to another session, has expired, or never existed. Start the call again.",
    { code: "NOT_FOUND" },
  );
}

function ttlOf(requested: unknown): number {
  if (typeof requested !== "number" || !Number.isFinite(requested)) return defaultTtlMs;
  return Math.min(maxTtlMs, Math.max(minTtlMs, Math.round(requested)));
}

function errorOf(error: unknown): NonNullable<McpTaskRecord["error"]> {
  if (!(error instanceof RpcError)) {
    return { code: -32_603, message: "The server failed at this request." };
  }
  const { code, message, data } = error;
  return isRecord(data) ? { code, message, data } : { code, message };
}
