import { isRecord } from "../../../text/index.ts";

/** Limits on what a server may send. */
export const messageLimits = {
  /** Bytes of one message. */
  bytes: 8 * 1024 * 1024,
  /** Levels of a message. */
  depth: 200,
  /** Bytes and messages without a single answer among them. */
  unansweredBytes: 64 * 1024 * 1024,
  unansweredMessages: 50_000,
} as const;

/** A message that was not asked for, or the reason for which the connection must end. */
export type ReadMessage =
  | { readonly kind: "message"; readonly message: Readonly<Record<string, unknown>> }
  | { readonly kind: "noise"; readonly text: string }
  | { readonly kind: "violation"; readonly why: string };

/** Reads a stream of JSON messages, one a line. Memory is bounded by the largest message that is accepted. */
export class MessageReader {
  readonly #decoder = new TextDecoder();
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #unansweredBytes = 0;
  #unansweredMessages = 0;

  /** Returns the messages that end in this chunk. The chunk's memory may be reused afterwards. */
  *read(chunk: Uint8Array): Iterable<ReadMessage> {
    this.#unansweredBytes += chunk.length;
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) break;
      const line = chunk.subarray(start, end);
      start = end + 1;
      if (this.#parts.length === 0 && line.length <= messageLimits.bytes) {
        // Most messages arrive in one piece, which is decoded where it is.
        const whole = this.#read(line);
        if (whole !== undefined) yield whole;
        continue;
      }
      this.#add(line);
      if (this.#bytes > messageLimits.bytes) break;
      const read = this.#take();
      if (read !== undefined) yield read;
    }
    if (this.#bytes <= messageLimits.bytes) this.#add(chunk.subarray(start));
    if (this.#bytes > messageLimits.bytes) {
      this.#parts = [];
      yield violation(`sent a message of more than ${messageLimits.bytes} bytes`);
    } else if (
      this.#unansweredBytes > messageLimits.unansweredBytes ||
      this.#unansweredMessages > messageLimits.unansweredMessages
    ) {
      yield violation("sent far more than it was asked for");
    }
  }

  #add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#bytes += bytes.length;
    if (this.#bytes <= messageLimits.bytes) this.#parts.push(bytes.slice());
  }

  #take(): ReadMessage | undefined {
    const line = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return this.#read(line);
  }

  #read(line: Uint8Array): ReadMessage | undefined {
    const text = this.#decoder.decode(line).trim();
    if (text === "") return undefined;
    this.#unansweredMessages += 1;
    const read = readMessage(text);
    if (read.kind === "message" && isAnswer(read.message)) {
      this.#unansweredBytes = 0;
      this.#unansweredMessages = 0;
    }
    return read;
  }
}

const newline = 0x0a;

function isAnswer(message: Readonly<Record<string, unknown>>): boolean {
  return "result" in message || "error" in message;
}

/** Reads one message. What is not JSON-RPC is noise: many programs print to standard output by mistake. */
export function readMessage(text: string): ReadMessage {
  if (depthOf(text) > messageLimits.depth) {
    return violation(`sent a message of more than ${messageLimits.depth} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "noise", text: text.slice(0, maxNoiseChars) };
  }
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") {
    return { kind: "noise", text: text.slice(0, maxNoiseChars) };
  }
  return { kind: "message", message: value };
}

const maxNoiseChars = 500;

function violation(why: string): ReadMessage {
  return { kind: "violation", why };
}

/** Depth of brackets outside of strings, found before the text is parsed: deep JSON costs memory by level. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) index += 1;
      else if (code === quote) isInString = false;
    } else if (code === quote) isInString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
