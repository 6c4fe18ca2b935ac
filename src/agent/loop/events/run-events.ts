import type { HaftEvent, Toolkit } from "../../../core/index.ts";
import { eventQueue, type EventQueue, type QueueLimits } from "./event-queue.ts";

/** Limits of the events that wait for one reader. */
const readerLimits: QueueLimits = { events: 10_000, chars: 4_000_000 };
/** Limits of the events that are held for readers that come late, or never. */
const historyLimits: QueueLimits = { events: 2000, chars: 1_000_000 };

/** Events of a run, for any number of readers. */
export interface RunEvents {
  readonly events: AsyncIterable<HaftEvent>;
  /** Ends the iterations if no `run-end` will arrive. */
  end(): void;
}

interface Reader {
  readonly queue: EventQueue;
  wake: (() => void) | undefined;
}

/**
 * Collects the events of a run's session, including its calls and child agents, and those that concern every session.
 * Ends with the run's own `run-end`. Each reader has a bounded queue of its own; what is held for late readers is bounded
 * too, so that a run without readers costs little.
 */
export function runEvents(toolkit: Toolkit, runId: string, sessionId: string): RunEvents {
  const history = eventQueue(runId, historyLimits);
  const readers = new Set<Reader>();
  let isOver = false;
  const over = (): void => {
    isOver = true;
    unsubscribe();
    for (const { wake } of readers) wake?.();
  };
  const unsubscribe = toolkit.events.subscribe((event) => {
    if (!concerns(event, sessionId)) return;
    history.push(event);
    for (const reader of readers) reader.queue.push(event);
    if (event.type === "run-end" && event.runId === runId) over();
    else for (const { wake } of readers) wake?.();
  });

  async function* read(): AsyncGenerator<HaftEvent, void, undefined> {
    const reader: Reader = { queue: eventQueue(runId, readerLimits), wake: undefined };
    const missed = history.peek();
    readers.add(reader);
    try {
      yield* missed;
      for (;;) {
        yield* reader.queue.take();
        if (!reader.queue.isEmpty) continue;
        if (isOver) return;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
        });
      }
    } finally {
      readers.delete(reader);
    }
  }

  return { end: over, events: { [Symbol.asyncIterator]: read } };
}

function concerns(event: HaftEvent, sessionId: string): boolean {
  if (event.sessionId === sessionId) return true;
  if (event.sessionId !== undefined) return false;
  return ["mode-change", "tools-change", "settings-change"].includes(event.type);
}
