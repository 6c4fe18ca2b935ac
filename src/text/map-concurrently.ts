/** Number of items handled at the same time. */
const width = 16;

/**
 * The result for each item, in order. Handles several items at once, so that a tree does not wait for one file after
 * the other and does not open all of them together. A failure starts no further items.
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
