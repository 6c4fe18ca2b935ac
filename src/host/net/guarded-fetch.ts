import { ToolError, type HostNet, type HostResponse } from "../../core/index.ts";

export interface GuardedFetchOptions {
  /**
   * Addresses that the user wrote into settings, a command line or options. Their origins are reached even where they
   * are private; every other address must be public, at each redirect.
   */
  readonly allowed?: readonly string[];
  /** Headers that hold nothing of the user and may follow a redirect to another origin, in addition to common ones. */
  readonly harmlessHeaders?: readonly string[];
}

/** Redirects of one request that are followed. */
const maxRedirects = 5;

/** Headers that another origin gets as well. Any other may hold a key, whatever its name is. */
const harmless =
  "accept accept-encoding accept-language content-type mcp-protocol-version user-agent";

/**
 * `fetch` over the network of a host, for libraries that take one, such as an MCP client. Each hop is checked as a
 * request of its own; headers that may be credentials stay with their origin.
 */
export function guardedFetch(
  net: HostNet,
  { allowed = [], harmlessHeaders = [] }: GuardedFetchOptions = {},
): typeof fetch {
  const origins = new Set(allowed.map((url) => new URL(url).origin));
  return async (input, init) => {
    const request = new Request(input, init);
    const { signal, redirect } = request;
    let method = request.method;
    let body: Uint8Array | undefined;
    if (request.body !== null) body = new Uint8Array(await request.arrayBuffer());
    const headers = new Headers(request.headers);
    let url = new URL(request.url);
    for (let hop = 0; ; hop += 1) {
      const response = await net.fetch(
        {
          url: url.href,
          method,
          headers: Object.fromEntries(headers),
          ...(body === undefined ? {} : { body }),
        },
        { signal, allowsPrivate: origins.has(url.origin) },
      );
      const next = redirect === "manual" ? undefined : targetOf(response, url);
      if (next === undefined) return asResponse(response, method);
      await discard(response);
      if (redirect === "error" || hop === maxRedirects) throw tooManyRedirects(url, redirect);
      if (next.origin !== url.origin) keepHarmless(headers, harmlessHeaders);
      if (response.status === 303 || (response.status < 303 && method === "POST")) {
        method = method === "HEAD" ? "HEAD" : "GET";
        body = undefined;
        headers.delete("content-type");
      }
      url = next;
    }
  };
}

function keepHarmless(headers: Headers, further: readonly string[]): void {
  const kept = `${harmless} ${further.join(" ")}`.toLowerCase().split(" ");
  for (const name of Array.from(headers.keys())) if (!kept.includes(name)) headers.delete(name);
}

function targetOf({ status, headers }: HostResponse, url: URL): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

function tooManyRedirects({ host }: URL, redirect: Request["redirect"]): ToolError {
  return redirect === "error"
    ? new ToolError("UNAVAILABLE", `${host} redirects to another address.`, {
        hint: "Use the address to which it redirects.",
      })
    : new ToolError("UNAVAILABLE", `${host} redirects more than ${maxRedirects} times.`, {
        hint: "Use the final address.",
      });
}

/** Frees the connection. The beginning of a body is read, because most are short and keep the connection usable. */
async function discard({ body }: HostResponse): Promise<void> {
  let bytes = 0;
  try {
    for await (const piece of body) if ((bytes += piece.length) > 65_536) break;
  } catch {
    // The answer to the redirect decides, not its body.
  }
}

function asResponse({ url, status, headers, body }: HostResponse, method: string): Response {
  const isEmpty = method === "HEAD" || [101, 204, 205, 304].includes(status);
  const response = new Response(isEmpty ? null : streamOf(body), { status, headers });
  Object.defineProperty(response, "url", { value: url });
  return response;
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
