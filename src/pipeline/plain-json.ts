/** Deeper than any answer is; what goes on for ever ends here too. */
const maxDepth = 400;

/**
 * The value with `change` made to every text in it, the very same value where that changes nothing. Undefined for
 * what JSON cannot carry: circles, functions, big integers, and what throws when it is looked at.
 */
export function plainJson(value: unknown, change: (text: string) => string): unknown {
  try {
    return copied(value, { change, above: [] });
  } catch {
    return undefined;
  }
}

interface Walk {
  readonly change: (text: string) => string;
  readonly above: object[];
}

function copied(value: unknown, walk: Walk): unknown {
  if (typeof value === "string") return walk.change(value);
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError("JSON has no such value.");
  }
  if (typeof value !== "object" || value === null) return value;
  const { above } = walk;
  if (above.length >= maxDepth || above.includes(value)) throw new TypeError("This has no end.");
  above.push(value);
  const copy = Array.isArray(value) ? copiedList(value, walk) : copiedRecord(value, walk);
  above.pop();
  return copy;
}

function copiedList(list: readonly unknown[], walk: Walk): readonly unknown[] {
  let copy: unknown[] | undefined;
  // Counted, not iterated: every event comes by here.
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const changed = copied(item, walk);
    if (changed !== item) (copy ??= [...list])[index] = changed;
  }
  return copy ?? list;
}

function copiedRecord(record: object, walk: Walk): object {
  let copy: Map<string, unknown> | undefined;
  for (const key of Object.keys(record)) {
    const item: unknown = Reflect.get(record, key);
    const changed = copied(item, walk);
    if (changed !== item) (copy ??= new Map(Object.entries(record))).set(key, changed);
  }
  return copy === undefined ? record : Object.fromEntries(copy);
}
