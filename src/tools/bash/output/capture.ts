import { OutputMarks } from "../../../text/index.ts";
import { grouped } from "../../files/paths/display-path.ts";
import { StreamCapture } from "./stream-capture.ts";

export type StreamName = "stdout" | "stderr";

export interface CaptureLimits {
  readonly stdoutChars: number;
  readonly stderrChars: number;
}

export interface ShowOptions {
  /** Characters of the text. */
  readonly maxChars: number;
  /** The share of what is shown that comes from the end, where not all fits. */
  readonly tailShare: number;
}

export interface ShownOutput {
  readonly text: string;
  /** Printed characters that are not in it. */
  readonly leftOut: number;
}

/** A stretch of the text: printed, or said by us. */
interface Stretch {
  readonly stream: StreamName;
  readonly text: string;
  readonly missing?: number;
}

type Redact = (text: string) => string;

/** What a command printed on both streams in the order it came, as far as it is held. */
export class CapturedOutput {
  readonly #captures: Readonly<Record<StreamName, StreamCapture>>;
  readonly #redact: Redact;
  #run = 0;
  #current: StreamName = "stdout";

  /** `redact` takes secrets out of what is cut: half of one would be known for none. */
  constructor({ stdoutChars, stderrChars }: CaptureLimits, redact: Redact = (text) => text) {
    this.#redact = redact;
    this.#captures = {
      stdout: new StreamCapture(stdoutChars),
      stderr: new StreamCapture(stderrChars),
    };
  }

  /** Characters printed. */
  get total(): number {
    return this.#captures.stdout.total + this.#captures.stderr.total;
  }

  /** Whether nothing was printed on standard error. */
  get isQuiet(): boolean {
    return this.#captures.stderr.total === 0;
  }

  add(stream: StreamName, text: string): void {
    if (text === "") return;
    this.#captures[stream].add(this.#runOf(stream), text);
  }

  /** Whether this stream may come as bytes. */
  takesBytes(stream: StreamName): boolean {
    return this.#captures[stream].takesBytes;
  }

  /** ASCII only, and only where it takes bytes. */
  addBytes(stream: StreamName, ascii: Uint8Array): void {
    this.#captures[stream].addBytes(this.#runOf(stream), ascii);
  }

  /** The last characters that were printed, as far as they are of one stream. */
  latest(maxChars: number): { readonly stream: StreamName; readonly text: string } {
    return { stream: this.#current, text: this.#captures[this.#current].latest(maxChars) };
  }

  /** Everything that is held, with a line where something is missing. */
  whole(): string {
    return wholeOf(this.#stretches());
  }

  /** The text a model sees: all of it where it fits, else its beginning and its end. */
  shown({ maxChars, tailShare }: ShowOptions): ShownOutput {
    const held = this.#stretches();
    const whole = wholeOf(held).trimEnd();
    if (whole.length <= maxChars) return { text: whole, leftOut: missingOf(held) };
    const stretches = held.map((each) => ({ ...each, text: this.#redact(each.text) }));
    // Less than that and its beginning and its end would overlap.
    const isShort = stretches.reduce((sum, each) => sum + weightOf(each), 0) <= maxChars;
    if (isShort) return { text: wholeOf(stretches).trimEnd(), leftOut: missingOf(stretches) };
    const tailChars = Math.floor(maxChars * tailShare);
    const head = firstOf(stretches, maxChars - tailChars);
    const tail = lastOf(stretches, tailChars);
    const leftOut = Math.max(1, this.total - charsOf(head) - charsOf(tail));
    const marks = new OutputMarks();
    const parts = head.map(({ stream, text }) => marks.mark(stream, text));
    parts.push(`${parts.at(-1)?.endsWith("\n") === true ? "" : "\n"}${gapLine(leftOut)}`);
    const after = new OutputMarks();
    parts.push(...tail.map(({ stream, text }) => after.mark(stream, text)));
    return { text: parts.join("").trimEnd(), leftOut };
  }

  #runOf(stream: StreamName): number {
    if (stream !== this.#current) this.#run += 1;
    this.#current = stream;
    return this.#run;
  }

  #stretches(): readonly Stretch[] {
    const all: (Stretch & { readonly run: number })[] = [];
    for (const stream of ["stdout", "stderr"] as const) {
      const { head, missing, tail } = this.#captures[stream].held(this.#redact);
      all.push(...head.map((piece) => ({ stream, ...piece })));
      const run = tail[0]?.run ?? head.at(-1)?.run ?? 0;
      if (missing > 0) all.push({ stream, run, text: "", missing });
      all.push(...tail.map((piece) => ({ stream, ...piece })));
    }
    // A run belongs to one stream, and sorting keeps the order within it.
    return all.toSorted((one, other) => one.run - other.run);
  }
}

function wholeOf(stretches: readonly Stretch[]): string {
  const marks = new OutputMarks();
  return stretches
    .map(({ stream, text, missing }) =>
      missing === undefined ? marks.mark(stream, text) : marks.mark(stream, gapLine(missing)),
    )
    .join("");
}

function missingOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, each) => sum + (each.missing ?? 0), 0);
}

function gapLine(missing: number): string {
  return `[… ${grouped(missing)} characters left out here …]\n`;
}

function charsOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { text }) => sum + text.length, 0);
}

/** What a mark in front of a stretch takes at most. */
const markChars = 10;

function weightOf({ text }: Stretch): number {
  return text.length + markChars;
}

function firstOf(stretches: readonly Stretch[], maxChars: number): readonly Stretch[] {
  const taken: Stretch[] = [];
  let room = maxChars;
  for (const stretch of stretches) {
    // What is missing there is counted in the one line that stands for the cut.
    if (stretch.missing !== undefined) break;
    room -= markChars;
    if (room <= 0) break;
    const text = stretch.text.length <= room ? stretch.text : cutHead(stretch.text.slice(0, room));
    if (text !== "") taken.push({ ...stretch, text });
    if (text.length < stretch.text.length) break;
    room -= text.length;
  }
  return taken;
}

function lastOf(stretches: readonly Stretch[], maxChars: number): readonly Stretch[] {
  const taken: Stretch[] = [];
  let room = maxChars;
  for (const stretch of stretches.toReversed()) {
    if (stretch.missing !== undefined) break;
    room -= markChars;
    if (room <= 0) break;
    const { length } = stretch.text;
    const text = length <= room ? stretch.text : cutTail(stretch.text.slice(length - room));
    if (text !== "") taken.unshift({ ...stretch, text });
    if (text.length < length) break;
    room -= length;
  }
  return taken;
}

/** How far a cut moves to stand at a line's end. */
const nearbyChars = 200;

function cutHead(text: string): string {
  const newline = text.lastIndexOf("\n");
  if (newline !== -1 && text.length - newline <= nearbyChars) return text.slice(0, newline + 1);
  return text.replace(/[\uD800-\uDBFF]$/u, "");
}

function cutTail(text: string): string {
  const newline = text.indexOf("\n");
  if (newline !== -1 && newline < nearbyChars) return text.slice(newline + 1);
  return text.replace(/^[\uDC00-\uDFFF]/u, "");
}
