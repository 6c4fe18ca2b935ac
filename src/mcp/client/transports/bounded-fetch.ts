import type { FetchLike } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import { messageLimits } from "./json-lines.ts";

/**
 * Sends the requests of one server: only to origins that the user named, and with bounded answers. Redirects are never
 * followed here; the transport follows those that stay within the origin.
 */
export function boundedFetch(
  fetch: typeof globalThis.fetch,
  origins: ReadonlySet<string>,
  onViolation: (why: string) => void,
): FetchLike {
  return async (address, init = {}) => {
    const url = new URL(address);
    if (!origins.has(url.origin)) {
      throw new ToolError(
        "PERMISSION_DENIED",
        `The server redirected to ${url.origin}, which is not allowed.`,
        {
          hint: "haft connects only to the address in the settings; change it there.",
        },
      );
    }
    const response = await fetch(url, { ...init, redirect: "manual" });
    return bounded(response, onViolation);
  };
}

/** A response whose messages are bounded: each event of a stream, otherwise the whole answer. */
function bounded(response: Response, onViolation: (why: string) => void): Response {
  const { body, status } = response;
  if (body === null || status === 204 || status === 205 || status === 304) return response;
  const { statusText, headers } = response;
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const measure = new MessageMeter(isStream);
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const violation = measure.add(chunk);
      if (violation === undefined) controller.enqueue(chunk);
      else {
        onViolation(violation);
        controller.error(new Error(violation));
      }
    },
  });
  const copy = new Response(body.pipeThrough(limit), { status, statusText, headers });
  // The transport compares the address of an answer with that of its request.
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}

/**
 * Size and depth of the messages of an answer: of a stream each event is one, which an empty line ends. Depth is counted
 * before a message is parsed, because deep JSON costs memory by level; a string cannot continue on another line.
 */
class MessageMeter {
  readonly #isStream: boolean;
  #bytes = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isLineEmpty = true;
  /** First characters of the line, which name its field. */
  #field = "";
  #before = newline;

  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  /** Why the answer must not be read on; undefined if nothing is wrong with this chunk. */
  add(chunk: Uint8Array): string | undefined {
    for (const byte of chunk) {
      this.#bytes += 1;
      if (this.#bytes > messageLimits.bytes) {
        return `sent a message of more than ${messageLimits.bytes} bytes`;
      }
      if (byte === newline || byte === carriageReturn) this.#endLine(byte);
      else {
        this.#isLineEmpty = false;
        if (this.#field.length < dataField.length) this.#field += String.fromCharCode(byte);
        this.#count(byte);
        if (this.#depth > messageLimits.depth) {
          return `sent a message of more than ${messageLimits.depth} levels`;
        }
      }
      this.#before = byte;
    }
    return undefined;
  }

  #endLine(byte: number): void {
    this.#isInString = false;
    this.#isEscaped = false;
    this.#field = "";
    if (byte === newline && this.#before === carriageReturn) return;
    if (this.#isStream && this.#isLineEmpty) {
      this.#bytes = 0;
      this.#depth = 0;
    }
    this.#isLineEmpty = true;
  }

  #count(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) this.#isInString = false;
    } else if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if ((byte === closeBrace || byte === closeBracket) && this.#isMessage) this.#depth -= 1;
  }

  /** Whether the line is part of a message: brackets in other fields of an event close nothing. */
  get #isMessage(): boolean {
    return !this.#isStream || this.#field === dataField;
  }
}

/** Start of the lines of an event that hold its message. */
const dataField = "data:";
const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
