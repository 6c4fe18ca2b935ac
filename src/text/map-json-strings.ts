import { isObject } from "./deep-equal.ts";

/** Maximum depth, beyond any real value; also ends circular structures. */
const maxDepth = 400;
/** Maximum number of values visited: a sparse list, or one object referenced many times, could take forever. */
const maxValues = 4_000_000;
let left = 0;

/**
 * The value with `change` applied to every string in it, or the same value if nothing changes. Undefined for values
 * that JSON cannot represent: circular structures, functions, big integers, maps, sets, and objects that throw when
 * they are read.
 */
export function plainJson(value: unknown, change: (text: string) => string): unknown {
  left = maxValues;
  try {
    return copied(value, change, 0);
  } catch {
    return undefined;
  }
}

/** The same with the type of the value, which changed strings do not affect. */
export function withStrings<T>(value: T, change: (text: string) => string): T | undefined {
  const plain = plainJson(value, change);
  return keepsShape(value, plain) ? plain : undefined;
}

function keepsShape<T>(_value: T, plain: unknown): plain is T {
  return plain !== undefined;
}

function copied(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol") {
    throw new TypeError("JSON has no such value.");
  }
  if (!isObject(value)) return value;
  // Their content is not in properties, so no string in them would be changed.
  if (value instanceof Map || value instanceof Set) throw new TypeError("JSON has no such value.");
  left -= Array.isArray(value) ? value.length + 1 : 1;
  if (left < 0) throw new TypeError("This is too much.");
  // Also ends circular structures: the first path that reaches the limit rejects the whole value.
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
  // An index loop, because this runs for every event.
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
  // Inherited properties are read too but not copied: a list of own keys costs more than reading them.
  for (const key in record) {
    const item = record[key];
    const changed = copied(item, change, depth);
    if (changed !== item && Object.hasOwn(record, key)) {
      (copy ??= new Map(Object.entries(record))).set(key, changed);
    }
  }
  return copy === undefined ? record : Object.fromEntries(copy);
}
