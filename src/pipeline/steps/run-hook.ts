import type { PipelineEnvironment } from "../environment.ts";

/** Milliseconds a hook has to say whether a call may go on. */
export const hookMs = 60_000;

/** What a hook answers, or an error once it has taken too long; what it says later is dropped. */
export async function withinHookTime<T>(
  answering: Promise<T>,
  { host }: Pick<PipelineEnvironment, "host">,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = host.clock.timer(hookMs, () =>
    reject(new Error(`it did not answer within ${hookMs / 1000} s`)),
  );
  try {
    return await Promise.race([answering, promise]);
  } finally {
    cancel();
  }
}
