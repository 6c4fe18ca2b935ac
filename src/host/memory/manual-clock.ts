import type { HostClock } from "../../core/index.ts";
import { makeClock } from "../clock.ts";

/** A clock that moves only when `advance` is called. */
export interface ManualClock {
  readonly clock: HostClock;
  /** Moves time forward by `ms` milliseconds and calls every timer that falls due, in order, each at its own time. */
  advance(ms: number): void;
}

export function manualClock(startMs: number): ManualClock {
  let time = startMs;
  let order = 0;
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>();

  function timer(ms: number, callback: () => void): () => void {
    order += 1;
    const key = order;
    timers.set(key, { at: time + Math.max(0, ms), callback });
    return () => {
      timers.delete(key);
    };
  }

  function advance(ms: number): void {
    const end = time + ms;
    for (let next = earliest(end); next !== undefined; next = earliest(end)) {
      const [key, due] = next;
      timers.delete(key);
      time = Math.max(time, due.at);
      due.callback();
    }
    time = end;
  }

  function earliest(end: number): [number, { at: number; callback: () => void }] | undefined {
    let found: [number, { at: number; callback: () => void }] | undefined;
    for (const entry of timers) {
      if (entry[1].at <= end && (found === undefined || entry[1].at < found[1].at)) found = entry;
    }
    return found;
  }

  return { clock: makeClock({ now: () => time, timer }), advance };
}
