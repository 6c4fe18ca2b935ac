/**
 * An iterable that is opened on the first request and then read directly: a generator that only forwards would create
 * several promises per item.
 */
export function openedLater<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterableIterator<T> {
  let items: AsyncIterator<T> | undefined;
  let opening: Promise<AsyncIterator<T>> | undefined;
  /** Number of requests made before it was open; they are served before all later ones. */
  let waiting = 0;
  let isOver = false;
  const opened = async (): Promise<AsyncIterator<T>> => (await open())[Symbol.asyncIterator]();
  const first = async (): Promise<IteratorResult<T>> => {
    waiting += 1;
    const found = await (opening ??= opened());
    waiting -= 1;
    if (waiting === 0) items = found;
    return await found.next();
  };
  return {
    next: () => {
      if (items !== undefined) return items.next();
      return isOver ? Promise.resolve({ done: true, value: undefined }) : first();
    },
    // Closes it also if the caller stops before the first item.
    return: async () => {
      isOver = true;
      await (await opening?.catch(() => undefined))?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
