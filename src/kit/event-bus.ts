import type { EventLog, HaftEvent, NewEvent } from "../core/index.ts";

/** Numbers and dates events, keeps them in the log, and tells listeners. A listener that throws harms nobody else. */
export class EventBus {
  readonly #log: EventLog;
  readonly #now: () => number;
  readonly #listeners = new Set<(event: HaftEvent) => void>();
  #seq = 0;

  constructor(log: EventLog, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  emit(event: NewEvent): void {
    this.#seq += 1;
    const numbered: HaftEvent = { ...event, seq: this.#seq, at: this.#now() };
    this.#log.append(numbered);
    for (const listener of this.#listeners) tell(listener, numbered);
  }

  subscribe(listener: (event: HaftEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}

function tell(listener: (event: HaftEvent) => void, event: HaftEvent): void {
  try {
    listener(event);
  } catch {
    // Whoever watches must not be able to stop what is watched.
  }
}
