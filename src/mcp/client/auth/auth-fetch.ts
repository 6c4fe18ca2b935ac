import type { FetchLike } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/index.ts";
import { depthOf, messageLimits } from "../transports/json-lines.ts";

/** Limits on the answers of an authorization server. */
const limits = { bytes: 256 * 1024, ms: 10_000 } as const;

/**
 * Sends the requests of a login: encrypted unless they stay on this machine or go to an origin that the user named, and
 * with small answers. Redirects are not followed here.
 */
export function authFetch(fetch: typeof globalThis.fetch, allowed: readonly string[]): FetchLike {
  const origins = new Set(allowed.map((address) => new URL(address).origin));
  return async (address, init = {}) => {
    const url = new URL(address);
    if (!isSecure(url) && (!origins.has(url.origin) || init.method === "POST")) {
      throw new ToolError("PERMISSION_DENIED", `${url.origin} is not encrypted.`, {
        hint: "A login needs https; ask the operator of the server.",
      });
    }
    const deadline = AbortSignal.timeout(limits.ms);
    const given = init.signal ?? undefined;
    const signal = given === undefined ? deadline : AbortSignal.any([deadline, given]);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    const { status, statusText, headers } = response;
    const text = await boundedText(response, url);
    const isEmpty = status === 204 || status === 205 || status === 304;
    const copy = new Response(isEmpty ? null : text, { status, statusText, headers });
    Object.defineProperty(copy, "url", { value: response.url });
    return copy;
  };
}

/** Whether a request cannot be read on its way. */
export function isSecure({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  return protocol === "http:" && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname);
}

async function boundedText({ body }: Response, { host }: URL): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Ending the loop frees the connection.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw tooLarge(host, `more than ${limits.bytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  if (depthOf(text) > messageLimits.depth)
    throw tooLarge(host, `more than ${messageLimits.depth} levels`);
  return text;
}

function tooLarge(host: string, what: string): ToolError {
  return new ToolError("TOO_LARGE", `${host} answered a login request with ${what}.`, {
    hint: "The answer was not read; ask the operator of the server.",
  });
}
