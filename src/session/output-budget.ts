import type { HaftEvent } from "../core/index.ts";

/** Characters of one call's streamed output that a log keeps; the whole is in the call's artefact. */
const maxOutputChars = 1_000_000;

/** Keeps a talkative call from filling the log. */
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
    return written <= this.#maxChars;
  }
}
