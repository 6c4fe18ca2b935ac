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

  /** Resolves when the store has taken it, so that a command never prints faster than it is kept. */
  async add(text: string): Promise<void> {
    if (text === "") return;
    this.#bytes += byteLength(text);
    if (this.#stream !== undefined) {
      this.#held = (this.#held + text).slice(-this.#fromChars);
      await this.#stream.write(text);
      return;
    }
    this.#held += text;
    if (this.#held.length <= this.#fromChars) return;
    this.#stream = this.#store?.open(this.#callId);
    const all = this.#held;
    this.#held = all.slice(-this.#fromChars);
    await this.#stream?.write(all);
  }
}

const encoder = new TextEncoder();

function byteLength(text: string): number {
  return encoder.encode(text).length;
}
