/** Tells somebody who watches; a watcher that fails, now or later, does not harm what is watched. */
export function quietly<A extends readonly unknown[]>(
  watch: ((...told: A) => unknown) | undefined,
  ...told: A
): void {
  if (watch === undefined) return;
  try {
    const returned = watch(...told);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // See above.
  }
}
