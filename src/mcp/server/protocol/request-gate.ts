import { RpcError, type RpcRequest } from "./json-rpc.ts";

/** Maximum number of requests handled at once; others wait in order. */
const maxCalls = 64;
const maxLists = 4;
const maxResults = 64;
/** Maximum number of waiting requests; further ones are refused. */
const maxWaiting = 10_000;

/** Cheap to handle, or open as long as the connection. */
const ungated: ReadonlySet<string> = new Set([
  "ping",
  "initialize",
  "logging/setLevel",
  "subscriptions/listen",
]);

/**
 * Admits requests in order of arrival, a limited number at once, and none while the client leaves too many responses
 * unread. This bounds the memory that a client can occupy by not reading.
 */
export class RequestGate {
  readonly #calls: Lane;
  readonly #lists: Lane;
  /** Clients that wait for the result of a task. */
  readonly #results: Lane;

  /** Creates a gate. `room` resolves when there is room for responses; undefined if there is room now. */
  constructor(room: () => Promise<void> | undefined) {
    this.#calls = new Lane(maxCalls, room);
    this.#lists = new Lane(maxLists, room);
    this.#results = new Lane(maxResults, room);
  }

  async run<T>(
    { method }: Pick<RpcRequest, "method">,
    signal: AbortSignal,
    answer: () => Promise<T> | T,
  ): Promise<T> {
    if (ungated.has(method)) return await answer();
    const lane = this.#laneOf(method);
    await lane.enter(signal);
    try {
      return await answer();
    } finally {
      lane.leave();
    }
  }

  #laneOf(method: string): Lane {
    if (method === "tools/call") return this.#calls;
    return method === "tasks/result" ? this.#results : this.#lists;
  }
}

class Lane {
  readonly #most: number;
  readonly #room: () => Promise<void> | undefined;
  /** Waiting requests in order of arrival. */
  readonly #waiting = new Set<() => void>();
  #running = 0;
  #isWaitingForRoom = false;

  constructor(most: number, room: () => Promise<void> | undefined) {
    this.#most = most;
    this.#room = room;
  }

  /**
   * Resolves when it is the request's turn. An aborted request is admitted immediately and reports the abort itself.
   */
  enter(signal: AbortSignal): Promise<void> | undefined {
    if (signal.aborted) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.size === 0 && this.#isOpen()) {
      this.#running += 1;
      return undefined;
    }
    if (this.#waiting.size >= maxWaiting) {
      throw new RpcError("serverBusy", `${maxWaiting} requests are waiting already.`);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const start = (): void => {
      signal.removeEventListener("abort", start);
      if (!this.#waiting.delete(start)) return;
      this.#running += 1;
      resolve();
    };
    this.#waiting.add(start);
    signal.addEventListener("abort", start, { once: true });
    return promise;
  }

  leave(): void {
    this.#running -= 1;
    this.#next();
  }

  #next(): void {
    while (this.#waiting.size > 0 && this.#isOpen()) {
      const [first] = this.#waiting;
      first?.();
    }
  }

  #isOpen(): boolean {
    if (this.#running >= this.#most || this.#isWaitingForRoom) return false;
    const room = this.#room();
    if (room === undefined) return true;
    void this.#nextAfter(room);
    return false;
  }

  async #nextAfter(room: Promise<void>): Promise<void> {
    this.#isWaitingForRoom = true;
    await room;
    this.#isWaitingForRoom = false;
    this.#next();
  }
}
