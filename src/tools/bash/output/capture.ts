import { OutputMarks } from "../../../text/index.ts";
import { grouped } from "../../files/paths/display-path.ts";
import { StreamCapture } from "./stream-capture.ts";

export type StreamName = "stdout" | "stderr";

export interface CaptureLimits {
  readonly stdoutChars: number;
  readonly stderrChars: number;
}

export interface ShowOptions {
  /** Maximum characters of the text. */
  readonly maxChars: number;
  /** Fraction of the shown text that comes from the end, if not all of it fits. */
  readonly tailShare: number;
}

export interface ShownOutput {
  readonly text: string;
  /** Number of printed characters that the text omits. */
  readonly leftOut: number;
}

/** Segment of the text: printed by the command, or inserted as a note. */
interface Stretch {
  readonly stream: StreamName;
  readonly text: string;
  readonly missing?: number;
}

type Redact = (text: string) => string;

/** Buffered output of a command on both streams, in order of arrival. */
export class CapturedOutput {
  readonly #captures: Readonly<Record<StreamName, StreamCapture>>;
  readonly #redact: Redact;
  #run = 0;
  #current: StreamName = "stdout";

  /** `redact` removes secrets before text is cut, because half a secret would not be recognized. */
  constructor({ stdoutChars, stderrChars }: CaptureLimits, redact: Redact = (text) => text) {
    this.#redact = redact;
    this.#captures = {
      stdout: new StreamCapture(stdoutChars),
      stderr: new StreamCapture(stderrChars),
    };
  }

  /** Number of characters printed. */
  get total(): number {
    return this.#captures.stdout.total + this.#captures.stderr.total;
  }

  /** Whether standard error is empty. */
  get isQuiet(): boolean {
    return this.#captures.stderr.total === 0;
  }

  add(stream: StreamName, text: string): void {
    if (text === "") return;
    this.#captures[stream].add(this.#runOf(stream), text);
  }

  /** Whether this stream accepts bytes. */
  takesBytes(stream: StreamName): boolean {
    return this.#captures[stream].takesBytes;
  }

  /** Adds ASCII bytes; call only while `takesBytes` is true. */
  addBytes(stream: StreamName, ascii: Uint8Array): void {
    this.#captures[stream].addBytes(this.#runOf(stream), ascii);
  }

  /** Last printed characters that belong to one stream. */
  latest(maxChars: number): { readonly stream: StreamName; readonly text: string } {
    return { stream: this.#current, text: this.#captures[this.#current].latest(maxChars) };
  }

  /** All buffered text, with a line where text is missing. */
  whole(): string {
    return wholeOf(this.#stretches());
  }

  /** Text for the model: all of it if it fits, otherwise its beginning and its end. */
  shown({ maxChars, tailShare }: ShowOptions): ShownOutput {
    const held = this.#stretches();
    const whole = wholeOf(held).trimEnd();
    if (whole.length <= maxChars) return { text: whole, leftOut: missingOf(held) };
    const stretches = held.map((each) => ({ ...each, text: this.#redact(each.text) }));
    // At or below this size the beginning and the end would overlap.
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

/** Maximum characters of a stream label before a segment. */
const markChars = 10;

function weightOf({ text }: Stretch): number {
  return text.length + markChars;
}

function firstOf(stretches: readonly Stretch[], maxChars: number): readonly Stretch[] {
  const taken: Stretch[] = [];
  let room = maxChars;
  for (const stretch of stretches) {
    // The line that marks the cut also counts the characters missing here.
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

/** Maximum characters that a cut moves to reach the end of a line. */
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
