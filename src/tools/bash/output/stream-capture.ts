import { ByteRing } from "../../../text/index.ts";

/** A cut moves on to the next line where one begins this near: half a line explains nothing. */
const nearbyChars = 1000;
/** Held beyond a cut, so that a secret that lies across it is known for one. */
const spareChars = 4096;
/** A UTF-16 unit takes three bytes of UTF-8 at most. */
const unitBytes = 3;
const encodedBytes = 24_576;
let encoded: Uint8Array | undefined;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Changes of stream that are told apart in the end of an output; those before them are missing. */
const maxRuns = 16_384;

/** Text of one stream that came without a word of the other between. */
export interface Piece {
  /** Counts the changes from one stream to the other. */
  readonly run: number;
  readonly text: string;
}

export interface Held {
  readonly head: readonly Piece[];
  /** Characters between the beginning and the end that are not held. */
  readonly missing: number;
  readonly tail: readonly Piece[];
}

/**
 * The beginning and the end of one stream; memory is bounded by its limit. The beginning is text; what comes after it
 * is held as bytes in one place, so that a flood makes no texts that nobody reads.
 */
export class StreamCapture {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: { run: number; text: string }[] = [];
  readonly #tail: ByteRing;
  /** Where in the tail each run begins. */
  readonly #runs: { run: number; at: number }[] = [];
  #headChars = 0;
  #total = 0;

  /** `limit` counts UTF-16 units, shared evenly between beginning and end. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
    this.#tail = new ByteRing((this.#tailLimit + spareChars) * unitBytes);
  }

  get total(): number {
    return this.#total;
  }

  /** Whether its beginning is complete, so that the rest may come as bytes. */
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

  /** ASCII only, and only where it takes bytes. */
  addBytes(run: number, ascii: Uint8Array): void {
    this.#total += ascii.length;
    this.#addTail(run, ascii);
  }

  /** Where not all is held, `redact` sees what lies across a cut whole. */
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
    // What is held of the beginning beyond its limit and not shown there belongs to the end.
    const beyond = this.#beyondHead();
    const last = lastOf(join(beyond, tail), this.#tailLimit, redact);
    const chars = charsOf(head) + charsOf(last);
    return { head, missing: Math.max(1, this.#total - chars), tail: last };
  }

  /** The latest text of the latest run of this stream. */
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
    // Nothing is between only while nothing of the tail was dropped.
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

  /** Where in the tail the first byte stands that is known to be of a run. */
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
    // Of a character that lost its beginning nothing can be shown.
    const first = isCut ? bytes.findIndex((byte) => (byte & 0xc0) !== 0x80) : 0;
    return first === -1 ? "" : shownText(decoder.decode(bytes.subarray(first)));
  }
}

/** A NUL has no look of its own, and a file that holds one counts as no text. */
export function shownText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\u2400") : text;
}

/** As many characters as there is room for, and never half of one. */
function wholeCharacters(text: string, room: number): string {
  if (room <= 0) return "";
  if (text.length <= room) return text;
  const isCut = /[\uD800-\uDBFF]/u.test(text.charAt(room - 1));
  return text.slice(0, isCut ? room - 1 : room);
}

/** The second half of a character that was cut tells nothing. */
function withoutHalf(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/u, "");
}

/** The last piece of one list and the first of the other may be of the same run. */
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
  // Nothing was cut within a piece, but what stood before it is missing.
  return kept;
}

function cutFront(text: string): string {
  const newline = text.indexOf("\n");
  return newline !== -1 && newline < nearbyChars ? text.slice(newline + 1) : withoutHalf(text);
}

function charsOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}
