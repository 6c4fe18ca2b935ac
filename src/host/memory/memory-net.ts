import type {
  HostNet,
  HostNetOptions,
  HostOptions,
  HostRequest,
  HostResponse,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";

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
  const byUrl = new Map(
    Object.entries(responses).map(([url, answer]) => [new URL(url).href, answer]),
  );
  return {
    async fetch(request: HostRequest, options?: HostNetOptions): Promise<HostResponse> {
      throwIfAborted(options?.signal);
      const addresses = await import("../net/request-url.ts");
      const url = addresses.requestUrl(request.url);
      if (!addresses.isPrivateAllowed(url, options ?? {})) addresses.requirePublicLiteral(url);
      const scripted = byUrl.get(url.href);
      if (scripted === undefined) throw addresses.unreachable(url.host);
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

async function* bodyOf(body: string | Uint8Array | undefined): AsyncGenerator<Uint8Array> {
  if (body === undefined) return;
  yield typeof body === "string" ? new TextEncoder().encode(body) : body.slice();
}
