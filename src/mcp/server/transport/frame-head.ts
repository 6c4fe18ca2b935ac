import type { RequestId } from "../protocol/json-rpc.ts";

/** Id of a message that was not decoded, and whether it answers a request of this server. */
export interface FrameHead {
  readonly id: RequestId | null;
  readonly isAnswer: boolean;
}

/** Maximum bytes stored of a key or an id; a longer one is ignored. */
const maxTokenBytes = 1000;

/**
 * Reads the id of a message too long to be buffered, wherever in the message it is, in constant memory. Does not
 * validate the JSON: of an invalid message it reads as much as possible.
 */
export class FrameScan {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isKey = false;
  #key: string | undefined;
  #token: number[] | undefined;
  #id: RequestId | null = null;
  #isAnswer = false;

  get head(): FrameHead {
    return { id: this.#id, isAnswer: this.#isAnswer };
  }

  push(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInString) this.#inString(byte);
      else this.#outside(byte);
    }
  }

  #inString(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === characters.backslash) this.#isEscaped = true;
    else if (byte === characters.quote) {
      this.#isInString = false;
      if (this.#depth === 1 && this.#isKey) this.#endKey();
    }
  }

  #outside(byte: number): void {
    switch (byte) {
      case characters.quote:
        this.#isInString = true;
        // Keys at the top level of the message, and the value of its id.
        if (this.#depth === 1 && (this.#isKey || this.#key === "id")) this.#token = [byte];
        return;
      case characters.openBrace:
      case characters.openBracket:
        this.#depth += 1;
        this.#isKey = this.#depth === 1 && byte === characters.openBrace;
        this.#token = undefined;
        return;
      case characters.closeBrace:
      case characters.closeBracket:
        if (this.#depth === 1) this.#endValue();
        this.#depth -= 1;
        return;
      case characters.comma:
        if (this.#depth !== 1) return;
        this.#endValue();
        this.#isKey = true;
        return;
      case characters.colon:
        if (this.#depth === 1) this.#isKey = false;
        return;
    }
    if (this.#depth !== 1 || this.#isKey || this.#key !== "id" || byte <= characters.space) return;
    this.#token ??= [];
    this.#keep(byte);
  }

  #keep(byte: number): void {
    if (this.#token === undefined) return;
    if (this.#token.length < maxTokenBytes) this.#token.push(byte);
    else this.#token = undefined;
  }

  #endKey(): void {
    const key = this.#read();
    this.#key = typeof key === "string" ? key : undefined;
    this.#isAnswer ||= key === "result" || key === "error";
  }

  #endValue(): void {
    const value = this.#key === "id" ? this.#read() : undefined;
    if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) {
      this.#id = value;
    }
    this.#key = undefined;
    this.#token = undefined;
  }

  #read(): unknown {
    const token = this.#token ?? [];
    this.#token = undefined;
    try {
      const value: unknown = JSON.parse(Buffer.from(token).toString("utf8"));
      return value;
    } catch {
      return undefined;
    }
  }
}

const characters = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;
