/** Requested part of a line. */
export interface WindowRequest {
  /** First character shown, from 1. Characters are UTF-16 code units. */
  readonly column: number;
  /** Number of characters shown. */
  readonly chars: number;
}

export interface ShownLine {
  readonly text: string;
  /** Whether characters before the window are omitted. */
  readonly cutBefore: boolean;
  /** Whether the line continues after the window. */
  readonly cutAfter: boolean;
  /** Whether some bytes were not UTF-8 and are shown as U+FFFD. */
  readonly lossy: boolean;
}

/** Extracts the requested part of a complete line. */
export function showLine(bytes: Buffer, { column, chars }: WindowRequest): ShownLine {
  // At the length of a line ten times faster than a TextDecoder, with the same result.
  const text = bytes.toString("utf8");
  if (column === 1 && text.length <= chars && !text.includes("\uFFFD")) {
    return { text, cutBefore: false, cutAfter: false, lossy: false };
  }
  const start = Math.min(column - 1, text.length);
  const from = startOfCharacter(text, start);
  const to = startOfCharacter(text, Math.min(from + chars, text.length));
  const shown = from === 0 && to === text.length ? text : text.slice(from, to);
  const lossy = shown.includes("\uFFFD") && !isExact(bytes, text);
  return { text: shown, cutBefore: from > 0, cutAfter: to < text.length, lossy };
}

/** Collects the requested part of a line that arrives in chunks; memory depends on the window, never on the line. */
export class LineWindow {
  readonly #request: WindowRequest;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Number of characters before `#text`. */
  #passed = 0;
  #text = "";
  /** Number of U+FFFD in the text, minus those in the file itself. */
  #replaced = 0;
  #tail: Uint8Array = new Uint8Array(0);
  #isFull = false;
  /** Whether nothing that follows can change the result. */
  #isKnown = false;

  constructor(request: WindowRequest) {
    this.#request = request;
  }

  add(bytes: Uint8Array): void {
    // Slices, so that a chunk of any size costs no more memory than a small one.
    for (let at = 0; at < bytes.length && !this.#isKnown; at += sliceBytes) {
      const slice = bytes.subarray(at, at + sliceBytes);
      this.#replaced -= this.#ownReplacements(slice);
      this.#take(this.#decoder.decode(slice, { stream: true }));
    }
  }

  finish(): ShownLine {
    if (!this.#isKnown) this.#take(this.#decoder.decode());
    const { column, chars } = this.#request;
    const start = Math.min(Math.max(0, column - 1 - this.#passed), this.#text.length);
    const from = startOfCharacter(this.#text, start);
    const to = startOfCharacter(this.#text, Math.min(from + chars, this.#text.length));
    const text = this.#text.slice(from, to);
    return {
      text,
      cutBefore: this.#passed + from > 0,
      cutAfter: to < this.#text.length,
      lossy: this.#replaced !== 0 && text.includes("\uFFFD"),
    };
  }

  /** Number of U+FFFD in the file itself that end in this slice. */
  #ownReplacements(slice: Uint8Array): number {
    const joined = this.#tail.length === 0 ? slice : Buffer.concat([this.#tail, slice]);
    // A copy, because the memory of a chunk is reused.
    this.#tail = Uint8Array.from(joined.subarray(-2));
    return countOf(Buffer.from(joined.buffer, joined.byteOffset, joined.length), replacement);
  }

  #take(text: string): void {
    const { column, chars } = this.#request;
    this.#replaced += countOf(text, "\uFFFD");
    if (this.#isFull) return;
    this.#text += text;
    // One character before the window is retained, so that a split surrogate pair can be detected.
    const unneeded = Math.min(column - 2 - this.#passed, this.#text.length - 1);
    if (unneeded > sliceBytes) {
      this.#text = this.#text.slice(unneeded);
      this.#passed += unneeded;
    }
    this.#isFull = this.#passed + this.#text.length > column + chars + 1;
    // Whether a U+FFFD that is shown is in the file itself depends on the whole line, whatever its chunks.
    this.#isKnown = this.#isFull && !this.#text.includes("\uFFFD");
  }
}

const sliceBytes = 16_384;
const replacement = Buffer.from("\uFFFD");

function countOf<T extends string | Buffer>(text: T, part: T): number {
  let count = 0;
  for (let at = indexIn(text, part, 0); at !== -1; at = indexIn(text, part, at + 1)) count++;
  return count;
}

function indexIn(text: string | Buffer, part: string | Buffer, from: number): number {
  if (typeof text !== "string") return text.indexOf(part, from);
  return typeof part === "string" ? text.indexOf(part, from) : -1;
}

/** Index that splits no surrogate pair: this one, or the one before. */
function startOfCharacter(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const before = text.charCodeAt(at - 1);
  const here = text.charCodeAt(at);
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000 ? at - 1 : at;
}

/** Whether every U+FFFD in `text` is in the file itself, rather than a replacement for a byte that is not UTF-8. */
function isExact(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(text, "utf8").equals(bytes);
}
