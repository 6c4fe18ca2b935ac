import type { ToolContext } from "../../../core/index.ts";
import { grouped } from "../../files/paths/display-path.ts";
import type { StreamName } from "./capture.ts";

/** What waits to be passed on; more is passed on at once. */
const maxWaitingChars = 32_768;
/** A flood is not worth watching whole: past so many characters its latest stand for it. */
const watchedChars = 1_000_000;
/** What is passed on of it each time, until its end. */
const glimpseChars = 4096;

/** Where the latest of what was printed is found. */
export type Latest = (maxChars: number) => { readonly stream: StreamName; readonly text: string };

/** Passes on what a command prints: the first word at once, then in pieces as large as a pause makes them. */
export class PacedOutput {
  readonly #context: Pick<ToolContext, "host" | "output" | "progress">;
  readonly #pauseMs: number;
  readonly #latest: Latest;
  #waiting: { stream: StreamName; text: string }[] = [];
  #waitingChars = 0;
  /** Characters of a flood that came since some of it was passed on. */
  #floodChars = 0;
  #printed = 0;
  #lastAt = Number.NEGATIVE_INFINITY;
  #progressAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(
    context: Pick<ToolContext, "host" | "output" | "progress">,
    pauseMs: number,
    latest: Latest,
  ) {
    this.#context = context;
    this.#pauseMs = pauseMs;
    this.#latest = latest;
  }

  /** Whether so much was printed that it need only be counted. */
  get isFlood(): boolean {
    return this.#printed >= watchedChars;
  }

  add(stream: StreamName, text: string): void {
    if (this.isFlood) {
      this.count(text.length);
      return;
    }
    const last = this.#waiting.at(-1);
    if (last?.stream === stream) last.text += text;
    else this.#waiting.push({ stream, text });
    this.#printed += text.length;
    this.#waitingChars += text.length;
    this.#pace();
  }

  /** Of a flood, where whoever keeps it has it already. */
  count(chars: number): void {
    this.#printed += chars;
    this.#floodChars += chars;
    this.#pace();
  }

  /** Passes on what waits, of a flood as much as is worth keeping, and leaves no timer. */
  flush(): void {
    this.#passOn(maxWaitingChars);
  }

  #passOn(latestChars: number): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#waiting.length === 0 && this.#floodChars === 0) return;
    const now = this.#context.host.clock.now();
    this.#lastAt = now;
    if (now - this.#progressAt >= this.#pauseMs) {
      this.#progressAt = now;
      // A count and no text: only what is written as output has its secrets taken out.
      const message = `${grouped(this.#printed)} characters printed`;
      this.#context.progress({ message, done: this.#printed });
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingChars = 0;
    for (const { stream, text } of waiting) this.#context.output.write(text, stream);
    this.#writeLatest(latestChars);
  }

  #pace(): void {
    const pause = this.#pauseMs - (this.#context.host.clock.now() - this.#lastAt);
    if (pause <= 0 || this.#waitingChars > maxWaitingChars) this.#passOn(glimpseChars);
    else this.#cancel ??= this.#context.host.clock.timer(pause, () => this.#passOn(glimpseChars));
  }

  #writeLatest(chars: number): void {
    if (this.#floodChars === 0) return;
    const { stream, text } = this.#latest(Math.min(chars, this.#floodChars));
    const leftOut = this.#floodChars - text.length;
    this.#floodChars = 0;
    const note = leftOut > 0 ? `\n[… ${grouped(leftOut)} characters left out here …]\n` : "";
    this.#context.output.write(note + text, stream);
  }
}
