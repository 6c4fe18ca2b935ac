import type { HostNet, HostOptions, HostRequest, HostResponse } from "../core/index.ts";
import { abortError, throwIfAborted } from "./aborted.ts";
import { requestUrl, unreachable } from "./net-error.ts";

/** The machine's network. */
export const localNet: HostNet = {
  async fetch(request: HostRequest, options?: HostOptions): Promise<HostResponse> {
    const signal = options?.signal;
    throwIfAborted(signal);
    const url = requestUrl(request.url);
    try {
      const response = await fetch(url, {
        method: request.method ?? "GET",
        headers: { ...request.headers },
        redirect: "manual",
        ...(request.body === undefined ? {} : { body: bodyToSend(request.body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      return {
        url: url.href,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: bodyOf(response, url, signal),
      };
    } catch (error) {
      throw signal?.aborted === true ? abortError(signal) : unreachable(url.host, error);
    }
  },
};

async function* bodyOf(
  response: Response,
  url: URL,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const bytes of response.body) yield bytes;
  } catch (error) {
    throw signal?.aborted === true ? abortError(signal) : unreachable(url.host, error);
  }
}

function bodyToSend(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : new Uint8Array(body);
}
