import { quietly } from "../../text/index.ts";
import { type EventLog, type HaftEvent, type NewEvent } from "../../core/index.ts";

/**
 * Numbers and dates events, keeps them in the log, and passes them to listeners. A listener that throws harms nobody
 * else.
 */
export class EventBus {
  readonly #log: EventLog | undefined;
  readonly #now: () => number;
  readonly #listeners = new Set<(event: HaftEvent) => void>();
  #seq = 0;

  constructor(log: EventLog | undefined, now: () => number) {
    this.#log = log;
    this.#now = now;
  }

  /** `change` is made to it first; where neither a log nor a listener takes it, only the number is used up. */
  emit(event: NewEvent, change?: (event: NewEvent) => NewEvent): void {
    this.#seq += 1;
    const log = this.#log;
    if (log === undefined && this.#listeners.size === 0) return;
    const shown = change === undefined ? event : change(event);
    const numbered: HaftEvent = { ...shown, seq: this.#seq, at: this.#now() };
    if (log !== undefined) quietly((each) => log.append(each), numbered);
    for (const listener of this.#listeners) quietly(listener, numbered);
  }

  subscribe(listener: (event: HaftEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }
}
