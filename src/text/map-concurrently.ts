/** Items handled at the same time. */
const width = 16;

/**
 * What came of each item, in their order. Keeps a tree from waiting for one file after the other, without opening all of
 * them at once. Nothing goes on behind a failure.
 */
export async function inBatches<T, R>(
  items: readonly T[],
  handle: (item: T) => Promise<R>,
): Promise<R[]> {
  const [only] = items;
  // Most calls change one file.
  if (items.length === 1 && only !== undefined) return [await handle(only)];
  const results: R[] = [];
  for (let at = 0; at < items.length; at += width) {
    for (const each of await Promise.allSettled(items.slice(at, at + width).map(handle))) {
      if (each.status === "rejected") throw each.reason;
      results.push(each.value);
    }
  }
  return results;
}
