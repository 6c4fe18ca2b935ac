const listeners = new Set<() => void>();

/** Calls back when nobody reads the output any more; returns what ends that. */
export function onReaderGone(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Tells that nobody reads the output any more. False where nobody has listened. */
export function tellReaderGone(): boolean {
  for (const listener of listeners) listener();
  return listeners.size > 0;
}
