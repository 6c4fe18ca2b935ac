import type { HaftEvent } from "../../core/index.ts";
import { charsOf } from "./event-size.ts";

/**
 * Maximum number of events, and of their characters, held while they cannot be stored; beyond either, the oldest are
 * dropped and counted.
 */
const maxEvents = 20_000;
const maxChars = 20_000_000;

interface Waiting {
  readonly event: HaftEvent;
  readonly chars: number;
}

/** Queue of events that are not stored yet, with bounded memory however long that takes. */
export class WaitingEvents {
  #held: Waiting[] = [];
  #chars = 0;
  #dropped = 0;

  get size(): number {
    return this.#held.length;
  }

  /** Number of events dropped for lack of room. */
  get dropped(): number {
    return this.#dropped;
  }

  *[Symbol.iterator](): Generator<HaftEvent> {
    for (const { event } of this.#held) yield event;
  }

  add(event: HaftEvent): void {
    const chars = charsOf(event);
    this.#held.push({ event, chars });
    this.#chars += chars;
    if (this.#held.length > maxEvents || this.#chars > maxChars) this.#dropOldest();
  }

  /** Removes the events after they were stored. */
  clear(): void {
    this.#held = [];
    this.#chars = 0;
  }

  /** Drops the events, which cannot be stored now or later. */
  giveUp(): void {
    this.#dropped += this.#held.length;
    this.clear();
  }

  /** Drops the oldest events down to three quarters of each limit, so that an append stays cheap. */
  #dropOldest(): void {
    let first = Math.max(0, this.#held.length - Math.floor(maxEvents * 0.75));
    let chars = this.#chars;
    for (const { chars: each } of this.#held.slice(0, first)) chars -= each;
    while (chars > maxChars * 0.75 && first < this.#held.length) {
      chars -= this.#held[first]?.chars ?? 0;
      first += 1;
    }
    this.#dropped += first;
    this.#held = this.#held.slice(first);
    this.#chars = chars;
  }
}
