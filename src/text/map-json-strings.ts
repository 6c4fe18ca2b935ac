/** Deeper than any answer is; what goes on for ever ends here too. */
const maxDepth = 400;
/** Values looked at: a sparse list, or one part named again and again, has more than any time is enough for. */
const maxValues = 4_000_000;
let left = 0;

/**
 * The value with `change` made to every text in it, the very same value where that changes nothing. Undefined for
 * what JSON cannot carry: circles, functions, big integers, maps, sets, and what throws when it is looked at.
 */
export function plainJson(value: unknown, change: (text: string) => string): unknown {
  left = maxValues;
  try {
    return copied(value, change, 0);
  } catch {
    return undefined;
  }
}

function copied(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError("JSON has no such value.");
  }
  if (!isHolder(value)) return value;
  // Nothing in these is a property, so nothing in them would be changed.
  if (value instanceof Map || value instanceof Set) throw new TypeError("JSON has no such value.");
  left -= Array.isArray(value) ? value.length + 1 : 1;
  if (left < 0) throw new TypeError("This is too much.");
  // A circle is met here as well, and the first way that comes so deep ends all of it.
  if (depth >= maxDepth) throw new TypeError("This has no end.");
  return Array.isArray(value)
    ? copiedList(value, change, depth + 1)
    : copiedRecord(value, change, depth + 1);
}

function copiedList(
  list: readonly unknown[],
  change: (text: string) => string,
  depth: number,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  // Counted, not iterated: every event comes by here.
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index];
    const changed = copied(item, change, depth);
    if (changed !== item) (copy ??= [...list])[index] = changed;
  }
  return copy ?? list;
}

function copiedRecord(
  record: Readonly<Record<string, unknown>>,
  change: (text: string) => string,
  depth: number,
): object {
  let copy: Map<string, unknown> | undefined;
  // What it inherits is looked at too, and is not copied: making a list of its own keys costs more than the look.
  for (const key in record) {
    const item = record[key];
    const changed = copied(item, change, depth);
    if (changed !== item && Object.hasOwn(record, key)) {
      (copy ??= new Map(Object.entries(record))).set(key, changed);
    }
  }
  return copy === undefined ? record : Object.fromEntries(copy);
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
