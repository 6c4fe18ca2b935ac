const callbacks = new Set<() => void>();

/**
 * Calls back when this process exits, until the returned function is called. All hosts share one listener, because
 * Node.js warns of a leak from the eleventh listener on.
 */
export function atExit(callback: () => void): () => void {
  if (callbacks.size === 0) process.on("exit", callAll);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size === 0) process.off("exit", callAll);
  };
}

function callAll(): void {
  for (const callback of callbacks) {
    try {
      callback();
    } catch {
      // The other hosts have processes to end as well.
    }
  }
}
