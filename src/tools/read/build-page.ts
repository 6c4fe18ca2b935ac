import { LineWindow, showLine, type ShownLine } from "./line-window.ts";
import { indexedLines, type LineRange, type Page, type PageRequest } from "./page.ts";
import { plainPage } from "./plain-page.ts";

/** Maximum number of cut lines listed. */
const namedCuts = 20;
const newline = 10;
const carriageReturn = 13;

/** Extracts one page of lines from a stream of bytes; memory depends on the page, never on the file. */
export async function takePage(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  request: PageRequest,
): Promise<Page> {
  const page = new PageBuilder(request);
  for await (const chunk of chunks) {
    page.add(chunk);
    if (page.isStopped) break;
  }
  return page.finish();
}

/** Extracts one page from bytes that are already in memory. */
export function pageOf(bytes: Uint8Array, request: PageRequest): Page {
  const plain = request.onLineStart === undefined ? plainPage(bytes, request) : undefined;
  if (plain !== undefined) return plain;
  const page = new PageBuilder(request);
  page.add(bytes);
  return page.finish();
}

/** State of one pass: the current line and the lines collected so far. */
class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: string[] = [];
  readonly #shown: LineRange[] = [];
  readonly #cutLines: number[] = [];
  #shownLines = 0;
  #isPartial = false;
  #fullBecause: "limit" | "size" | undefined;
  #bytes = 0;
  /** Number of bytes in the chunks before this one. */
  #passed = 0;
  /** Number of the current line. */
  #line: number;
  /** Index of the range that this line is in or before. */
  #range = 0;
  #window: LineWindow | undefined;
  #holdsReturn = false;
  #lineBytes = 0;
  #lastByte = 0;
  #lossy = false;
  #crlf = 0;
  #lf = 0;
  #isStopped = false;

  constructor(request: PageRequest) {
    this.#request = request;
    this.#line = request.startLine ?? 1;
  }

  /** Whether the rest of the input is ignored. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  add(bytes: Uint8Array): void {
    // A Buffer finds a byte in half the time.
    const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at < chunk.length) {
      if (this.#isOver()) {
        this.#fullBecause ??= "limit";
        if (!this.#request.countAll) {
          this.#isStopped = true;
          return;
        }
      }
      if (this.#line < this.#nextWanted()) at = this.#skip(chunk, at);
      else at = this.#readPlain(chunk, at) ?? this.#read(chunk, at);
    }
    this.#passed += chunk.length;
  }

  finish(): Page {
    if (!this.#isStopped && this.#lineBytes > 0) {
      if (this.#window !== undefined) {
        this.#giveReturn(this.#window);
        this.#take(this.#finishWindow(this.#window));
      }
      this.#line++;
    }
    const crlf = this.#crlf > 0;
    return {
      text: this.#lines.join(""),
      shown: this.#shown,
      shownLines: this.#shownLines,
      totalLines: this.#isStopped ? undefined : this.#line - 1,
      fullBecause: this.#fullBecause,
      next: this.#nextLine(),
      cutLines: this.#cutLines,
      isPartial: this.#isPartial,
      lineEndings: crlf ? (this.#lf > 0 ? "mixed" : "crlf") : this.#lf > 0 ? "lf" : "none",
      lossy: this.#lossy,
    };
  }

  /** Whether every requested line was collected, or the page is full. */
  #isOver(): boolean {
    return this.#fullBecause !== undefined || this.#range >= this.#request.ranges.length;
  }

  #nextWanted(): number {
    if (this.#fullBecause !== undefined) return Number.POSITIVE_INFINITY;
    return this.#request.ranges[this.#range]?.first ?? Number.POSITIVE_INFINITY;
  }

  #nextLine(): number | undefined {
    if (this.#fullBecause === undefined) return undefined;
    if (this.#fullBecause === "limit") return (this.#request.ranges.at(-1)?.last ?? 0) + 1;
    const last = this.#shown.at(-1)?.last ?? 0;
    return Math.max(last + 1, this.#request.ranges[this.#range]?.first ?? 0);
  }

  /** Skips lines that were not requested, up to the next requested one; returns the new position in the chunk. */
  #skip(chunk: Buffer, start: number): number {
    const target = this.#nextWanted();
    const { countAll, onLineStart } = this.#request;
    let at = start;
    let line = this.#line;
    while (line < target) {
      const end = chunk.indexOf(newline, at);
      if (end === -1) {
        this.#lineBytes += chunk.length - at;
        this.#lastByte = chunk[chunk.length - 1] ?? 0;
        at = chunk.length;
        break;
      }
      // Line endings are checked only if all lines are counted.
      if (countAll) this.#countEnding(end > at ? chunk[end - 1] : this.#lastOfLine());
      this.#lineBytes = 0;
      at = end + 1;
      line++;
      if (line % indexedLines === 1) onLineStart?.(line, this.#passed + at);
    }
    this.#line = line;
    return at;
  }

  /**
   * Reads lines that are shown unchanged; returns the new position in the chunk, or undefined if this path does not
   * apply.
   */
  #readPlain(chunk: Buffer, start: number): number | undefined {
    const { window, ranges, onLineStart } = this.#request;
    if (this.#window !== undefined || window.column !== 1) return undefined;
    const count = (ranges[this.#range]?.last ?? 0) - this.#line + 1;
    const plain = plainLines(chunk, start, { count, chars: window.chars });
    if (plain === undefined) return undefined;
    let next = start;
    for (const [index, line] of plain.lines.entries()) {
      next = plain.nexts[index] ?? chunk.length;
      const isCrlf = line.endsWith("\r");
      this.#countEnding(isCrlf ? carriageReturn : undefined);
      this.#take({ ...whole, text: isCrlf ? line.slice(0, -1) : line });
      this.#line++;
      if (this.#line % indexedLines === 1) onLineStart?.(this.#line, this.#passed + next);
      if (this.#fullBecause !== undefined) break;
    }
    return next;
  }

  /** Continues reading a line that is shown; returns the new position in the chunk. */
  #read(chunk: Buffer, at: number): number {
    const { onLineStart } = this.#request;
    const end = chunk.indexOf(newline, at);
    if (end === -1) {
      this.#keep(chunk.subarray(at));
      return chunk.length;
    }
    const before = end > at ? chunk[end - 1] : this.#lastOfLine();
    this.#countEnding(before);
    const textEnd = before === carriageReturn && end > at ? end - 1 : end;
    if (this.#window === undefined) {
      this.#lineBytes = textEnd - at;
      this.#take(this.#shownPart(chunk.subarray(at, textEnd)));
    } else {
      if (end > at) this.#giveReturn(this.#window);
      this.#window.add(chunk.subarray(at, textEnd));
      this.#lineBytes += textEnd - at;
      this.#take(this.#finishWindow(this.#window));
    }
    this.#lineBytes = 0;
    this.#line++;
    if (this.#line % indexedLines === 1) onLineStart?.(this.#line, this.#passed + end + 1);
    return end + 1;
  }

  /**
   * Adds a piece to the current line. A carriage return at its end is deferred: only the next byte shows whether it is
   * part of the text.
   */
  #keep(piece: Uint8Array): void {
    this.#window ??= new LineWindow(this.#request.window);
    this.#giveReturn(this.#window);
    this.#lastByte = piece[piece.length - 1] ?? 0;
    this.#holdsReturn = this.#lastByte === carriageReturn;
    this.#window.add(this.#holdsReturn ? piece.subarray(0, -1) : piece);
    this.#lineBytes += piece.length;
  }

  #giveReturn(window: LineWindow): void {
    if (this.#holdsReturn) window.add(Uint8Array.of(carriageReturn));
    this.#holdsReturn = false;
  }

  #lastOfLine(): number {
    return this.#lineBytes > 0 ? this.#lastByte : 0;
  }

  #countEnding(before: number | undefined): void {
    if (before === carriageReturn) this.#crlf++;
    else this.#lf++;
  }

  #shownPart(bytes: Buffer): ShownLine {
    const { window } = this.#request;
    if (bytes.length <= wholeLineBytes) return showLine(bytes, window);
    const part = new LineWindow(window);
    part.add(bytes);
    return part.finish();
  }

  #finishWindow(window: LineWindow): ShownLine {
    // A deferred carriage return belongs to the line ending.
    if (this.#holdsReturn) this.#lineBytes--;
    this.#holdsReturn = false;
    this.#window = undefined;
    return window.finish();
  }

  #take(line: ShownLine): void {
    const isCut = line.cutAfter || line.cutBefore;
    const text = `${this.#line}\t${isCut ? this.#marked(line) : line.text}\n`;
    const previous = this.#shown.at(-1);
    const isGap = previous !== undefined && previous.last + 1 < this.#line;
    const bytes = Buffer.byteLength(text) + (isGap ? gap.length : 0);
    if (this.#bytes + bytes > this.#request.maxBytes && this.#shownLines > 0) {
      this.#fullBecause = "size";
      return;
    }
    if (isGap) this.#lines.push(gap);
    this.#lines.push(text);
    this.#bytes += bytes;
    this.#shownLines++;
    if (line.lossy) this.#lossy = true;
    if (isCut) this.#isPartial = true;
    if (line.cutAfter && this.#cutLines.length < namedCuts) this.#cutLines.push(this.#line);
    if (previous === undefined || isGap) this.#shown.push({ first: this.#line, last: this.#line });
    else this.#shown[this.#shown.length - 1] = { first: previous.first, last: this.#line };
    if (this.#line >= (this.#request.ranges[this.#range]?.last ?? 0)) this.#range++;
  }

  #marked({ text, cutBefore, cutAfter }: ShownLine): string {
    return `${cutBefore ? "… " : ""}${text}${cutAfter ? ` … [line cut here; it has ${this.#lineBytes} bytes]` : ""}`;
  }
}

/** Maximum bytes of a line that is decoded at once. */
const wholeLineBytes = 65_536;
const gap = "...\n";
const whole = { cutBefore: false, cutAfter: false, lossy: false };

/** Number of bytes decoded at once; a page is not much longer. */
const runBytes = 65_536;

/** Adjacent lines, complete and without their line breaks. */
interface PlainLines {
  readonly lines: readonly string[];
  /** Offset at which the line after each of them begins. */
  readonly nexts: readonly number[];
}

interface PlainRequest {
  /** Maximum number of lines. */
  readonly count: number;
  /** Maximum characters of a line; a line that may be longer is excluded. */
  readonly chars: number;
}

/**
 * Decodes the lines that begin at `start` and end in this chunk in one step, which costs a fifth of decoding each line.
 * Undefined if the first of them may be longer than requested, or some byte among them may not be UTF-8.
 */
function plainLines(
  chunk: Buffer,
  start: number,
  { count, chars }: PlainRequest,
): PlainLines | undefined {
  const nexts: number[] = [];
  let end = start;
  while (nexts.length < count && end - start < runBytes) {
    const at = chunk.indexOf(newline, end);
    // A character takes at least one byte, so a line has at most as many characters as bytes.
    if (at === -1 || at - end > chars) break;
    end = at + 1;
    nexts.push(end);
  }
  if (nexts.length === 0) return undefined;
  const text = chunk.toString("utf8", start, end - 1);
  return text.includes("\uFFFD") ? undefined : { lines: text.split("\n"), nexts };
}
