/**
 * Who is told when a call is aborted. All of them share one listener on its signal, because adding and removing one
 * costs more than most steps; a signal that many calls share has one for all of them.
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
    // Asking the signal itself takes several checks of it.
    return this.#isListening ? this.#isTold : this.#signal?.aborted === true;
  }

  /** Calls back once, when the call is aborted, at once where it is already; what it gives ends that. */
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

  /** Goes on listening while nobody waits, until `close`. */
  keep(): void {
    this.#isKept = true;
    // Where listening costs next to nothing, knowing whether it was aborted does as well.
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

/** Listens to a signal once for all calls under it. Of one that was made of others it would keep them all alive. */
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
  // Nobody was waiting.
}
