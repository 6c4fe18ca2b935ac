import { ToolError } from "../../../core/index.ts";

/**
 * Yields from `source` until the signal aborts: then throws its reason immediately, whether or not the source listens to
 * the signal itself. An abandoned source is asked to return but not awaited.
 */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = source[Symbol.asyncIterator]();
  const { aborted, forget } = rejectOnAbort(signal);
  try {
    for (;;) {
      const next = await Promise.race([aborted, iterator.next()]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    forget();
    iterator.return?.().catch(() => undefined);
  }
}

/** Result of work that may not listen to the signal; rejects with the signal's reason as soon as it aborts. */
export async function orAborted<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
  const { aborted, forget } = rejectOnAbort(signal);
  try {
    return await Promise.race([aborted, Promise.resolve(work())]);
  } finally {
    forget();
  }
}

interface Abortion {
  /** Rejects when the signal aborts, and never fulfills. */
  readonly aborted: Promise<never>;
  readonly forget: () => void;
}

function rejectOnAbort(signal: AbortSignal): Abortion {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  return { aborted: promise, forget: onAbort(signal, () => reject(reasonOf(signal))) };
}

/** Calls the listener once when the signal aborts, or at once if it has; the returned function removes it. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) listener();
  else signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

function reasonOf({ reason }: AbortSignal): ToolError {
  return ToolError.is(reason) ? reason : new ToolError("ABORTED", "The run was aborted.");
}
