import type { HaftEvent, Toolkit } from "../core/index.ts";

/** Events held for a reader that does not keep up; past it only what can be missed is left out. */
const maxWaiting = 10_000;

/** A run's events, from its start to its end. One reader; what it has not read yet is kept for it. */
export interface RunEvents {
  readonly events: AsyncIterable<HaftEvent>;
  /** Ends the list where no `run-end` will come. */
  end(): void;
}

/**
 * Collects what happens in a run's session, its calls and its child agents included, and what concerns every
 * session. Ends with the run's own `run-end`.
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
          // A reader that left early wants no more, and nothing is kept for it.
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
