import type { ToolContext } from "../../../core/index.ts";
import { grouped } from "../../files/paths/display-path.ts";
import type { StreamName } from "./capture.ts";

/** Maximum characters that wait to be forwarded; more are forwarded at once. */
const maxWaitingChars = 32_768;
/** Characters forwarded in full; a longer output is sampled by its latest characters. */
const watchedChars = 1_000_000;
/** Characters forwarded per sample of a longer output, until its end. */
const glimpseChars = 4096;

/** Returns the last printed characters. */
export type Latest = (maxChars: number) => { readonly stream: StreamName; readonly text: string };

/** Forwards the output of a command: the first chunk at once, then one batch per pause. */
export class PacedOutput {
  readonly #context: Pick<ToolContext, "host" | "output" | "progress">;
  readonly #pauseMs: number;
  readonly #latest: Latest;
  #waiting: { stream: StreamName; text: string }[] = [];
  #waitingChars = 0;
  /** Characters beyond `watchedChars` received since the last sample. */
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

  /** Whether the output is beyond `watchedChars`, so that further text need only be counted. */
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

  /** Counts characters beyond `watchedChars` that the output buffer already contains. */
  count(chars: number): void {
    this.#printed += chars;
    this.#floodChars += chars;
    this.#pace();
  }

  /** Forwards everything that waits, at most `maxWaitingChars` of a sampled output, and cancels the timer. */
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
      // A count without text: secrets are removed only from text written as output.
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
