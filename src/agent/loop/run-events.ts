import type { HaftEvent, Toolkit } from "../../core/index.ts";

/** Maximum number of events buffered for a slow reader; beyond it, only events that can be missed are dropped. */
const maxWaiting = 10_000;

/** Events of a run, from start to end. For one reader; unread events are buffered. */
export interface RunEvents {
  readonly events: AsyncIterable<HaftEvent>;
  /** Ends the iteration if no `run-end` will arrive. */
  end(): void;
}

/**
 * Collects the events of a run's session, including its calls and child agents, and those that concern every session.
 * Ends with the run's own `run-end`.
 */
export function runEvents(toolkit: Toolkit, runId: string, sessionId: string): RunEvents {
  let waiting: HaftEvent[] = [];
  let isOver = false;
  let wake: (() => void) | undefined;
  const over = (): void => {
    isOver = true;
    unsubscribe();
    wake?.();
  };
  const unsubscribe = toolkit.subscribe((event) => {
    if (isOver || !concerns(event, sessionId)) return;
    if (waiting.length < maxWaiting || !isPassing(event)) waiting.push(event);
    if (event.type === "run-end" && event.runId === runId) over();
    else wake?.();
  });

  return {
    end: over,
    events: {
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) {
            const batch = waiting;
            waiting = [];
            yield* batch;
            if (waiting.length > 0) continue;
            if (isOver) return;
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        } finally {
          // The reader stopped early, so nothing more is buffered.
          isOver = true;
          waiting = [];
          unsubscribe();
        }
      },
    },
  };
}

function concerns(event: HaftEvent, sessionId: string): boolean {
  if (event.sessionId === sessionId) return true;
  return event.type === "mode-change" || event.type === "tools-change";
}

function isPassing({ type }: HaftEvent): boolean {
  return type === "call-output" || type === "call-progress";
}
