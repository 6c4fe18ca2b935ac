/**
 * What is opened when its first item is asked for, and then read with nothing in between: a generator that only passes
 * on makes several promises for each item.
 */
export function openedLater<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterableIterator<T> {
  let items: AsyncIterator<T> | undefined;
  let opening: Promise<AsyncIterator<T>> | undefined;
  /** Who asked before it was opened, and goes before all who ask later. */
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
    // Also who leaves before the first item has it closed.
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
