/** Notifies a listener; a failure of the listener, now or later, does not affect the caller. */
export function quietly<A extends readonly unknown[]>(
  watch: ((...told: A) => unknown) | undefined,
  ...told: A
): void {
  if (watch === undefined) return;
  try {
    const returned = watch(...told);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // A failing listener does not affect the caller.
  }
}
