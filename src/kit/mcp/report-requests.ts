import type { NewEvent } from "../../core/index.ts";
import type { FollowedRequest, RequestNotice, ServerConfig } from "../../mcp/index.ts";

/** Longest member of a trace that is sent; the standard limits `tracestate` to as many characters. */
const maxTraceChars = 512;

/** Reports requests to MCP servers as events. What listeners set in `trace` is sent with the request. */
export function reportRequests(
  emit: (event: NewEvent) => void,
  newId: () => string,
): (config: ServerConfig, notice: RequestNotice) => FollowedRequest {
  return ({ name, address }, { method, target, protocol, caller }) => {
    const requestId = newId();
    const trace = {};
    const isHttp = address.kind === "http" || address.kind === "sse";
    emit({
      type: "request-start",
      requestId,
      server: name,
      method,
      transport: isHttp ? "http" : "stdio",
      trace,
      ...(target === undefined ? {} : { target }),
      ...(protocol === undefined ? {} : { protocol }),
      ...(isHttp ? { address: placeOf(address.url) } : {}),
      ...(caller === undefined ? {} : { callId: caller.callId, runId: caller.runId }),
    });
    return {
      meta: metaOf(trace),
      end: (code) =>
        emit({ type: "request-end", requestId, ...(code === undefined ? {} : { code }) }),
    };
  };
}

function placeOf(url: string): { readonly host: string; readonly port: number } {
  const { hostname, port, protocol } = new URL(url);
  const standard = protocol === "https:" ? 443 : 80;
  return { host: hostname, port: port === "" ? standard : Number(port) };
}

/** Members of the W3C trace context, and nothing else that a listener may have set. */
function metaOf(trace: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = trace;
  return {
    ...(isSendable(traceparent) ? { traceparent } : {}),
    ...(isSendable(tracestate) ? { tracestate } : {}),
  };
}

function isSendable(value: unknown): value is string {
  return (
    typeof value === "string" && /^[\x20-\x7e]+$/u.test(value) && value.length <= maxTraceChars
  );
}
