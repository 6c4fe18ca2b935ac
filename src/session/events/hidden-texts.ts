import type { NewEvent } from "../../core/index.ts";
import { textKey, type TextEvent } from "./text-blocks.ts";

/** Changes a text that arrives in pieces; withholds an end that more text could change. */
export interface TextFilter {
  push(text: string): string;
  /** Rest of the text. */
  end(): string;
}

/** Maximum number of texts at once; beyond it the oldest ends, such as one of a run that never ended. */
const maxTexts = 1000;

interface Open {
  readonly latest: TextEvent<NewEvent>;
  readonly filter: TextFilter;
}

/** Filters the text of every run as one, however many pieces it arrives in. */
export class HiddenTexts {
  readonly #open = new Map<string, Open>();
  readonly #newFilter: () => TextFilter;

  constructor(newFilter: () => TextFilter) {
    this.#newFilter = newFilter;
  }

  /** The event with the text that is decided; undefined if all of it is withheld. */
  push(event: TextEvent<NewEvent>): TextEvent<NewEvent> | undefined {
    const key = textKey(event);
    const filter = this.#open.get(key)?.filter ?? this.#newFilter();
    this.#open.set(key, { latest: event, filter });
    if (this.#open.size > maxTexts) {
      const [oldest] = this.#open.keys();
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    return withText(event, filter.push(event.text));
  }

  /** Events with the withheld ends of the texts that this event ends. */
  endedBy(event: NewEvent): readonly NewEvent[] {
    if (this.#open.size === 0) return [];
    const ended: NewEvent[] = [];
    for (const [key, { latest, filter }] of this.#open) {
      if (!ends(event, latest)) continue;
      this.#open.delete(key);
      const rest = withText(latest, filter.end());
      if (rest !== undefined) ended.push(rest);
    }
    return ended;
  }
}

/** Only an event of the same run ends a text: one of a background task may occur in the middle of a secret. */
function ends(event: NewEvent, text: TextEvent<NewEvent>): boolean {
  if (event.type === "call-start") {
    return event.sessionId === text.sessionId && event.agentId === text.agentId;
  }
  return event.type !== "call-output" && event.runId === text.runId;
}

function withText(event: TextEvent<NewEvent>, text: string): TextEvent<NewEvent> | undefined {
  return text === "" ? undefined : { ...event, text };
}
