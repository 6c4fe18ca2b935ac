import type { HaftEvent } from "../../../core/index.ts";
import { charsOf } from "../../../session/index.ts";

export interface QueueLimits {
  readonly events: number;
  /** Characters of text in the events. */
  readonly chars: number;
}

/**
 * Events waiting for one reader, bounded. Text of one block is joined to one event, so that no text is lost to the number
 * of its pieces. Beyond the limits the oldest events are dropped, output and progress first, and their number is
 * reported in an event at their position.
 */
export interface EventQueue {
  push(event: HaftEvent): void;
  /** Removes and returns everything. */
  take(): readonly HaftEvent[];
  /** Everything, without removing it. */
  peek(): readonly HaftEvent[];
  readonly isEmpty: boolean;
}

interface Entry {
  event: HaftEvent;
  chars: number;
}

export function eventQueue(runId: string, limits: QueueLimits): EventQueue {
  let entries: Entry[] = [];
  /** Index of the first entry: dropping is a step, not a copy. */
  let start = 0;
  let chars = 0;
  let dropped = 0;

  const count = (): number => entries.length - start;
  const drop = (): void => {
    // Half is dropped at once, so that a full queue does not search itself for each new event.
    const passing = entries.slice(start).filter(({ event }) => isPassing(event));
    const aim = { events: limits.events / 2, chars: limits.chars / 2 };
    if (passing.length > 0) {
      entries = entries.slice(start).filter(({ event }) => !isPassing(event));
      start = 0;
      dropped += passing.length;
      chars -= passing.reduce((sum, entry) => sum + entry.chars, 0);
    }
    while (count() > 1 && (count() > aim.events || chars > aim.chars)) {
      chars -= entries[start]?.chars ?? 0;
      start += 1;
      dropped += 1;
    }
    entries = entries.slice(start);
    start = 0;
  };
  const events = (): readonly HaftEvent[] => {
    const shown = entries.slice(start).map(({ event }) => event);
    const first = shown[0];
    if (dropped === 0 || first === undefined) return shown;
    const { seq, at, sessionId } = first;
    return [{ type: "events-dropped", runId, count: dropped, seq, at, sessionId }, ...shown];
  };
  return {
    push(event) {
      const size =
        event.type === "model-text" || event.type === "model-reasoning"
          ? event.text.length
          : charsOf(event);
      const last = entries.at(-1);
      const joined = last === undefined ? undefined : joinedText(last.event, event);
      if (last === undefined || joined === undefined) entries.push({ event, chars: size });
      else {
        last.event = joined;
        last.chars += size;
      }
      chars += size;
      if (count() > limits.events || chars > limits.chars) drop();
    },
    take() {
      const taken = events();
      entries = [];
      start = 0;
      chars = 0;
      dropped = 0;
      return taken;
    },
    peek: events,
    get isEmpty() {
      return count() === 0;
    },
  };
}

/** Both events as one, if they are pieces of the same text. */
function joinedText(one: HaftEvent, other: HaftEvent): HaftEvent | undefined {
  if (one.type !== "model-text" && one.type !== "model-reasoning") return undefined;
  if (other.type !== one.type || other.runId !== one.runId || other.turn !== one.turn)
    return undefined;
  return { ...other, text: one.text + other.text };
}

function isPassing({ type }: HaftEvent): boolean {
  return type === "call-output" || type === "call-progress";
}
