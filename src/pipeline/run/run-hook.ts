import type { CallPlace } from "../environment/environment.ts";

/** Milliseconds a hook has to decide whether a call may continue. */
export const hookMs = 60_000;

/** Resolves to a hook's answer, or rejects once it has taken too long; a later answer is dropped. */
export async function withinHookTime<T>(
  answering: Promise<T>,
  { host }: CallPlace,
  ms = hookMs,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = host.clock.timer(ms, () =>
    reject(new Error(`it did not answer within ${ms / 1000} s`)),
  );
  try {
    return await Promise.race([answering, promise]);
  } finally {
    cancel();
  }
}
