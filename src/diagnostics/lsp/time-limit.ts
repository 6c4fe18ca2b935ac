import { ToolError, type HostClock } from "../../core/index.ts";

/** End of a wait. */
export interface TimeLimit {
  /** Milliseconds that are left; 0 once it is over. */
  readonly left: () => number;
  readonly signal: AbortSignal | undefined;
}

export function timeLimit(
  clock: HostClock,
  ms: number,
  signal: AbortSignal | undefined,
): TimeLimit {
  const end = clock.now() + ms;
  return { left: () => Math.max(0, end - clock.now()), signal };
}

/** Waits for work until the limit; the work itself continues. */
export async function within<T>(
  work: Promise<T>,
  { left, signal }: TimeLimit,
  clock: HostClock,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new ToolError("ABORTED", "The call was aborted."));
  const cancel = clock.timer(left(), () =>
    reject(
      new ToolError("TIMEOUT", "The language server is not ready yet.", {
        hint: "Try again in a moment; a large project takes time to load.",
      }),
    ),
  );
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    cancel();
    signal?.removeEventListener("abort", onAbort);
    // Work that is given up may fail later.
    work.catch(() => undefined);
  }
}
