/**
 * What is opened when its first item is asked for, and then read with nothing in between: a generator that only passes
 * on makes several promises for each item.
 */
export function openedLater<T>(open: () => Promise<AsyncIterable<T>>): AsyncIterableIterator<T> {
  let items: AsyncIterator<T> | undefined;
  let opening: Promise<AsyncIterator<T>> | undefined;
  let isOver = false;
  const opened = async (): Promise<AsyncIterator<T>> => {
    items = (await open())[Symbol.asyncIterator]();
    return items;
  };
  const first = async (): Promise<IteratorResult<T>> => await (await (opening ??= opened())).next();
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
