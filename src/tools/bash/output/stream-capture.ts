import { ByteRing } from "../../../text/index.ts";

/** Maximum characters that a cut moves to the start of the next line, to avoid a partial line. */
const nearbyChars = 1000;
/** Characters buffered beyond a cut, so that a secret across the cut is recognized. */
const spareChars = 4096;
/** Maximum UTF-8 bytes of a UTF-16 unit. */
const unitBytes = 3;
const encodedBytes = 24_576;
let encoded: Uint8Array | undefined;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Maximum number of runs recorded for the end of an output; earlier ones are dropped. */
const maxRuns = 16_384;

/** Text of one stream that the other stream did not interrupt. */
export interface Piece {
  /** Number of changes from one stream to the other before this piece. */
  readonly run: number;
  readonly text: string;
}

export interface Held {
  readonly head: readonly Piece[];
  /** Number of characters dropped between the beginning and the end. */
  readonly missing: number;
  readonly tail: readonly Piece[];
}

/**
 * Beginning and end of one stream; its limit bounds the memory. The beginning is stored as text; the rest goes to one
 * byte buffer, so that a very large output creates no strings that are never read.
 */
export class StreamCapture {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: { run: number; text: string }[] = [];
  readonly #tail: ByteRing;
  /** Position in the tail at which each run begins. */
  readonly #runs: { run: number; at: number }[] = [];
  #headChars = 0;
  #total = 0;

  /** `limit` is a number of UTF-16 units, divided evenly between beginning and end. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
    this.#tail = new ByteRing((this.#tailLimit + spareChars) * unitBytes);
  }

  get total(): number {
    return this.#total;
  }

  /** Whether the beginning is complete, so that the rest can be added as bytes. */
  get takesBytes(): boolean {
    return this.#headChars >= this.#headLimit + spareChars;
  }

  add(run: number, text: string): void {
    this.#total += text.length;
    const first = wholeCharacters(text, this.#headLimit + spareChars - this.#headChars);
    if (first !== "") {
      this.#headChars += first.length;
      const last = this.#head.at(-1);
      if (last?.run === run) last.text += first;
      else this.#head.push({ run, text: first });
    }
    if (first.length < text.length) this.#addText(run, text.slice(first.length));
  }

  /** Adds ASCII bytes; call only while `takesBytes` is true. */
  addBytes(run: number, ascii: Uint8Array): void {
    this.#total += ascii.length;
    this.#addTail(run, ascii);
  }

  /** Buffered text; if some was dropped, `redact` also sees the text on both sides of a cut. */
  held(redact: (text: string) => string): Held {
    const tail = this.#tailPieces();
    if (this.#total <= this.#headLimit + this.#tailLimit) {
      return { head: this.#head, missing: 0, tail };
    }
    const head: Piece[] = [];
    let room = this.#headLimit;
    for (const { run, text } of this.#head) {
      const kept = wholeCharacters(redact(text), room);
      if (kept !== "") head.push({ run, text: kept });
      room -= kept.length;
    }
    // Text of the head beyond its limit is not shown there, so it belongs to the end.
    const beyond = this.#beyondHead();
    const last = lastOf(join(beyond, tail), this.#tailLimit, redact);
    const chars = charsOf(head) + charsOf(last);
    return { head, missing: Math.max(1, this.#total - chars), tail: last };
  }

  /** Last characters of the last run of this stream. */
  latest(maxChars: number): string {
    const run = this.#runs.at(-1);
    if (run === undefined) return withoutHalf((this.#head.at(-1)?.text ?? "").slice(-maxChars));
    const from = Math.max(run.at, this.#tail.end - maxChars * unitBytes);
    const text = this.#tailText(from, this.#tail.end, from > run.at);
    return withoutHalf(text.slice(-maxChars));
  }

  #beyondHead(): readonly Piece[] {
    let before = this.#headLimit;
    const pieces: Piece[] = [];
    // Head and tail are adjacent only while the tail has dropped nothing.
    if (this.#tailStart > 0) return pieces;
    for (const { run, text } of this.#head) {
      if (before < text.length) pieces.push({ run, text: text.slice(Math.max(0, before)) });
      before -= text.length;
    }
    return pieces;
  }

  #addText(run: number, text: string): void {
    encoded ??= new Uint8Array(encodedBytes);
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, encoded);
      this.#addTail(run, encoded.subarray(0, written));
      rest = rest.slice(read);
    }
  }

  #addTail(run: number, bytes: Uint8Array): void {
    if (this.#runs.at(-1)?.run !== run) this.#runs.push({ run, at: this.#tail.end });
    this.#tail.add(bytes);
    const later = this.#runs.findIndex(({ at }) => at > this.#tail.start);
    const current = (later === -1 ? this.#runs.length : later) - 1;
    const gone = Math.max(current, this.#runs.length - maxRuns);
    if (gone > 0) this.#runs.splice(0, gone);
  }

  /** Position of the first byte in the tail whose run is known. */
  get #tailStart(): number {
    return Math.max(this.#tail.start, this.#runs[0]?.at ?? 0);
  }

  #tailPieces(): readonly Piece[] {
    const pieces: Piece[] = [];
    for (const [index, { run, at }] of this.#runs.entries()) {
      const from = Math.max(at, this.#tail.start);
      const text = this.#tailText(from, this.#runs[index + 1]?.at ?? this.#tail.end, from > at);
      if (text !== "") pieces.push({ run, text });
    }
    return pieces;
  }

  #tailText(from: number, to: number, isCut: boolean): string {
    const bytes = this.#tail.slice(Math.max(from, this.#tail.start), to) ?? new Uint8Array();
    // A character without its first byte cannot be shown.
    const first = isCut ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return first === -1 ? "" : shownText(decoder.decode(bytes.subarray(first)));
  }
}

/** Replaces NULs, which are invisible and would make a file with this text count as binary. */
export function shownText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u2400") : text;
}

/** Beginning of the text that fits `room`, without splitting a character. */
function wholeCharacters(text: string, room: number): string {
  if (room <= 0) return "";
  if (text.length <= room) return text;
  const isCut = /[\uD800-\uDBFF]/u.test(text.charAt(room - 1));
  return text.slice(0, isCut ? room - 1 : room);
}

/** Text without the second half of a surrogate pair at its start. */
function withoutHalf(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/u, "");
}

/** Concatenates two lists and merges the pieces where they meet if both belong to the same run. */
function join(one: readonly Piece[], other: readonly Piece[]): readonly Piece[] {
  const last = one.at(-1);
  const [first, ...rest] = other;
  if (last === undefined || first === undefined || last.run !== first.run) {
    return [...one, ...other];
  }
  return [...one.slice(0, -1), { run: last.run, text: last.text + first.text }, ...rest];
}

function lastOf(
  pieces: readonly Piece[],
  maxChars: number,
  redact: (text: string) => string,
): readonly Piece[] {
  const kept: Piece[] = [];
  let room = maxChars;
  for (const { run, text } of pieces.toReversed()) {
    if (room <= 0) break;
    const shown = redact(text);
    kept.unshift({ run, text: shown.length <= room ? shown : cutFront(shown.slice(-room)) });
    room -= shown.length;
  }
  // No piece was cut, but the text before these pieces is missing.
  return kept;
}

function cutFront(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < nearbyChars ? text.slice(newline + 1) : withoutHalf(text);
}

function charsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
