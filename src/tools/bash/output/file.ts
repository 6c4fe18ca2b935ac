import type { ArtefactStore, ArtefactStream } from "../../../core/index.ts";

/**
 * The whole of a long output, kept from its first character on. A short one is kept nowhere: until more was printed
 * than is shown, the text is only held.
 */
export class KeptOutput {
  readonly #store: ArtefactStore | undefined;
  readonly #callId: string;
  readonly #fromChars: number;
  #held: string | undefined = "";
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

  /** What was added; undefined once it is long. */
  get held(): string | undefined {
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
    if (this.#held === undefined) {
      await this.#stream?.write(text);
      return;
    }
    const all = this.#held + text;
    if (all.length <= this.#fromChars) {
      this.#held = all;
      return;
    }
    this.#held = undefined;
    this.#stream = this.#store?.open(this.#callId);
    await this.#stream?.write(all);
  }

  /** Whether bytes of ASCII can be added as they are: nobody needs a text of them. */
  takesAscii(ascii: Uint8Array): boolean {
    if (this.#held !== undefined) return false;
    const stream = this.#stream;
    if (stream === undefined || stream.leaveOut?.(0) === true) return true;
    const { buffer, byteOffset, length } = ascii;
    return stream.writeAscii !== undefined && !Buffer.from(buffer, byteOffset, length).includes(0);
  }

  /** They are another's once it resolves, or at once. */
  addAscii(ascii: Uint8Array): Promise<void> | undefined {
    this.#bytes += ascii.length;
    if (this.#stream?.leaveOut?.(ascii.length) === true) return undefined;
    return this.#stream?.writeAscii?.(ascii);
  }

  /** Has everything in the file that was added, for whoever looks at it while more is to come. */
  async flush(): Promise<void> {
    await this.#stream?.write("");
  }
}
