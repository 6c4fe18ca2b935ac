import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

/** Reads lines that the user types, one question at a time. */
export interface Lines {
  /**
   * Resolves to the typed line. `offered` is the initial text of the line, which the user can edit. Rejects if the user
   * leaves.
   */
  question(
    text: string,
    given?: { readonly offered?: string; readonly signal?: AbortSignal },
  ): Promise<string>;
  close(): void;
}

/** The user pressed Ctrl-C or Ctrl-D, or the terminal is gone. */
export class UserLeft extends Error {
  constructor() {
    super("The user left the question unanswered.");
    this.name = "UserLeft";
  }
}

/** Asks for lines on a terminal. A question that can no longer be answered rejects with UserLeft. */
export function openLines(input: Readable, output: Writable): Lines {
  const lines = createInterface({ input, output });
  const closed = new AbortController();
  lines.once("close", () => closed.abort());
  lines.on("SIGINT", () => lines.close());
  return {
    async question(text, { offered, signal } = {}) {
      const signals = signal === undefined ? [closed.signal] : [closed.signal, signal];
      try {
        if (closed.signal.aborted) throw new UserLeft();
        const typed = lines.question(text, { signal: AbortSignal.any(signals) });
        if (offered !== undefined) lines.write(offered);
        return await typed;
      } catch (error) {
        if (!closed.signal.aborted) throw error;
        output.write("\n");
        throw new UserLeft();
      }
    },
    close: () => lines.close(),
  };
}
