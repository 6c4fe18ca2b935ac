import type { ProcessChunk } from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import type { Block } from "./pipes/block-buffer.ts";

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the bytes of a chunk are overwritten once the next one is requested. */
  readonly reuse?: boolean | undefined;
}

/** A chunk, and the block that contains its bytes while the reader uses them. */
export interface Taken {
  readonly chunk: ProcessChunk;
  readonly held: Block | undefined;
}

/** Source of the readers' chunks. */
export interface ReadSource {
  join(reader: OutputReader): void;
  leave(reader: OutputReader): void;
  /** The next chunk for a reader; undefined if there is none yet. */
  take(reader: OutputReader): Taken | undefined;
  release(held: Block): void;
}

type Result = IteratorResult<ProcessChunk, undefined>;

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads output from a position to the exit. Not a generator: objects that a generator leaves for every chunk of a flood
 * survive minor garbage collections, and the process grows.
 */
export class OutputReader implements AsyncIterableIterator<ProcessChunk, undefined> {
  /** Number of output bytes before the next chunk. */
  position: number;
  readonly isReused: boolean;
  readonly #source: ReadSource;
  readonly #signal: AbortSignal | undefined;
  #state: "new" | "reading" | "over" = "new";
  #held: Block | undefined;
  /** Pending requests for a chunk, in order. */
  readonly #waiting: Waiting[] = [];
  #isWoken = false;

  constructor(source: ReadSource, afterSeq: number, { signal, reuse }: ReadOptions) {
    this.#source = source;
    this.position = afterSeq;
    this.#signal = signal;
    this.isReused = reuse === true;
  }

  next(): Promise<Result> {
    try {
      const result = this.#waiting.length === 0 ? this.#result() : undefined;
      if (result !== undefined) return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error);
    }
    const { promise, ...waiting } = Promise.withResolvers<Result>();
    this.#waiting.push(waiting);
    return promise;
  }

  async return(): Promise<Result> {
    this.#finish();
    for (const { resolve } of this.#waiting.splice(0)) resolve(over);
    return over;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Looks for more output once the caller has finished its current work. */
  wake(): void {
    if (this.#waiting.length === 0 || this.#isWoken) return;
    this.#isWoken = true;
    queueMicrotask(this.#look);
  }

  readonly #look = (): void => {
    this.#isWoken = false;
    while (this.#waiting.length > 0) {
      try {
        const result = this.#result();
        if (result === undefined) return;
        this.#waiting.shift()?.resolve(result);
      } catch (error) {
        this.#waiting.shift()?.reject(error);
      }
    }
  };

  readonly #onAbort = (): void => this.wake();

  #result(): Result | undefined {
    if (this.#state === "over") return over;
    if (this.#state === "new") this.#begin();
    this.#letGo();
    try {
      throwIfAborted(this.#signal);
    } catch (error) {
      this.#finish();
      throw error;
    }
    const taken = this.#source.take(this);
    if (taken === undefined) return undefined;
    this.#held = taken.held;
    if ("exit" in taken.chunk) this.#finish();
    return { done: false, value: taken.chunk };
  }

  #begin(): void {
    this.#state = "reading";
    this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
    this.#source.join(this);
  }

  #finish(): void {
    const isOpen = this.#state === "reading";
    this.#state = "over";
    this.#letGo();
    if (!isOpen) return;
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#source.leave(this);
  }

  #letGo(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#source.release(held);
  }
}

const over: Result = { done: true, value: undefined };
