import { ToolError, type HostClock } from "../../core/index.ts";

/** The part of a host's clock that a run needs. */
export type RunClock = Pick<HostClock, "sleep" | "timer">;

/** Maximum delay of a timer in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** The system clock, for a run without one of its own. */
export const systemClock: RunClock = {
  sleep: async (ms, options = {}) => {
    const { signal } = options;
    await new Promise<void>((resolve, reject) => {
      const abort = (): void => {
        clearTimeout(timer);
        reject(new ToolError("ABORTED", "The wait was aborted."));
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
        Math.min(ms, longestTimer),
      );
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  },
  timer(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, longestTimer));
    return () => clearTimeout(timer);
  },
};
