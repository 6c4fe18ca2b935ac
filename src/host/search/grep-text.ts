import type { GrepEvent, Span } from "../../core/index.ts";

type LineEvent = Extract<GrepEvent, { readonly kind: "match" | "context" }>;

/** Neighbouring lines that one or more matches touch. */
interface Block {
  readonly first: number;
  last: number;
  readonly matches: Span[];
}

export interface GrepTextOptions {
  readonly path: string;
  readonly regex: RegExp;
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
}

/** The matching lines of one text with their context, in order, each line once. */
export function* grepText(text: string, options: GrepTextOptions): Generator<LineEvent> {
  const lines = new Lines(text);
  const event = (kind: "match" | "context", first: number, block?: Block): LineEvent => {
    const start = lines.start(first);
    const end = lines.end(block?.last ?? first);
    const ranges = (block?.matches ?? []).map((match) => ({
      start: Math.min(match.start, end) - start,
      end: Math.min(match.end, end) - start,
    }));
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

/** How many places of a text match. */
export function countMatches(text: string, options: GrepTextOptions): number {
  let count = 0;
  for (const block of blocks(text, new Lines(text), options)) count += block.matches.length;
  return count;
}

function* blocks(text: string, lines: Lines, options: GrepTextOptions): Generator<Block> {
  if (options.multiline) yield* blocksAcrossLines(text, lines, options.regex);
  else yield* blocksByLine(text, lines, options.regex);
}

function* blocksByLine(text: string, lines: Lines, regex: RegExp): Generator<Block> {
  for (let line = 0; line < lines.count; line += 1) {
    const start = lines.start(line);
    const found = Array.from(text.slice(start, lines.end(line)).matchAll(regex), (match) => ({
      start: start + match.index,
      end: start + match.index + match[0].length,
    }));
    if (found.length > 0) yield { first: line, last: line, matches: found };
  }
}

/** Matches whose lines touch or follow one another are one block. */
function* blocksAcrossLines(text: string, lines: Lines, regex: RegExp): Generator<Block> {
  let block: Block | undefined;
  for (const match of text.matchAll(regex)) {
    const span = { start: match.index, end: match.index + match[0].length };
    const first = lines.at(span.start);
    if (first >= lines.count) continue;
    const last = lines.at(Math.max(span.start, span.end - 1));
    if (block !== undefined && first <= block.last + 1) {
      block.last = Math.max(block.last, last);
      block.matches.push(span);
      continue;
    }
    if (block !== undefined) yield block;
    block = { first, last, matches: [span] };
  }
  if (block !== undefined) yield block;
}

/** Where the lines of a text begin and end; a line break at the very end begins no line. */
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

  /** Without the line break. */
  end(line: number): number {
    let end = this.start(line + 1);
    if (end > this.start(line) && this.#text[end - 1] === "\n") end -= 1;
    if (end > this.start(line) && this.#text[end - 1] === "\r") end -= 1;
    return end;
  }

  /** The line an offset lies in; the number of lines for one past the last. */
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
