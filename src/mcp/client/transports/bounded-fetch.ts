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

/** A response whose lines are bounded: an event or a whole answer is one line of JSON. */
function bounded(response: Response): Response {
  const { body, status } = response;
  if (body === null || status === 204 || status === 205 || status === 304) return response;
  let lineBytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(newline);
      lineBytes = last === -1 ? lineBytes + chunk.length : chunk.length - last - 1;
      if (lineBytes <= messageLimits.bytes) controller.enqueue(chunk);
      else controller.error(new Error(`sent a message of more than ${messageLimits.bytes} bytes`));
    },
  });
  const { statusText, headers } = response;
  const copy = new Response(body.pipeThrough(limit), { status, statusText, headers });
  // The transport compares the address of an answer with that of its request.
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}

const newline = 0x0a;
