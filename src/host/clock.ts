import { type HostClock, type HostOptions } from "../core/index.ts";
import { abortError, throwIfAborted } from "./aborted.ts";

/** The machine's clock. */
export const systemClock: HostClock = makeClock({
  now: () => Date.now(),
  timer(ms, callback, { keepsAlive = true } = {}) {
    const waiting: Waiting = { callback, ms: timerDelay(ms), keepsAlive, timer: undefined };
    unset.add(waiting);
    if (!isSetting) setImmediate(setTimers);
    isSetting = true;
    return () => {
      if (!unset.delete(waiting)) clearTimeout(waiting.timer);
    };
  },
});

interface Waiting {
  readonly callback: () => void;
  readonly ms: number;
  readonly keepsAlive: boolean;
  timer: NodeJS.Timeout | undefined;
}

/** Most work is done before the program turns to anything else, and a timer is then never set at all. */
const unset = new Set<Waiting>();
let isSetting = false;

function setTimers(): void {
  isSetting = false;
  for (const waiting of unset) {
    waiting.timer = setTimeout(waiting.callback, waiting.ms);
    // A program that waits for a tool that hangs has nothing else that keeps it alive.
    if (!waiting.keepsAlive) waiting.timer.unref();
  }
  unset.clear();
}

/** A clock whose `sleep` is built on a source's timers. */
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

/** A timer that is asked for more than this fires at once. */
const longestDelay = 2_147_483_647;

/** A delay that a timer of this program can keep; longer ones end after 24 days. */
export function timerDelay(ms: number): number {
  return Math.min(ms, longestDelay);
}
