/** Maximum nesting of lists and objects in an input, because code that reads inputs recurses once per level. */
export const maxInputDepth = 200;
/** Maximum number of values in an input, so that none takes minutes to read. */
const maxValues = 2_000_000;
/** Maximum number of fields in one object, because each unknown one is compared with all that the tool knows. */
const maxFields = 20_000;

/** An input as plain data, or the reason why it is not, worded as the end of a sentence. */
export type PlainInput =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly because: string };

/**
 * Copies an input and reads each part of it once, so that the judged value is the one that runs, even if a getter or a
 * proxy would return another value the next time. Iterative, so that no depth exhausts the stack. Dates, bytes, maps
 * and sets are left to the tool's own schema.
 */
export function plainInput(input: unknown): PlainInput {
  try {
    // Each byte would be a field that no tool knows.
    if (ArrayBuffer.isView(input)) return { ok: false, because: "it is bytes, not fields" };
    const root = { value: input };
    const because = copyInto(root);
    return because === undefined ? { ok: true, value: root.value } : { ok: false, because };
  } catch (error) {
    return { ok: false, because: `reading it failed: ${messageOf(error)}` };
  }
}

interface Level {
  readonly holder: Readonly<Record<string | number, unknown>>;
  readonly copy: Record<string, unknown> | unknown[];
  readonly keys: readonly (string | number)[];
  next: number;
}

function copyInto(root: { value: unknown }): string | undefined {
  const levels: Level[] = [];
  let left = maxValues;
  let problem: string | undefined;

  /** There are few levels, and mostly one. */
  function isOpen(value: object): boolean {
    for (const { holder } of levels) if (holder === value) return true;
    return false;
  }

  /** The value as it is kept; a holder is filled in later. */
  function taken(value: unknown): unknown {
    if (!isHolder(value) || isOpaque(value)) {
      problem ??= scalarProblem(value);
      return value;
    }
    if (isOpen(value)) problem ??= "it contains itself";
    else if (levels.length >= maxInputDepth) {
      problem ??= `it is nested deeper than ${maxInputDepth} levels`;
    }
    const isList = Array.isArray(value);
    const length = isList ? value.length : 0;
    if (length > left) problem ??= tooMany;
    if (problem !== undefined) return undefined;
    const keys = isList ? Array.from({ length }, (_, index) => index) : Object.keys(value);
    if (!isList && keys.length > maxFields) {
      problem = `one of its objects has more than ${maxFields} fields`;
    }
    left -= keys.length;
    if (left < 0) problem = tooMany;
    const copy = isList ? [] : {};
    levels.push({ holder: value, copy, keys, next: 0 });
    return copy;
  }

  root.value = taken(root.value);
  for (let level = levels.at(-1); problem === undefined && level !== undefined;) {
    const key = level.keys[level.next];
    if (key === undefined) {
      levels.pop();
    } else {
      level.next += 1;
      keep(level.copy, key, taken(level.holder[key]));
    }
    level = levels.at(-1);
  }
  return problem;
}

const tooMany = `it has more than ${maxValues} values`;

function keep(copy: Level["copy"], key: string | number, value: unknown): void {
  if (Array.isArray(copy)) copy.push(value);
  // Assigned, it would become the prototype.
  else if (key === "__proto__") {
    Object.defineProperty(copy, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  } else copy[key] = value;
}

function isHolder(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) {
    return false;
  }
  return (
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof URL ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value)
  );
}

function scalarProblem(value: unknown): string | undefined {
  const type = typeof value;
  return type === "bigint" || type === "function" || type === "symbol"
    ? `it holds a ${type}, which JSON has no form for`
    : undefined;
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "what it threw cannot be read";
  }
}
