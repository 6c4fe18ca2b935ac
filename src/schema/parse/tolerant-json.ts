import { scanString } from "./tolerant-string.ts";

/** Deviations from JSON that were tolerated, by kind, with a sentence for each. */
export type Forgiven = Map<string, string>;

/** One value parsed from text that strict parsing refused. */
export type TolerantReading =
  | {
      readonly kind: "read";
      readonly value: unknown;
      /** Offset just after the value. */
      readonly end: number;
      /** Description of where the text ended inside the value; undefined if only closing brackets were missing. */
      readonly cut: string | undefined;
    }
  | { readonly kind: "unreadable"; readonly at: number; readonly expected: string };

export interface TolerantOptions {
  readonly start: number;
  readonly forgiven: Forgiven;
  /** Whether to read the members of an object whose opening brace is missing. */
  readonly withoutOpener?: boolean;
}

/**
 * Parses one object, array or other value if only one interpretation is possible: other quotes, unquoted keys, Python
 * literals, comments, trailing commas, raw control characters, missing closing brackets. The characters of a string are
 * never guessed: an unescaped quote or an ambiguous escape makes the text unreadable.
 */
export function readTolerantly(text: string, options: TolerantOptions): TolerantReading {
  const cursor: Cursor = {
    text,
    at: options.start,
    depth: 0,
    cut: undefined,
    forgiven: options.forgiven,
  };
  try {
    const value =
      options.withoutOpener === true ? readMembers(cursor) : valueOr(readValue(cursor), undefined);
    return { kind: "read", value, end: cursor.at, cut: cursor.cut };
  } catch (error) {
    if (error instanceof Unreadable)
      return { kind: "unreadable", at: error.at, expected: error.expected };
    throw error;
  }
}

/** Offset of the first character that is neither whitespace nor part of a comment. */
export function skipBlanks(text: string, from: number): number {
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}

interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
  cut: string | undefined;
  readonly forgiven: Forgiven;
}

class Unreadable extends Error {
  readonly at: number;
  readonly expected: string;

  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

const absent = Symbol("absent");
const maxDepth = 400;
const blank = /[\s\uFEFF]*/uy;
const comment = /\/\*[^]*?\*\/|\/\/[^\n]*\n/uy;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const cutNumber = /-?[\d.eE+-]*$/uy;
const word = /[A-Za-z_$][\w$]*/uy;
const bareKey = /[A-Za-z_$][\w$-]*|\d+/uy;
const literals = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["True", true],
  ["False", false],
  ["None", null],
]);
function valueOr(value: unknown, otherwise: unknown): unknown {
  return value === absent ? otherwise : value;
}

function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  return pattern.exec(cursor.text)?.[0];
}

function skip(cursor: Cursor): void {
  for (;;) {
    cursor.at = skipBlanks(cursor.text, cursor.at);
    if (cursor.text[cursor.at] !== "/") return;
    const found = match(cursor, comment);
    // A line comment without a line end may have swallowed the rest of the arguments.
    if (found === undefined) throw new Unreadable(cursor.at, "no comment");
    cursor.forgiven.set("comment", "A comment was left out.");
    cursor.at += found.length;
  }
}

function readValue(cursor: Cursor): unknown {
  skip(cursor);
  const character = cursor.text[cursor.at];
  switch (character) {
    case undefined:
      cursor.cut ??= "before a value";
      return absent;
    case "{":
      cursor.at++;
      return readMembers(cursor);
    case "[":
      cursor.at++;
      return readItems(cursor);
    case '"':
    case "'":
      return readString(cursor, character);
    default:
      return character === "-" || (character >= "0" && character <= "9")
        ? readNumber(cursor)
        : readLiteral(cursor);
  }
}

function readMembers(cursor: Cursor): Record<string, unknown> {
  const members = new Map<string, unknown>();
  readSeries(cursor, {
    closer: "}",
    one: () => {
      const keyAt = cursor.at;
      const key = readKey(cursor);
      if (key === undefined) return absent;
      const value = readValue(cursor);
      if (value === absent) return absent;
      if (members.has(key)) throw new Unreadable(keyAt, `the key ${JSON.stringify(key)} only once`);
      members.set(key, value);
      return value;
    },
  });
  // `Object.fromEntries` defines own properties, including `__proto__`, as JSON.parse does.
  return Object.fromEntries(members);
}

function readItems(cursor: Cursor): unknown[] {
  const items: unknown[] = [];
  readSeries(cursor, {
    closer: "]",
    one: () => {
      const value = readValue(cursor);
      if (value !== absent) items.push(value);
      return value;
    },
  });
  return items;
}

interface Series {
  readonly closer: "}" | "]";
  /** Reads one member and returns its value, or `absent` if the text ended. */
  readonly one: () => unknown;
}

function readSeries(cursor: Cursor, { closer, one }: Series): void {
  if (++cursor.depth > maxDepth) throw new Unreadable(cursor.at, `at most ${maxDepth} levels`);
  let afterComma = false;
  for (;;) {
    skip(cursor);
    const next = cursor.text[cursor.at];
    if (next === undefined) {
      cursor.cut ??= afterComma ? "after a comma" : "after an opening bracket";
      break;
    }
    if (next === closer) {
      if (afterComma) cursor.forgiven.set("trailing-comma", "A trailing comma was left out.");
      cursor.at++;
      break;
    }
    const value = one();
    if (cursor.cut !== undefined) break;
    const end = cursor.at;
    skip(cursor);
    const separator = cursor.text[cursor.at];
    if (separator === undefined) {
      cursor.forgiven.set("missing-closer", "Closing brackets missing at the end were added.");
      break;
    }
    if (separator === closer) {
      cursor.at++;
      break;
    }
    afterComma = separator === ",";
    if (afterComma) cursor.at++;
    else if (!isMissingComma(cursor, { value, end, closer })) {
      throw new Unreadable(cursor.at, `a comma or ${closer}`);
    }
  }
  cursor.depth--;
}

/**
 * Whether a comma was omitted here. Only between lines and never after a string, which may contain an unescaped quote.
 */
function isMissingComma(
  cursor: Cursor,
  { value, end, closer }: { value: unknown; end: number; closer: string },
): boolean {
  const isClear =
    closer === "}" &&
    typeof value !== "string" &&
    cursor.text[cursor.at] === '"' &&
    cursor.text.slice(end, cursor.at).includes("\n");
  if (isClear) cursor.forgiven.set("missing-comma", "A comma missing between lines was added.");
  return isClear;
}

function readKey(cursor: Cursor): string | undefined {
  const quote = cursor.text[cursor.at];
  let key: string | undefined;
  if (quote === '"' || quote === "'") {
    key = readString(cursor, quote);
    if (cursor.cut !== undefined) {
      cursor.cut = "inside a key";
      return undefined;
    }
  } else {
    key = match(cursor, bareKey);
    if (key === undefined) throw new Unreadable(cursor.at, "a key in double quotes");
    cursor.at += key.length;
    cursor.forgiven.set("unquoted-key", "Keys without quotes were taken as text.");
  }
  skip(cursor);
  const separator = cursor.text[cursor.at];
  if (separator === undefined) {
    cursor.cut = "inside a key";
    return undefined;
  }
  if (separator !== ":") throw new Unreadable(cursor.at, "a colon after the key");
  cursor.at++;
  return key;
}

function readString(cursor: Cursor, quote: '"' | "'"): string {
  const scanned = scanString(cursor.text, cursor.at, quote);
  if (scanned.kind === "unreadable") throw new Unreadable(scanned.at, "an escape that JSON knows");
  if (quote === "'") cursor.forgiven.set("single-quotes", "Single quotes were taken as quotes.");
  if (scanned.hasRawControl) {
    cursor.forgiven.set(
      "raw-control-character",
      "Line breaks and tabs inside a string were kept as they stand.",
    );
  }
  if (scanned.hasOddEscape) {
    cursor.forgiven.set("invalid-escape", "A backslash before a plain character was kept.");
  }
  if (scanned.isCut) cursor.cut = "inside a string";
  cursor.at = scanned.end;
  return scanned.value;
}

function readNumber(cursor: Cursor): unknown {
  const digits = match(cursor, number);
  const end = cursor.at + (digits?.length ?? 0);
  if (match(cursor, cutNumber) !== undefined) {
    cursor.cut ??= "inside a number";
    cursor.at = cursor.text.length;
    return digits === undefined ? absent : Number(digits);
  }
  const next = cursor.text[end];
  if (digits === undefined || (next !== undefined && /[\w.+-]/u.test(next))) {
    throw new Unreadable(cursor.at, "a number");
  }
  cursor.at = end;
  return Number(digits);
}

function readLiteral(cursor: Cursor): unknown {
  const name = match(cursor, word) ?? "";
  const value = literals.get(name);
  if (value !== undefined) {
    if (/^[A-Z]/u.test(name)) {
      cursor.forgiven.set("python-literal", "True, False and None were taken as JSON literals.");
    }
    cursor.at += name.length;
    return value;
  }
  const isCut = name !== "" && cursor.at + name.length === cursor.text.length;
  if (isCut && [...literals.keys()].some((literal) => literal.startsWith(name))) {
    cursor.cut ??= "inside a word";
    cursor.at = cursor.text.length;
    return absent;
  }
  throw new Unreadable(cursor.at, "a value");
}
