import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { failedWith } from "../sqlite/failed-with.ts";
import { transact } from "../sqlite/transact.ts";

export interface WriterOptions {
  /** Name of the file in messages. */
  readonly file: string;
  /** Whether the file was deleted or replaced since it was opened. Default: it never is. */
  readonly isGone?: () => boolean;
  /** Waits before another attempt. Default: a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

export interface WriteOptions {
  /** Flush the transaction, and all before it, to the disk. Otherwise a crash of the machine may lose the latest. */
  readonly isDurable?: boolean;
}

/** Delays between attempts while another program holds the file, doubling up to the second. */
const firstWaitMs = 5;
const maxWaitMs = 250;
/** Total delay, in milliseconds, after which a locked file is an error. */
const patienceMs = 60_000;

/** Runs transactions one after the other; waits without blocking while another program writes. */
export class Writer {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #isGone: () => boolean;
  readonly #wait: (milliseconds: number) => Promise<void>;
  #queue: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #level: "NORMAL" | "FULL" = "NORMAL";

  constructor(
    database: DatabaseSync,
    { file, isGone = () => false, wait = async (ms) => await delay(ms) }: WriterOptions,
  ) {
    this.#database = database;
    this.#file = file;
    this.#isGone = isGone;
    this.#wait = wait;
  }

  /** Runs `work` in a transaction; at once where nothing is in the queue. Rejects with a ToolError. */
  async write<T>(work: () => T, options: WriteOptions = {}): Promise<T> {
    this.#waiting += 1;
    try {
      // The first attempt is synchronous: a process that is killed right after a call has stored its result.
      if (this.#waiting === 1) {
        const done = this.#attempt(work, options);
        if (done !== undefined) return done.value;
      }
      const turn = this.#queue.then(async () => await this.#persist(work, options));
      this.#queue = turn.catch(() => undefined);
      return await turn;
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Resolves when everything in the queue has ended. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  async #persist<T>(work: () => T, options: WriteOptions): Promise<T> {
    let waitMs = firstWaitMs;
    for (let waitedMs = 0; ; waitedMs += waitMs) {
      const done = this.#attempt(work, options);
      if (done !== undefined) return done.value;
      if (waitedMs >= patienceMs) {
        throw new ToolError("UNAVAILABLE", `Another program has locked ${this.#file}.`, {
          hint: "End that program, then continue the session.",
        });
      }
      waitMs = Math.min(waitMs * 2, maxWaitMs);
      await this.#wait(waitMs);
    }
  }

  /** Result of the transaction; undefined while another program holds the file. */
  #attempt<T>(work: () => T, { isDurable = false }: WriteOptions): { value: T } | undefined {
    const level = isDurable ? "FULL" : "NORMAL";
    // SQLite writes on into a file without a name, which is gone when the process ends.
    if (this.#isGone()) throw goneFile(this.#file);
    try {
      if (this.#level !== level) this.#database.exec(`PRAGMA synchronous = ${level}`);
      this.#level = level;
      return { value: transact(this.#database, work) };
    } catch (error) {
      if (failedWith(error, "busy", "locked")) return undefined;
      throw this.#explained(error);
    }
  }

  #explained(error: unknown): unknown {
    if (ToolError.is(error)) return error;
    if (failedWith(error, "full")) {
      return new ToolError("NO_SPACE", `The disk is full: ${this.#file} cannot be written.`, {
        hint: "Free some space, then continue the session.",
        cause: error,
      });
    }
    return new ToolError("UNAVAILABLE", `${this.#file} cannot be written: ${messageOf(error)}`, {
      hint: "Check the disk and the file's permissions, then continue the session.",
      cause: error,
    });
  }
}

function goneFile(file: string): ToolError {
  return new ToolError("UNAVAILABLE", `${file} was deleted or replaced while it was open.`, {
    hint: "Start haft again, or create another toolkit.",
    retryable: false,
  });
}
