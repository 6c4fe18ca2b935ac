/**
 * Callbacks for the abort of a call. They share one listener on its signal, because adding and removing a listener
 * costs more than most steps; a signal that many calls share has one listener for all of them.
 */
export class Stops {
  readonly #signal: AbortSignal | undefined;
  readonly #shared: Set<() => void> | undefined;
  #told: Set<() => void> | undefined;
  #isListening = false;
  #isTold = false;
  #isKept = false;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    this.#shared = signal && sharing.get(signal);
  }

  /** Whether anything can abort the call at all. */
  get isPossible(): boolean {
    return this.#signal !== undefined;
  }

  /** Whether the call was aborted. */
  get isAborted(): boolean {
    // A cached flag: the getter of the signal performs several checks.
    return this.#isListening ? this.#isTold : this.#signal?.aborted === true;
  }

  /** Calls back once when the call is aborted, immediately if it already is; the returned function removes it. */
  add(callback: () => void): () => void {
    if (this.#signal === undefined) return nothing;
    if (this.isAborted) {
      callback();
      return nothing;
    }
    const told = (this.#told ??= new Set());
    told.add(callback);
    if (!this.#isListening) this.#listen(this.#signal);
    return () => {
      told.delete(callback);
      if (told.size === 0 && !this.#isKept) this.#unlisten();
    };
  }

  /** Keeps the listener without callbacks, until `close`. */
  keep(): void {
    this.#isKept = true;
    // On a shared signal listening costs next to nothing, and it makes `isAborted` as cheap.
    if (this.#shared !== undefined && this.#signal?.aborted === false) this.#listen(this.#signal);
  }

  close(): void {
    this.#isKept = false;
    if (this.#told === undefined || this.#told.size === 0) this.#unlisten();
  }

  readonly #tell = (): void => {
    this.#isTold = true;
    const told = [...(this.#told ?? [])];
    this.#told?.clear();
    for (const callback of told) callback();
    if (!this.#isKept) this.#unlisten();
  };

  #listen(signal: AbortSignal): void {
    this.#isListening = true;
    if (this.#shared === undefined) signal.addEventListener("abort", this.#tell, { once: true });
    else this.#shared.add(this.#tell);
  }

  #unlisten(): void {
    if (!this.#isListening) return;
    this.#isListening = false;
    if (this.#shared === undefined) this.#signal?.removeEventListener("abort", this.#tell);
    else this.#shared.delete(this.#tell);
  }
}

const sharing = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Shares one listener on a signal among all calls under it. Not for a signal composed of others: the listener would
 * keep all of them alive.
 */
export function shareStops(signal: AbortSignal): void {
  if (sharing.has(signal)) return;
  const told = new Set<() => void>();
  sharing.set(signal, told);
  signal.addEventListener(
    "abort",
    () => {
      for (const tell of told) tell();
    },
    { once: true },
  );
}

function nothing(): void {
  // There was no callback to remove.
}
