/** What of a text is a private key. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Longer than the block of any key in use, line numbers and quotes included. */
export const maxKeyChars = 40_000;

const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/uy;
const end = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/uy;

/** A run this long is key material; text that only speaks of keys has none. */
const material = /[A-Za-z0-9+/]{16}/u;

/** The key that begins where `-----BEGIN ` stands: up to its end, or as far as what follows looks like one. */
export function keyFrom(text: string, start: number, nextEnd: number): KeySpan | undefined {
  begin.lastIndex = start;
  if (!begin.test(text)) return undefined;
  const bodyStart = begin.lastIndex;
  const isNear = nextEnd >= 0 && nextEnd - bodyStart <= maxKeyChars;
  const near = text.slice(bodyStart, isNear ? nextEnd : bodyStart + maxKeyChars);
  const another = near.indexOf("-----BEGIN ");
  const body = another === -1 ? near : near.slice(0, another);
  end.lastIndex = Math.max(0, nextEnd);
  if (isNear && another === -1 && end.test(text)) {
    return material.test(body) ? { start, end: end.lastIndex } : undefined;
  }
  const length = materialAtStart(body);
  return length === 0 ? undefined : { start, end: bodyStart + length };
}

/** Whether a key could begin here once more text has come. */
export function mayBeginKey(text: string, start: number): boolean {
  begin.lastIndex = start;
  if (begin.test(text)) return true;
  const rest = text.slice(start, start + longestMark);
  return rest.length < longestMark && /^-----BEGIN [A-Z0-9 ]*-*$/u.test(rest);
}

const longestMark = 80;

/** The end of a key whose beginning was cut off before; nothing before `from` belongs to it. */
export function keyUpTo(text: string, mark: number, from: number): KeySpan | undefined {
  end.lastIndex = mark;
  if (!end.test(text)) return undefined;
  const start = mark - materialAtEnd(text.slice(Math.max(from, mark - maxKeyChars), mark));
  return start === mark ? undefined : { start, end: end.lastIndex };
}

/** Lines as they stand in files, and in texts of JSON and code where a line break is written out. */
const lineBreak = /\r?\n|\\r?\\n|\\n/gu;

/** Without what may stand around the material of a line: its number, marks of a difference, quotes. */
function bare(line: string): string {
  let first = 0;
  let last = line.length;
  while (first < last && beside.has(line.charAt(first))) first += 1;
  while (last > first && beside.has(line.charAt(last - 1))) last -= 1;
  const number = /^\d{1,6}[\t:|-]/u.exec(line.slice(first, Math.min(last, first + 8)));
  if (number === null) return line.slice(first, last);
  first += number[0].length;
  while (first < last && beside.has(line.charAt(first))) first += 1;
  return line.slice(first, last);
}

const beside: ReadonlySet<string> = new Set(" \t\r>|\"'`,;\\-");

const header = /^[A-Z][A-Za-z-]{2,20}: .{0,100}$/u;

/** Characters at the beginning of a text that are lines of a key; 0 where they are too few to be one. */
function materialAtStart(text: string): number {
  let length = 0;
  let at = 0;
  let isKey = false;
  lineBreak.lastIndex = 0;
  while (at < text.length) {
    lineBreak.lastIndex = at;
    const found = lineBreak.exec(text);
    const lineEnd = found?.index ?? text.length;
    const line = bare(text.slice(at, lineEnd));
    const isLine = /^[A-Za-z0-9+/=]*$/u.test(line);
    if (!isLine && (isKey || !header.test(line))) break;
    if (line.length > 0 && isLine) {
      const isShort = !material.test(line);
      // The last line of a key may be short, and so may one that is still being written.
      if (isShort && !isKey && found !== null) break;
      isKey ||= !isShort;
      length = lineEnd;
      if (isShort) break;
    }
    at = found === null ? text.length : lineBreak.lastIndex;
  }
  return isKey ? length : 0;
}

/** Characters at the end of a text that are lines of a key. */
function materialAtEnd(text: string): number {
  let at = text.length;
  let length = 0;
  while (at > 0) {
    const lineStart = text.lastIndexOf("\n", at - 1) + 1;
    const line = bare(text.slice(lineStart, at));
    if (line !== "" && !/^[A-Za-z0-9+/]{16,}={0,2}$/u.test(line)) {
      // The last line of a key may be short.
      if (length > 0 || !/^[A-Za-z0-9+/]{1,64}={0,2}$/u.test(line)) break;
    }
    if (line !== "") length = text.length - lineStart;
    at = lineStart - 1;
  }
  return length;
}
