import { type HostClock, type HostOptions } from "../core/index.ts";
import { abortError, throwIfAborted } from "./aborted.ts";

/** The machine's clock. */
export const systemClock: HostClock = makeClock({
  now: () => Date.now(),
  timer(ms, callback, { keepsAlive = true } = {}) {
    const at = unset.length;
    const waiting: Waiting = { callback, ms: timerDelay(ms), keepsAlive, at, timer: undefined };
    if (!isSetting) setImmediate(setTimers);
    isSetting = true;
    unset.push(waiting);
    return () => {
      if (unset[waiting.at] === waiting) forget(waiting);
      else clearTimeout(waiting.timer);
    };
  },
});

interface Waiting {
  readonly callback: () => void;
  readonly ms: number;
  readonly keepsAlive: boolean;
  /** Index in the list of those that are not started. */
  at: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Timers that are not started yet: most work ends before the event loop turns, and then no timer is needed. An array,
 * because the table of a set that was cleared keeps its entries and refers to the next table: once it is in the old
 * generation of the heap, it keeps everything that later timers refer to until a full collection.
 */
let unset: Waiting[] = [];
let isSetting = false;

function setTimers(): void {
  const due = unset;
  unset = [];
  isSetting = false;
  for (const waiting of due) {
    waiting.timer = setTimeout(waiting.callback, waiting.ms);
    // A program that waits for a hanging tool may have nothing else that keeps it alive.
    if (!waiting.keepsAlive) waiting.timer.unref();
  }
}

function forget(waiting: Waiting): void {
  const last = unset.pop();
  if (last === undefined || last === waiting) return;
  unset[waiting.at] = last;
  last.at = waiting.at;
}

/** A clock whose `sleep` uses the timers of `source`. */
export function makeClock(source: Pick<HostClock, "now" | "timer">): HostClock {
  return {
    now: source.now,
    timer: source.timer,
    async sleep(ms: number, options?: HostOptions): Promise<void> {
      const signal = options?.signal;
      throwIfAborted(signal);
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          cancel();
          if (signal !== undefined) reject(abortError(signal));
        };
        const cancel = source.timer(ms, () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
  };
}

/** Maximum delay of a timer in milliseconds; with a longer one it fires at once. */
const longestDelay = 2_147_483_647;

/** A delay that a timer supports, in milliseconds; longer ones are limited to 24 days. */
export function timerDelay(ms: number): number {
  return Math.min(ms, longestDelay);
}
