import { ToolError } from "../core/index.ts";

/** The URL of a request; throws INVALID_INPUT unless it is http or https. */
export function requestUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && (parsed.protocol === "http:" || parsed.protocol === "https:")) {
    return parsed;
  }
  throw new ToolError("INVALID_INPUT", `${url} is not an http or https address.`, {
    hint: "Use an absolute address that starts with http:// or https://.",
  });
}

export function unreachable(host: string, cause?: unknown): ToolError {
  return new ToolError("UNAVAILABLE", `${host} could not be reached${reason(cause)}.`, {
    hint: "Check the address and the network, then try again.",
    data: { host },
    cause,
  });
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  const inner = cause.cause instanceof Error ? cause.cause : cause;
  return inner.message === "" ? "" : ` (${inner.message})`;
}
