import type { ArtifactStore, ArtifactStream } from "../../../core/index.ts";

/**
 * Full text of a long output, stored as an artifact from its first character on. A short output is not stored: the
 * text stays in memory until it exceeds what is shown.
 */
export class OutputFile {
  readonly #store: ArtifactStore | undefined;
  readonly #callId: string;
  readonly #fromChars: number;
  #held: string | undefined = "";
  #bytes = 0;
  #stream: ArtifactStream | undefined;

  constructor(store: ArtifactStore | undefined, callId: string, fromChars: number) {
    this.#store = store;
    this.#callId = callId;
    this.#fromChars = fromChars;
  }

  /** Stream of the artifact; undefined while the output is short. */
  get stream(): ArtifactStream | undefined {
    return this.#stream;
  }

  /** Text in memory; undefined once the output is stored. */
  get held(): string | undefined {
    return this.#held;
  }

  /** Number of UTF-8 bytes added. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds a text. Resolves when the store has accepted it, so that a command cannot print faster than it is stored.
   */
  async add(text: string): Promise<void> {
    if (text === "") return;
    // Counts the decoded text: an invalid byte is stored as a replacement character of three bytes.
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

  /** Whether ASCII bytes can be added without decoding, because nothing needs their text. */
  takesAscii(ascii: Uint8Array): boolean {
    if (this.#held !== undefined) return false;
    const stream = this.#stream;
    if (stream === undefined || stream.leaveOut?.(0) === true) return true;
    const { buffer, byteOffset, length } = ascii;
    return stream.writeAscii !== undefined && !Buffer.from(buffer, byteOffset, length).includes(0);
  }

  /** Adds ASCII bytes; the caller may reuse them once the promise resolves, or at once if there is none. */
  addAscii(ascii: Uint8Array): Promise<void> | undefined {
    this.#bytes += ascii.length;
    if (this.#stream?.leaveOut?.(ascii.length) === true) return undefined;
    return this.#stream?.writeAscii?.(ascii);
  }

  /** Writes everything added so far to the file, for a reader that opens it while the output continues. */
  async flush(): Promise<void> {
    await this.#stream?.write("");
  }
}
