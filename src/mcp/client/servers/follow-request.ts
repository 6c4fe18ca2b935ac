import type { ToolContext } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";

/** Call that makes a request. */
export type RequestCaller = Pick<ToolContext, "callId" | "runId">;

export interface ServerRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RequestLimits {
  readonly caller?: RequestCaller | undefined;
  /** Milliseconds without an answer or progress. */
  readonly idleMs: number;
  /** Milliseconds in all. */
  readonly totalMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Headers of the request, if the server is reached over HTTP. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly onProgress?: (progress: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
}

/** Sends one request and returns its result as it is on the wire. */
export type SendRequest = (request: ServerRequest, limits: RequestLimits) => Promise<unknown>;

/** A request as it is reported. */
export interface RequestNotice extends Pick<ServerRequest, "method"> {
  /** Name of the called tool. */
  readonly target: string | undefined;
  readonly protocol: string | undefined;
  readonly caller: RequestCaller | undefined;
}

/** A request that is reported until it ends. */
export interface FollowedRequest {
  /** Members that its `_meta` gets. */
  readonly meta: Readonly<Record<string, string>>;
  /** Reports its end, with a code if it failed. */
  readonly end: (code?: string) => void;
}

/** Reports that a request begins. */
export type FollowRequest = (notice: RequestNotice) => FollowedRequest;

/** Reports the requests of a connection, from before they are sent until they are answered. */
export function followed(
  send: SendRequest,
  { follow, protocol }: { readonly follow: FollowRequest; readonly protocol: string | undefined },
): SendRequest {
  return async (request, limits) => {
    const { method, params } = request;
    const { name } = params;
    const { meta, end } = follow({
      method,
      target: method === "tools/call" && typeof name === "string" ? name : undefined,
      protocol,
      caller: limits.caller,
    });
    const isMarked = Object.keys(meta).length > 0;
    try {
      const result = await send(
        isMarked ? { method, params: { ...params, _meta: meta } } : request,
        limits,
      );
      end(isRecord(result) && result["isError"] === true ? "tool_error" : undefined);
      return result;
    } catch (error) {
      end(codeOf(error));
      throw error;
    }
  };
}

/** Code of a failed request: that of the protocol, or of the client. */
function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" || typeof code === "number" ? String(code) : "_OTHER";
}
