import type { AgentRecord } from "./agent-record.ts";

export interface TimerClock {
  now(): number;
  timer(ms: number, callback: () => void): () => void;
}

/**
 * Stops an agent that has had no event for some time: its model, a tool or another program's agent hangs. An agent that
 * waits for the user's answer is not idle. Events of the agents below it count.
 */
export function watchIdle(record: AgentRecord, idleMs: number, clock: TimerClock): () => void {
  let cancel: (() => void) | undefined;
  const look = (): void => {
    const idleFor = clock.now() - record.lastActivityAt;
    if (record.openQuestions === 0 && idleFor >= idleMs) {
      record.abort(`No event of the agent for ${Math.round(idleMs / 1000)} s.`);
      return;
    }
    cancel = clock.timer(record.openQuestions > 0 ? idleMs : idleMs - idleFor, look);
  };
  cancel = clock.timer(idleMs, look);
  return () => cancel?.();
}
