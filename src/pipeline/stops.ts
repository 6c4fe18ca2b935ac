/**
 * Who is told when a call is aborted. All of them share one listener on its signal, because adding and removing one
 * costs more than most steps.
 */
export class Stops {
  readonly #signal: AbortSignal | undefined;
  readonly #told = new Set<() => void>();
  #isListening = false;
  #isKept = false;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Whether anything can abort the call at all. */
  get isPossible(): boolean {
    return this.#signal !== undefined;
  }

  /** Calls back when the call is aborted, at once where it is already; what it gives ends that. */
  add(callback: () => void): () => void {
    const signal = this.#signal;
    if (signal === undefined) return nothing;
    if (signal.aborted) {
      callback();
      return nothing;
    }
    this.#told.add(callback);
    if (!this.#isListening) {
      this.#isListening = true;
      signal.addEventListener("abort", this.#tell, { once: true });
    }
    return () => {
      this.#told.delete(callback);
      if (this.#told.size === 0 && !this.#isKept) this.#unlisten();
    };
  }

  /** Goes on listening while nobody waits, until `close`. */
  keep(): void {
    this.#isKept = true;
  }

  close(): void {
    this.#isKept = false;
    if (this.#told.size === 0) this.#unlisten();
  }

  readonly #tell = (): void => {
    for (const callback of this.#told) callback();
  };

  #unlisten(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    this.#signal?.removeEventListener("abort", this.#tell);
  }
}

function nothing(): void {
  // Nobody was waiting.
}
