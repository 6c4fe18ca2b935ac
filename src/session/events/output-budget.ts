import type { HaftEvent } from "../../core/index.ts";

/** Maximum characters of one call's streamed output in a log; the full output is in the call's artifact. */
const maxOutputChars = 1_000_000;

/** Maximum number of calls counted at once; beyond it the oldest is forgotten, such as a call that never ends. */
const maxCalls = 10_000;

/** Keeps a verbose call from filling the log. */
export class OutputBudget {
  readonly #written = new Map<string, number>();
  readonly #maxChars: number;

  constructor(maxChars = maxOutputChars) {
    this.#maxChars = maxChars;
  }

  admits(event: HaftEvent): boolean {
    if (event.type === "call-end") this.#written.delete(event.callId);
    if (event.type !== "call-output") return true;
    const written = (this.#written.get(event.callId) ?? 0) + event.text.length;
    this.#written.set(event.callId, written);
    if (this.#written.size > maxCalls) {
      const [oldest] = this.#written.keys();
      if (oldest !== undefined) this.#written.delete(oldest);
    }
    return written <= this.#maxChars;
  }
}
