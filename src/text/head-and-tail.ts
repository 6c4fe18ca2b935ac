export interface Shortened {
  readonly text: string;
  /** Number of characters left out. */
  readonly cutChars: number;
}

/**
 * The beginning and the end of a text within `limit` characters, cut at line ends if one is near, never inside a
 * surrogate pair. Failures state their reason at the end, so they get a longer tail.
 */
export function headAndTail(
  text: string,
  { limit, tailShare }: { readonly limit: number; readonly tailShare: number },
): Shortened {
  if (text.length <= limit) return { text, cutChars: 0 };
  const tailLength = Math.floor(limit * tailShare);
  const head = trimHead(text.slice(0, limit - tailLength));
  const tail = trimTail(text.slice(text.length - tailLength));
  const cutChars = text.length - head.length - tail.length;
  return { text: `${head}\n[… ${cutChars} characters left out …]\n${tail}`, cutChars };
}

/** Maximum number of characters between a cut and a line end that it moves to. */
const nearby = 200;

function trimHead(head: string): string {
  const newline = head.lastIndexOf("\n");
  if (newline > 0 && head.length - newline <= nearby) return head.slice(0, newline);
  return isHighSurrogate(head.charCodeAt(head.length - 1)) ? head.slice(0, -1) : head;
}

function trimTail(tail: string): string {
  const newline = tail.indexOf("\n");
  if (newline >= 0 && newline < nearby && newline < tail.length - 1) return tail.slice(newline + 1);
  return isLowSurrogate(tail.charCodeAt(0)) ? tail.slice(1) : tail;
}

/** A text whose beginning was cut off, from its next line or word on: half a secret could not be recognized as one. */
export function fromNextLine(text: string): string {
  const beginning = text.slice(0, nearby);
  const newline = beginning.indexOf("\n");
  const next = newline === -1 ? beginning.search(/\s/u) : newline;
  return next === -1 ? text.slice(nearby) : text.slice(next + 1);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
