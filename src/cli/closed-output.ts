const listeners = new Set<() => void>();

/** Calls the listener when the reader of the output is gone; returns a function that removes the listener. */
export function onReaderGone(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Notifies the listeners that the reader of the output is gone. Returns false if there are none. */
export function tellReaderGone(): boolean {
  for (const listener of listeners) listener();
  return listeners.size > 0;
}
