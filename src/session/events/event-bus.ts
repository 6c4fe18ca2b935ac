import { quietly } from "../../text/index.ts";
import { type EventLog, type HaftEvent, type NewEvent } from "../../core/index.ts";
import { HiddenTexts, type TextFilter } from "./hidden-texts.ts";
import { isTextEvent } from "./text-blocks.ts";

/** Removes from events what must be neither shown nor stored. */
export interface EventFilter {
  /** Changes a complete event. */
  event(event: NewEvent): NewEvent;
  /** Creates a filter for a text that arrives in pieces. */
  text(): TextFilter;
}

export interface EventBusOptions {
  readonly log: EventLog | undefined;
  readonly now: () => number;
  readonly filter?: EventFilter | undefined;
}

type Listener = (event: HaftEvent) => void;

/**
 * Filters, numbers and dates events, keeps them in the log, and passes them to listeners. A listener that throws harms
 * nobody else.
 */
export class EventBus {
  readonly #log: EventLog | undefined;
  readonly #now: () => number;
  readonly #filter: EventFilter | undefined;
  readonly #texts: HiddenTexts | undefined;
  /** Listeners with the types of the events that they read; undefined: all. */
  readonly #listeners = new Map<Listener, ReadonlySet<HaftEvent["type"]> | undefined>();
  #seq = 0;

  constructor({ log, now, filter }: EventBusOptions) {
    this.#log = log;
    this.#now = now;
    this.#filter = filter;
    this.#texts = filter === undefined ? undefined : new HiddenTexts(() => filter.text());
  }

  emit(event: NewEvent): void {
    if (this.#texts === undefined) {
      this.#publish(event);
    } else if (isTextEvent(event)) {
      // Also without a reader: one that arrives in the middle must not get the rest of a secret.
      const shown = this.#texts.push(event);
      if (shown !== undefined) this.#publish(shown);
    } else {
      for (const rest of this.#texts.endedBy(event)) this.#publish(rest);
      this.#publish(event, this.#filter);
    }
  }

  /** With `types`, the listener is called for events of these only, so that the others need not be filtered for it. */
  subscribe(listener: Listener, types?: ReadonlySet<HaftEvent["type"]>): () => void {
    this.#listeners.set(listener, types);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** If neither a log nor a listener takes the event, only its number is used up. */
  #publish(event: NewEvent, filter?: EventFilter): void {
    this.#seq += 1;
    const log = this.#log;
    if (log === undefined && !this.#isRead(event)) return;
    const shown = filter === undefined ? event : filter.event(event);
    const numbered: HaftEvent = { ...shown, seq: this.#seq, at: this.#now() };
    if (log !== undefined) quietly((each) => log.append(each), numbered);
    for (const [listener, types] of this.#listeners) {
      if (types === undefined || types.has(event.type)) quietly(listener, numbered);
    }
  }

  #isRead({ type }: NewEvent): boolean {
    for (const types of this.#listeners.values()) {
      if (types === undefined || types.has(type)) return true;
    }
    return false;
  }
}
