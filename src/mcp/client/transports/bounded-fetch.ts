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
): FetchLike {
  return async (address, init = {}) => {
    const url = new URL(address);
    if (!origins.has(url.origin)) {
      throw new ToolError("PERMISSION_DENIED", `The server led to ${url.origin}.`, {
        hint: "Only the address in the settings is reached; change it there.",
      });
    }
    const response = await fetch(url, { ...init, redirect: "manual" });
    return bounded(response);
  };
}

/** A response whose messages are bounded: each event of a stream, otherwise the whole answer. */
function bounded(response: Response): Response {
  const { body, status } = response;
  if (body === null || status === 204 || status === 205 || status === 304) return response;
  const { statusText, headers } = response;
  const isStream = headers.get("content-type")?.includes("text/event-stream") === true;
  const sizeWith = isStream ? eventSize() : wholeSize();
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (sizeWith(chunk) <= messageLimits.bytes) controller.enqueue(chunk);
      else controller.error(new Error(`sent a message of more than ${messageLimits.bytes} bytes`));
    },
  });
  const copy = new Response(body.pipeThrough(limit), { status, statusText, headers });
  // The transport compares the address of an answer with that of its request.
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}

/** Size of a message with the next chunk. */
type SizeWith = (chunk: Uint8Array) => number;

function wholeSize(): SizeWith {
  let bytes = 0;
  return (chunk) => (bytes += chunk.length);
}

/** The size of the largest event that the next chunk contains or continues. An empty line ends an event. */
function eventSize(): SizeWith {
  let bytes = 0;
  let before = newline;
  let isLineEmpty = true;
  return (chunk) => {
    let largest = 0;
    for (const byte of chunk) {
      bytes += 1;
      largest = Math.max(largest, bytes);
      const isEnd = byte === carriageReturn || (byte === newline && before !== carriageReturn);
      if (isEnd && isLineEmpty) bytes = 0;
      if (isEnd) isLineEmpty = true;
      else if (byte !== newline) isLineEmpty = false;
      before = byte;
    }
    return largest;
  };
}

const newline = 0x0a;
const carriageReturn = 0x0d;
