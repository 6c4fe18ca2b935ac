import { argumentError, ToolError, type CallOptions, type Host } from "../core/index.ts";
import { checkCallOptions } from "./options/check-arguments.ts";

/** Maximum wait of `settled`, in milliseconds; ending processes takes up to eight seconds. */
const settleMs = 15_000;

/** Work of a kit in progress and the signal that aborts it, until the kit is disposed. */
export class KitLifetime {
  /** Awaited by `settled`. */
  readonly running = new Set<Promise<unknown>>();
  readonly #host: Pick<Host, "clock">;
  readonly #outer: AbortSignal | undefined;
  readonly #ending = new AbortController();
  #disposed: Promise<void> | undefined;

  /** `outer` aborts the work of the kit as well. */
  constructor(host: Pick<Host, "clock">, outer: AbortSignal | undefined) {
    this.#host = host;
    this.#outer = outer;
    outer?.addEventListener("abort", this.#onAbort, { once: true });
    if (outer?.aborted === true) this.#onAbort();
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Adds the kit's own abort signal to the options of a call; combines signals only if the caller gave one. Throws once
   * the kit is disposed.
   */
  open(options: CallOptions | undefined): CallOptions {
    if (this.#disposed !== undefined)
      throw argumentError("This toolkit is disposed; open another one.");
    if (options === undefined) return this.#plain;
    const { signal, ...others } = checkCallOptions(options);
    const ending = this.#ending.signal;
    return { ...others, signal: signal === undefined ? ending : AbortSignal.any([signal, ending]) };
  }

  readonly #plain: CallOptions = { signal: this.#ending.signal };

  async track<T>(running: Promise<T>): Promise<T> {
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /**
   * Waits for everything that runs. Aborted work ends by itself; only a hook of the caller may not, so the wait is
   * limited.
   */
  async settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#host.clock.timer(settleMs, resolve);
    await Promise.race([Promise.allSettled(this.running), promise]);
    cancel();
  }

  /** Aborts everything that runs. */
  end(): void {
    this.#onAbort();
    this.#outer?.removeEventListener("abort", this.#onAbort);
  }

  /** Closes the kit once; from then on `open` throws. */
  async dispose(close: () => Promise<void>): Promise<void> {
    this.#disposed ??= close();
    await this.#disposed;
  }

  readonly #onAbort = (): void => {
    this.#ending.abort(new ToolError("ABORTED", "The toolkit was asked to stop."));
  };
}
