/** A line longer than this is shown up to here. */
const maxLineChars = 2000;

export interface PageRequest {
  /** First line wanted, from 1. */
  readonly from: number;
  readonly limit: number;
  /** UTF-8 bytes of the page, numbers included. */
  readonly maxBytes: number;
  /** Go on counting after the page is full. Costs a pass over the rest. */
  readonly countAll: boolean;
}

export interface Page {
  /** Numbered, each with its newline. */
  readonly text: string;
  /** How many lines are shown. */
  readonly shown: number;
  /** Lines of the whole file, where the whole was looked at. */
  readonly totalLines: number | undefined;
  readonly fullBecause: "limit" | "size" | undefined;
  /** Whether a line was shown only in part. */
  readonly windowed: boolean;
  readonly lineEndings: "lf" | "crlf" | "mixed" | "none";
  /** Some bytes were not UTF-8 and are shown as U+FFFD. */
  readonly lossy: boolean;
}

/** Bytes of one line that are kept: enough for `maxLineChars` of any script. */
const keptBytes = maxLineChars * 3 + 3;
const newline = 10;
const carriageReturn = 13;

/** Takes one page of lines out of a stream of bytes; memory depends on the page, never on the file. */
export async function takePage(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  request: PageRequest,
): Promise<Page> {
  const page = new PageBuilder(request);
  for await (const chunk of chunks) {
    page.add(chunk);
    if (page.isFull && !request.countAll) break;
  }
  return page.finish();
}

/** Holds the state of one pass: the line being read and the lines taken so far. */
class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  #fullBecause: "limit" | "size" | undefined;
  #bytes = 0;
  /** Number of the line being read. */
  #line = 1;
  #kept: Uint8Array[] = [];
  #keptLength = 0;
  #lineLength = 0;
  #lastByte = 0;
  #windowed = false;
  #lossy = false;
  #crlf = 0;
  #lf = 0;
  #stopped = false;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  get isFull(): boolean {
    return this.#fullBecause !== undefined;
  }

  add(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#keep(chunk, start, end);
      this.#endLine(true);
      start = end + 1;
      if (this.isFull && !this.#request.countAll) {
        this.#stopped = true;
        return;
      }
    }
    this.#keep(chunk, start, chunk.length);
  }

  finish(): Page {
    if (!this.#stopped && this.#lineLength > 0) this.#endLine(false);
    return {
      text: this.#lines.join(""),
      shown: this.#lines.length,
      totalLines: this.#stopped ? undefined : this.#line - 1,
      fullBecause: this.#fullBecause,
      windowed: this.#windowed,
      lineEndings:
        this.#crlf > 0 ? (this.#lf > 0 ? "mixed" : "crlf") : this.#lf > 0 ? "lf" : "none",
      lossy: this.#lossy,
    };
  }

  #keep(chunk: Uint8Array, start: number, end: number): void {
    if (end === start) return;
    this.#lineLength += end - start;
    this.#lastByte = chunk[end - 1] ?? 0;
    const wanted = this.#line >= this.#request.from && !this.isFull;
    const room = keptBytes - this.#keptLength;
    if (!wanted || room <= 0) return;
    const part = chunk.subarray(start, Math.min(end, start + room));
    this.#kept.push(part);
    this.#keptLength += part.length;
  }

  #endLine(terminated: boolean): void {
    if (terminated) {
      if (this.#lineLength > 0 && this.#lastByte === carriageReturn) this.#crlf++;
      else this.#lf++;
    }
    if (this.#line >= this.#request.from) this.#take(terminated);
    this.#line++;
    this.#kept = [];
    this.#keptLength = 0;
    this.#lineLength = 0;
  }

  #take(terminated: boolean): void {
    if (this.isFull) return;
    if (this.#lines.length >= this.#request.limit) {
      this.#fullBecause = "limit";
      return;
    }
    const text = `${String(this.#line).padStart(6)}\t${this.#decodeLine(terminated)}\n`;
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > this.#request.maxBytes && this.#lines.length > 0) {
      this.#fullBecause = "size";
      return;
    }
    this.#lines.push(text);
    this.#bytes += bytes;
  }

  #decodeLine(terminated: boolean): string {
    const [first] = this.#kept;
    const bytes =
      this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
    // Taken only with its newline: a carriage return without one is part of the text.
    const isCrlf = terminated && this.#lastByte === carriageReturn && this.#lineLength > 0;
    const length = this.#lineLength - (isCrlf ? 1 : 0);
    const whole = bytes.length >= length ? bytes.subarray(0, length) : bytes;
    const text = lenient.decode(whole);
    const shown = text.length > maxLineChars ? text.slice(0, charEnd(text)) : text;
    const cut = shown.length < text.length || whole.length < length;
    if (shown.includes("\uFFFD") && !isExact(whole, shown)) this.#lossy = true;
    if (!cut) return shown;
    this.#windowed = true;
    return `${shown} … [line cut here; it has ${length} bytes]`;
  }
}

const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Where to cut so that no surrogate pair is torn. */
function charEnd(text: string): number {
  const last = text.charCodeAt(maxLineChars - 1);
  return last >= 0xd800 && last < 0xdc00 ? maxLineChars - 1 : maxLineChars;
}

/** Whether a U+FFFD in `shown` stands in the file itself rather than for a byte that is not UTF-8. */
function isExact(bytes: Uint8Array, shown: string): boolean {
  const encoded = Buffer.from(shown, "utf8");
  return encoded.equals(bytes.subarray(0, encoded.length));
}
