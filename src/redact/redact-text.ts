import { keyFrom, keyUpTo, maxKeyChars, mayBeginKey } from "./private-key.ts";
import { signSearch } from "./prefix-search.ts";
import { secretPatterns, type SecretPattern } from "./patterns.ts";

/** Placeholder that replaces a secret in a text. */
export function redactionMark(name: string): string {
  return `[redacted: ${name}]`;
}

const privateKey = "private key";

/** All placeholders, to recognize one that is copied back. */
const marks: ReadonlySet<string> = new Set(
  [privateKey, ...secretPatterns.map(({ name }) => name)].map(redactionMark),
);

/** The distinct placeholders in a text. */
export function redactionMarks(text: string): readonly string[] {
  if (!text.includes("[redacted: ")) return [];
  const found = text.match(/\[redacted: [^\]\n]{1,40}\]/gu) ?? [];
  return [...new Set(found)].filter((mark) => marks.has(mark));
}

const keyBegin = "-----BEGIN ";
const keyEnd = "-----END ";
const bySign = new Map<string, readonly SecretPattern[]>();
for (const pattern of secretPatterns) {
  for (const sign of pattern.signs) bySign.set(sign, [...(bySign.get(sign) ?? []), pattern]);
}
const signs = [...bySign.keys(), keyBegin, keyEnd];
const nextSign = signSearch(signs);

/** Recent short texts without a prefix: names, rules and reasons recur with every call. */
const clean = new Set<string>();
const maxClean = 1000;
const maxCleanChars = 250;
/** Latest longer text without a prefix: an input is redacted as sent and again with the decision. */
let latestClean = "";
const maxLatestChars = 65_536;

/** The text with secrets replaced by `[redacted: kind]`; the same string if it contains no secret. */
export function redact(text: string): string {
  const isShort = text.length <= maxCleanChars;
  if (isShort ? clean.has(text) : text === latestClean) return text;
  if (nextSign(text, 0) !== undefined) return redactFrom(text, 0, true).text;
  if (isShort) {
    if (clean.size >= maxClean) clean.clear();
    clean.add(text);
  } else if (text.length <= maxLatestChars) latestClean = text;
  return text;
}

interface Redacted {
  readonly text: string;
  /** Position up to which all secrets are found. */
  readonly end: number;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

/**
 * Maximum number of characters withheld because more text could complete or extend a match. Longer than the longest
 * match of any pattern, so that no match is cut: its rest would pass in clear.
 */
const maxHeld = 65_536;

/** Redacts a text from a position on. If more text will follow, stops where that text could change the result. */
function redactFrom(text: string, from: number, isWhole: boolean): Redacted {
  const parts: string[] = [];
  let done = from;
  let nextEnd = -2;
  // Text before a BEGIN or END line of a key is never part of the key after it.
  let lastMark = from;
  let next = from;
  for (let found = nextSign(text, next); found !== undefined; found = nextSign(text, next)) {
    const { at, sign } = found;
    next = at + sign.length;
    let hit: Hit | undefined;
    if (sign === keyBegin) {
      if (nextEnd !== -1 && nextEnd < at) nextEnd = text.indexOf(keyEnd, at);
      const key = keyFrom(text, at, nextEnd);
      hit = key && { ...key, name: privateKey };
      const isOpen = nextEnd === -1 || text.indexOf("-----", nextEnd + keyEnd.length) === -1;
      if (!isWhole && isOpen && text.length - at < maxKeyChars && mayBeginKey(text, at)) {
        return result(parts, text, { done, end: at });
      }
    } else if (sign === keyEnd) {
      const key = keyUpTo(text, at, Math.max(done, lastMark));
      hit = key && { ...key, name: privateKey };
    } else {
      const patterns = bySign.get(sign) ?? [];
      hit = firstHit(patterns, text, at);
      if (!isWhole && mayGoOn(patterns, text.slice(at), hit && hit.end - at)) {
        return result(parts, text, { done, end: at });
      }
    }
    if (sign === keyBegin || sign === keyEnd) lastMark = at + sign.length;
    if (hit === undefined) continue;
    parts.push(text.slice(done, hit.start), redactionMark(hit.name));
    done = hit.end;
    next = Math.max(done, at + 1);
  }
  const end = isWhole ? text.length : Math.max(done, beginningOfSign(text));
  return result(parts, text, { done, end });
}

function result(
  parts: readonly string[],
  text: string,
  { done, end }: { readonly done: number; readonly end: number },
): Redacted {
  if (parts.length === 0 && done === 0 && end === text.length) return { text, end };
  return { text: parts.join("") + text.slice(done, end), end };
}

function firstHit(patterns: readonly SecretPattern[], text: string, at: number): Hit | undefined {
  for (const { name, pattern, isAlone } of patterns) {
    if (isAlone === true && !beginsRun(text, at)) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const lead = match.groups?.["lead"] ?? "";
    // A key right after the match is a secret of its own, recognized by its BEGIN line.
    const end = at + match[0].length;
    const key = text.slice(0, end + keyBegin.length).indexOf(keyBegin, at + lead.length + 1);
    return { name, start: at + lead.length, end: key === -1 ? end : Math.min(key, end) };
  }
  return undefined;
}

/** Whether the character before is outside the run; an escaped line break does not belong to a run. */
function beginsRun(text: string, at: number): boolean {
  if (at === 0 || !/[\w-]/u.test(text.charAt(at - 1))) return true;
  return at > 1 && text.charAt(at - 2) === "\\" && /[nrt]/u.test(text.charAt(at - 1));
}

/** Whether more text could turn this into a secret or extend the match. */
function mayGoOn(
  patterns: readonly SecretPattern[],
  text: string,
  hitLength: number | undefined,
): boolean {
  if (text.length > maxHeld) return false;
  if (hitLength !== undefined) return hitLength === text.length;
  const stop = patterns.some(({ spansBlanks }) => spansBlanks === true) ? /\n/u : /\s/u;
  return !stop.test(text);
}

const longestSign = Math.max(...signs.map(({ length }) => length));
const beginningsOf = (some: readonly string[]): ReadonlySet<string> =>
  new Set(some.flatMap((sign) => Array.from(sign.slice(1), (_, n) => sign.slice(0, n + 1))));
const alone = signs.filter((sign) => bySign.get(sign)?.every(({ isAlone }) => isAlone === true));
const aloneBeginnings = beginningsOf(alone);
const otherBeginnings = beginningsOf(signs.filter((sign) => !alone.includes(sign)));

/** Position where the end of a text could be the beginning of a prefix, or the length of the text. */
function beginningOfSign(text: string): number {
  for (let length = Math.min(longestSign - 1, text.length); length > 0; length -= 1) {
    const at = text.length - length;
    const end = text.slice(at);
    if (otherBeginnings.has(end)) return at;
    if (aloneBeginnings.has(end) && beginsRun(text, at)) return at;
  }
  return text.length;
}

/** Number of characters before a position that decide whether a run begins there. */
const contextChars = 2;
/** Number of bytes before a prefix that are searched with it, because they may be the end of a key. */
const beforeChars = 8192;
const decoder = new TextDecoder();

/** Redacts a text that arrives in pieces; a possible beginning of a secret waits for the next piece. */
export class RedactedStream {
  #context = "";
  #waiting = "";

  /** The text decided so far, with secrets replaced. */
  push(text: string): string {
    return this.#take(text, false);
  }

  /** Number of leading ASCII bytes that stay unchanged and need not be pushed; the caller pushes the rest. */
  skip(ascii: Uint8Array): number {
    if (this.#waiting !== "") return 0;
    const found = nextSign.inBytes(ascii);
    if (found !== undefined) return this.#skipped(ascii, Math.max(0, found - beforeChars));
    const end = ascii.subarray(Math.max(0, ascii.length - longestSign - contextChars));
    const text = this.#context + decoder.decode(end);
    const undecided = text.length - beginningOfSign(text);
    return this.#skipped(ascii, Math.max(0, ascii.length - undecided));
  }

  #skipped(ascii: Uint8Array, end: number): number {
    const text = decoder.decode(ascii.subarray(Math.max(0, end - contextChars), end));
    this.#context = (this.#context + text).slice(-contextChars);
    return end;
  }

  /** The text that was still waiting, with secrets replaced. */
  end(): string {
    return this.#take("", true);
  }

  #take(text: string, isWhole: boolean): string {
    if (this.#waiting === "" && text === "") return "";
    const { length } = this.#context;
    const all = this.#context + this.#waiting + text;
    const redacted = redactFrom(all, length, isWhole);
    this.#waiting = all.slice(redacted.end);
    this.#context = all.slice(Math.max(0, redacted.end - contextChars), redacted.end);
    return redacted.text;
  }
}
