import type { ArtefactStore, ArtefactStream } from "../../core/index.ts";

/**
 * The whole of a long output, kept from its first character on. A short one is kept nowhere: until more was printed
 * than is shown, the text is only held.
 */
export class KeptOutput {
  readonly #store: ArtefactStore | undefined;
  readonly #callId: string;
  readonly #fromChars: number;
  #held = "";
  #bytes = 0;
  #stream: ArtefactStream | undefined;

  constructor(store: ArtefactStore | undefined, callId: string, fromChars: number) {
    this.#store = store;
    this.#callId = callId;
    this.#fromChars = fromChars;
  }

  /** Undefined while it is short. */
  get stream(): ArtefactStream | undefined {
    return this.#stream;
  }

  /** What was added while it is short, else the latest of it. */
  get held(): string {
    return this.#held;
  }

  /** Bytes of UTF-8 that were added. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds a text. Resolves when the store has taken it, so that a command never prints faster than it is kept.
   */
  async add(text: string): Promise<void> {
    if (text === "") return;
    // Of the text: a byte that is none is kept as a character of three.
    this.#bytes += Buffer.byteLength(text);
    if (this.#stream !== undefined) {
      this.#hold(text);
      await this.#stream.write(text);
      return;
    }
    const all = this.#held + text;
    this.#hold(text);
    if (all.length <= this.#fromChars) return;
    this.#stream = this.#store?.open(this.#callId);
    await this.#stream?.write(all);
  }

  #hold(text: string): void {
    // A flood comes in large pieces: the last one is enough.
    this.#held =
      text.length >= this.#fromChars
        ? text.slice(-this.#fromChars)
        : (this.#held + text).slice(-this.#fromChars);
  }
}
