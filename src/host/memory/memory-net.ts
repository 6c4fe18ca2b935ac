import type {
  HostNet,
  HostNetOptions,
  HostOptions,
  HostRequest,
  HostResponse,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { requestUrl, requirePublicLiteral, unreachable } from "../net/request-url.ts";

/** A scripted response. Defaults: status 200, no headers. */
export interface MemoryResponse {
  /** Status code. Default: 200. */
  readonly status?: number;
  /** Headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body. Default: empty. */
  readonly body?: string | Uint8Array;
}

/** Responses by URL; a function receives the request. Other URLs are unreachable. */
export type MemoryResponses = Readonly<
  Record<
    string,
    | MemoryResponse
    | ((request: HostRequest, options?: HostOptions) => MemoryResponse | Promise<MemoryResponse>)
  >
>;

/** A network of scripted responses. */
export function memoryNet(responses: MemoryResponses): HostNet {
  const byUrl = new Map(Object.entries(responses).map(([url, answer]) => [urlKey(url), answer]));
  return {
    async fetch(request: HostRequest, options?: HostNetOptions): Promise<HostResponse> {
      throwIfAborted(options?.signal);
      const url = requestUrl(request.url);
      if (options?.allowsPrivate !== true) requirePublicLiteral(url);
      const scripted = byUrl.get(url.href);
      if (scripted === undefined) throw unreachable(url.host);
      const response = typeof scripted === "function" ? await scripted(request, options) : scripted;
      throwIfAborted(options?.signal);
      const headers = Object.entries(response.headers ?? {});
      return {
        url: url.href,
        status: response.status ?? 200,
        headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        body: bodyOf(response.body),
      };
    },
  };
}

function urlKey(url: string): string {
  return requestUrl(url).href;
}

async function* bodyOf(body: string | Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  yield typeof body === "string" ? new TextEncoder().encode(body) : body.slice();
}
