import type { HaftEvent, NewEvent } from "../../core/index.ts";

/** Event with a piece of a model's text. */
export type TextEvent<E extends NewEvent = HaftEvent> = Extract<
  E,
  { type: "model-text" | "model-reasoning" }
>;

export function isTextEvent<E extends NewEvent>(event: E): event is TextEvent<E> {
  return event.type === "model-text" || event.type === "model-reasoning";
}

/** Identifies the text that a piece continues: of one run, one turn and one kind. */
export function textKey({ sessionId, agentId, runId, turn, type }: TextEvent<NewEvent>): string {
  return JSON.stringify([sessionId, agentId, runId, turn, type]);
}

/** Maximum characters of one stored block, so that a row stays small and memory bounded. */
const maxBlockChars = 65_536;

interface Block {
  readonly first: TextEvent;
  readonly pieces: string[];
  chars: number;
}

/**
 * Joins the pieces in which a model's text arrives, so that a log stores one event for a block of text. A block ends
 * with the next other event of its session.
 */
export class TextBlocks {
  readonly #blocks = new Map<string, Block>();

  /** Takes the next event and returns the events that are complete, in order. */
  add(event: HaftEvent): readonly HaftEvent[] {
    if (isTextEvent(event)) return this.#addText(event);
    if (this.#blocks.size === 0) return [event];
    return [...this.#end(({ first }) => first.sessionId === event.sessionId), event];
  }

  /** Ends every block. */
  flush(): readonly HaftEvent[] {
    return this.#end(() => true);
  }

  get size(): number {
    return this.#blocks.size;
  }

  #addText(event: TextEvent): readonly HaftEvent[] {
    const key = textKey(event);
    const block = this.#blocks.get(key) ?? { first: event, pieces: [], chars: 0 };
    block.pieces.push(event.text);
    block.chars += event.text.length;
    this.#blocks.set(key, block);
    return block.chars < maxBlockChars ? [] : this.#end((each) => each === block);
  }

  #end(isEnded: (block: Block) => boolean): readonly HaftEvent[] {
    const ended: HaftEvent[] = [];
    for (const [key, block] of this.#blocks) {
      if (!isEnded(block)) continue;
      this.#blocks.delete(key);
      ended.push({ ...block.first, text: block.pieces.join("") });
    }
    return ended;
  }
}
