import { ToolError } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import type { Question } from "../approval/question.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { ConnectionState, Result } from "../protocol/server-context.ts";
import { metaKeys, type Era } from "../protocol/versions.ts";
import type { Channel } from "../transport/transport.ts";
import type { McpTaskRecord } from "./task-store.ts";

/** A client that waits for the result of a task, and can be asked meanwhile. */
export interface Attached {
  readonly state: ConnectionState;
  readonly channel: Channel;
  readonly direct: Channel;
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal;
}

export interface LiveTaskOptions {
  readonly record: McpTaskRecord;
  readonly era: Era;
  readonly askTimeoutMs: number;
  readonly now: () => number;
  /** Stores a change and reports it. */
  readonly onChange: (record: McpTaskRecord) => Promise<void>;
}

interface OpenQuestion {
  readonly question: Question;
  readonly resolve: (answer: unknown) => void;
}

/** A call of this process that is a task. */
export class LiveTask {
  readonly #options: LiveTaskOptions;
  readonly #over = new AbortController();
  readonly #open = new Map<string, OpenQuestion>();
  #record: McpTaskRecord;
  #saving: Promise<void> = Promise.resolve();
  #attached = Promise.withResolvers<Attached>();
  #client: Attached | undefined;
  #asking = 0;

  constructor(options: LiveTaskOptions) {
    this.#options = options;
    this.#record = options.record;
  }

  /** Present state. Where `tasks/update` answers, `input_required` and an open question are seen together or not at all. */
  get record(): McpTaskRecord {
    const record = this.#record;
    if (this.#options.era.kind === "legacy" || isEnded(record)) return record;
    return { ...record, status: this.#open.size === 0 ? "working" : "input_required" };
  }

  /** Questions that wait for `tasks/update`, as they are sent. */
  inputRequests(): Result {
    return Object.fromEntries(
      Array.from(this.#open, ([key, { question }]) => {
        const { method, params } = question;
        return [key, { method, params }];
      }),
    );
  }

  /** Changes the state, unless the task has ended. */
  async change(change: Partial<McpTaskRecord>): Promise<void> {
    if (isEnded(this.#record)) return;
    this.#record = { ...this.#record, ...change, updatedAt: this.#options.now() };
    const changed = this.#record;
    if (isEnded(changed)) this.#over.abort();
    this.#saving = this.#saving.then(async () => await this.#options.onChange(changed));
    await this.#saving;
  }

  /** Asks the client of the task. */
  async ask(question: Question): Promise<unknown> {
    if (this.#over.signal.aborted) throw endedBefore();
    this.#asking += 1;
    await this.change({ status: "input_required" });
    try {
      return this.#options.era.kind === "modern"
        ? await this.#askLater(question)
        : await this.#askWaiting(question);
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) await this.change({ status: "working" });
    }
  }

  /** Takes the answers of `tasks/update`; those that fit no open question are ignored. */
  async answer(responses: unknown): Promise<void> {
    if (!isRecord(responses)) {
      throw new RpcError("invalidParams", "tasks/update needs inputResponses, an object.");
    }
    for (const [key, response] of Object.entries(responses)) {
      const open = this.#open.get(key);
      if (open === undefined || !isRecord(response)) continue;
      this.#open.delete(key);
      open.resolve(response);
    }
  }

  /** Tells the task of a client that waits for its result; the returned function tells that it no longer waits. */
  attach(attached: Attached): () => void {
    if (this.#client === undefined) {
      this.#client = attached;
      this.#attached.resolve(attached);
    }
    return () => this.#detach(attached);
  }

  #detach(attached: Attached): void {
    if (this.#client !== attached) return;
    this.#client = undefined;
    this.#attached = Promise.withResolvers();
  }

  /** Keeps the question open until `tasks/update` answers it. */
  async #askLater(question: Question): Promise<unknown> {
    const { key } = question;
    if (this.#open.has(key)) {
      throw new TypeError(`Two questions of one call have the name ${key}.`);
    }
    const { promise, resolve } = Promise.withResolvers<unknown>();
    this.#open.set(key, { question, resolve });
    try {
      return await this.#inTime(promise);
    } finally {
      this.#open.delete(key);
    }
  }

  /** Asks through the request that waits for the result; if that ends, through the next. */
  async #askWaiting({ params, ...question }: Question): Promise<unknown> {
    const { askNow } = await import("../approval/elicit.ts");
    const meta = isRecord(params["_meta"]) ? params["_meta"] : {};
    const related = { ...meta, [metaKeys.relatedTask]: { taskId: this.#record.id } };
    for (;;) {
      const attached = await this.#inTime(this.#attached.promise);
      const { signal } = attached;
      try {
        return await askNow(
          { ...question, params: { ...params, _meta: related } },
          {
            ...attached,
            signal: AbortSignal.any([signal, this.#over.signal]),
            timeoutMs: this.#options.askTimeoutMs,
            onWaiting: () => undefined,
          },
        );
      } catch (error) {
        // The client that waited is gone; another may come.
        if (!signal.aborted || this.#over.signal.aborted) throw error;
        this.#detach(attached);
      }
    }
  }

  async #inTime<T>(promise: Promise<T>): Promise<T> {
    const { askTimeoutMs } = this.#options;
    const { promise: failure, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(tooLate(askTimeoutMs)), askTimeoutMs);
    const onEnd = (): void => reject(endedBefore());
    this.#over.signal.addEventListener("abort", onEnd, { once: true });
    try {
      return await Promise.race([promise, failure]);
    } finally {
      clearTimeout(timer);
      this.#over.signal.removeEventListener("abort", onEnd);
    }
  }
}

/** Whether nothing about a task changes any more. */
export function isEnded({ status }: McpTaskRecord): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

function endedBefore(): ToolError {
  return new ToolError("ABORTED", "The task ended before the client had answered.");
}

function tooLate(timeoutMs: number): ToolError {
  return new ToolError("TIMEOUT", `The client did not answer within ${timeoutMs / 1000} s.`, {
    hint: "Continue without the answer, or ask again when a user is there.",
    data: { timeoutMs },
  });
}
