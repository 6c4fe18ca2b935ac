import type { GrepEvent, Span } from "../../core/index.ts";
import type { BoundedMatch } from "./bounded-match.ts";

type LineEvent = Extract<GrepEvent, { readonly kind: "match" | "context" }>;

/** Lines covered by one match, or by several matches that share a line. */
interface Block {
  readonly first: number;
  last: number;
  readonly matches: Span[];
}

export interface GrepTextOptions {
  readonly path: string;
  readonly bounded: Pick<BoundedMatch, "match">;
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
}

/** The matching lines of a text with their context, in order, each line once. */
export function* grepText(text: string, options: GrepTextOptions): Generator<LineEvent> {
  const lines = new Lines(text);
  const event = (kind: "match" | "context", first: number, block?: Block): LineEvent => {
    const start = lines.start(first);
    const end = lines.end(block?.last ?? first);
    const ranges = within(block?.matches ?? [], start, end);
    return { kind, path: options.path, line: first + 1, text: text.slice(start, end), ranges };
  };
  let next = 0;
  let previous: Block | undefined;
  for (const block of blocks(text, lines, options)) {
    next = previous === undefined ? 0 : previous.last + 1;
    const tail = previous === undefined ? 0 : Math.min(next + options.after, block.first);
    for (; next < tail; next += 1) yield event("context", next);
    for (next = Math.max(next, block.first - options.before); next < block.first; next += 1) {
      yield event("context", next);
    }
    yield event("match", block.first, block);
    previous = block;
  }
  if (previous === undefined) return;
  const end = Math.min(previous.last + 1 + options.after, lines.count);
  for (let line = previous.last + 1; line < end; line += 1) yield event("context", line);
}

/** Number of matches in a text. */
export function countMatches(text: string, options: GrepTextOptions): number {
  let count = 0;
  for (const block of blocks(text, new Lines(text), options)) count += block.matches.length;
  return count;
}

function* blocks(text: string, lines: Lines, options: GrepTextOptions): Generator<Block> {
  if (options.multiline) yield* blocksAcrossLines(text, lines, options.bounded);
  else yield* blocksByLine(text, lines, options.bounded);
}

/**
 * Number of characters matched at once: bounding the time of each line separately would take longer than the matching.
 */
const pieceChars = 65_536;

function* blocksByLine(
  text: string,
  lines: Lines,
  bounded: GrepTextOptions["bounded"],
): Generator<Block> {
  for (let first = 0; first < lines.count;) {
    const start = lines.start(first);
    let next = first + 1;
    while (next < lines.count && lines.end(next) - start <= pieceChars) next += 1;
    const piece = Array.from({ length: next - first }, (_, index) =>
      text.slice(lines.start(first + index), lines.end(first + index)),
    );
    for (const [index, found] of bounded.match(piece).entries()) {
      const line = first + index;
      const begin = lines.start(line);
      const matches = found.map((span) => ({ start: begin + span.start, end: begin + span.end }));
      if (matches.length > 0) yield { first: line, last: line, matches };
    }
    first = next;
  }
}

function* blocksAcrossLines(
  text: string,
  lines: Lines,
  bounded: GrepTextOptions["bounded"],
): Generator<Block> {
  yield* grouped(bounded.match([text]).flat(), lines);
}

/** Groups matches that share a line into one block. */
function* grouped(spans: Iterable<Span>, lines: Lines): Generator<Block> {
  let block: Block | undefined;
  for (const span of spans) {
    const first = lines.at(span.start);
    if (first >= lines.count) continue;
    const last = lines.at(Math.max(span.start, span.end - 1));
    if (block !== undefined && first <= block.last) {
      block.last = Math.max(block.last, last);
      block.matches.push(span);
      continue;
    }
    if (block !== undefined) yield block;
    block = { first, last, matches: [span] };
  }
  if (block !== undefined) yield block;
}

/** Splits a match event of adjacent lines into one event for each block of lines that share a match. */
export function* splitBlocks<E extends LineEvent>(event: E): Generator<E> {
  if (event.kind === "context" || !event.text.includes("\n")) {
    yield event;
    return;
  }
  // Restore the removed line end; otherwise an empty last line would not count as a line.
  const lines = new Lines(`${event.text}\n`);
  for (const block of grouped(event.ranges, lines)) {
    const start = lines.start(block.first);
    const end = lines.end(block.last);
    yield {
      ...event,
      line: event.line + block.first,
      text: event.text.slice(start, end),
      ranges: within(block.matches, start, end),
    };
  }
}

/** Spans relative to `start`, limited to the text from `start` to `end`. */
function within(spans: readonly Span[], start: number, end: number): Span[] {
  return spans.map((span) => ({
    start: Math.min(span.start, end) - start,
    end: Math.min(span.end, end) - start,
  }));
}

/** Starts and ends of the lines of a text; a line break at the very end does not begin a line. */
class Lines {
  readonly #text: string;
  readonly #starts: number[] = [];

  constructor(text: string) {
    this.#text = text;
    for (let start = 0; start < text.length;) {
      this.#starts.push(start);
      const end = text.indexOf("\n", start);
      start = end === -1 ? text.length : end + 1;
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  start(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  /** End of a line without its line break. */
  end(line: number): number {
    const end = this.start(line + 1);
    if (this.#text[end - 1] !== "\n") return end;
    return end - 1 > this.start(line) && this.#text[end - 2] === "\r" ? end - 2 : end - 1;
  }

  /** Line that contains an offset; the number of lines for an offset after the last line. */
  at(offset: number): number {
    if (offset >= this.#text.length) {
      const isOpen = this.#text.length > 0 && !this.#text.endsWith("\n");
      return isOpen ? this.count - 1 : this.count;
    }
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.start(middle) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
