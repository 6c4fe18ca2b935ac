/** Range of a text that is a private key. */
export interface KeySpan {
  readonly start: number;
  readonly end: number;
}

/** Maximum length of a key; longer than any key block in use, including line numbers and quotes. */
export const maxKeyChars = 40_000;

const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/uy;
const end = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/uy;

/** Minimum run of key material; text that only mentions keys has none. */
const material = /[A-Za-z0-9+/]{16}/u;

/** The key that begins at `-----BEGIN `, up to its end line or as far as the following lines look like key material. */
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

/** Whether a key could begin here once more text has arrived. */
export function mayBeginKey(text: string, start: number): boolean {
  begin.lastIndex = start;
  if (begin.test(text)) return true;
  const rest = text.slice(start, start + longestMark);
  return rest.length < longestMark && /^-----BEGIN [A-Z0-9 ]*-*$/u.test(rest);
}

const longestMark = 80;

/** End of a key whose beginning was cut off; nothing before `from` belongs to it. */
export function keyUpTo(text: string, mark: number, from: number): KeySpan | undefined {
  end.lastIndex = mark;
  if (!end.test(text)) return undefined;
  const start = mark - materialAtEnd(text.slice(Math.max(from, mark - maxKeyChars), mark));
  return start === mark ? undefined : { start, end: end.lastIndex };
}

/** Line breaks of files, and escaped line breaks of JSON and source code. */
const lineBreak = /\r?\n|\\r?\\n|\\n/gu;

/** The line without what may surround its key material: line number, diff markers, quotes. */
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

/** Number of characters at the beginning of a text that are key lines; 0 if there are too few lines for a key. */
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
      isKey ||= !isShort;
      length = lineEnd;
      // Only the last line of a key is short, or a line that is still being written.
      if (isShort) break;
    }
    at = found === null ? text.length : lineBreak.lastIndex;
  }
  return isKey ? length : 0;
}

/** Number of characters at the end of a text that are key lines. */
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
