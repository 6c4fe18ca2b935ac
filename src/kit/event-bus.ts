import { quietly, type EventLog, type HaftEvent, type NewEvent } from "../core/index.ts";

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
    quietly((each) => this.#log.append(each), numbered);
    for (const listener of this.#listeners) quietly(listener, numbered);
  }

  subscribe(listener: (event: HaftEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
