/** Limits of what a language server may send. */
export interface FrameLimits {
  /** Maximum bytes of one message. */
  readonly bytes: number;
  /** Maximum bytes of the lines before a message. */
  readonly headerBytes: number;
}

export const frameLimits: FrameLimits = { bytes: 32_000_000, headerBytes: 8192 };

/** A message that was read, or the reason for which no more can be read. */
export type ReadFrame =
  | { readonly kind: "message"; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: "violation"; readonly why: string };

/** Encodes a message with its header. */
export function frameOf(message: object): Uint8Array {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

/** Reads messages with a Content-Length header from a stream of bytes. After a violation nothing more is read. */
export class FrameReader {
  readonly #limits: FrameLimits;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  /** Bytes that the message needs; undefined while its header is read. */
  #wanted: number | undefined;
  #isBroken = false;

  constructor(limits: FrameLimits = frameLimits) {
    this.#limits = limits;
  }

  *push(bytes: Uint8Array): Generator<ReadFrame> {
    if (this.#isBroken) return;
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    for (let read = this.#next(); read !== undefined; read = this.#next()) {
      if (read.kind === "violation") {
        this.#isBroken = true;
        this.#parts = [];
      }
      yield read;
      if (this.#isBroken) return;
    }
  }

  #next(): ReadFrame | undefined {
    if (this.#wanted === undefined) {
      const why = this.#readHeader();
      if (why !== undefined) return { kind: "violation", why };
    }
    const wanted = this.#wanted;
    if (wanted === undefined || this.#bytes < wanted) return undefined;
    const all = this.#joined();
    const message = parsed(all.subarray(0, wanted));
    this.#keep(all.subarray(wanted));
    this.#wanted = undefined;
    return message;
  }

  /** Takes the header, if it is complete; returns what is wrong with it. */
  #readHeader(): string | undefined {
    // A small chunk cannot complete a header that begins with it; joining is linear because headers are short.
    const all = this.#joined();
    const end = all.indexOf("\r\n\r\n");
    const { bytes, headerBytes } = this.#limits;
    if (end === -1 ? all.length > headerBytes : end > headerBytes) return "sent no valid header";
    if (end === -1) return undefined;
    const header = all.subarray(0, end).toString("latin1");
    const length = /^content-length: *(\d{1,15})$/imu.exec(header)?.[1];
    if (length === undefined) return "sent a message without a length";
    if (Number(length) > bytes) return `sent a message of more than ${bytes} bytes`;
    this.#wanted = Number(length);
    this.#keep(all.subarray(end + 4));
    return undefined;
  }

  #joined(): Buffer {
    const all = Buffer.concat(this.#parts);
    this.#parts = [all];
    return all;
  }

  #keep(rest: Uint8Array): void {
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
  }
}

function parsed(bytes: Buffer): ReadFrame {
  try {
    const message: unknown = JSON.parse(bytes.toString("utf8"));
    if (isMessage(message)) return { kind: "message", message };
  } catch {
    // Reported below.
  }
  return { kind: "violation", why: "sent a message that is not JSON-RPC" };
}

function isMessage(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
