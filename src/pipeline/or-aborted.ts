import { ToolError } from "../core/index.ts";

/**
 * What `work` comes to, or ABORTED as soon as the signal fires: whoever is waited for may never answer, and an
 * aborted call ends all the same. What work left behind comes to later is dropped.
 */
export async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  message?: string,
): Promise<T> {
  if (signal === undefined) return await work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(abortedBefore(message));
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

export function abortedBefore(message = "The call was aborted before it ran."): ToolError {
  return new ToolError("ABORTED", message, {
    hint: "Nothing was done; call it again when it is wanted.",
  });
}
