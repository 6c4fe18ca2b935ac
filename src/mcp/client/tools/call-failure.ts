import { ToolError } from "../../../core/index.ts";
import { isRecord, messageOf, visibleText } from "../../../text/index.ts";
import type { ManagedServer } from "../servers/managed-server.ts";

/** Characters of what a server says of an error or its progress. */
const maxSaidChars = 2000;

/** The fault of a call, with what is known about whether it took effect. */
export function failureOf(
  error: unknown,
  {
    config,
    log: { ending },
    loginRequired,
  }: Pick<ManagedServer, "config" | "log" | "loginRequired">,
  { isSent }: { readonly isSent: boolean },
): ToolError {
  if (ToolError.is(error)) return error;
  if (loginRequired !== undefined) return loginRequired;
  const name = visibleText(config.name);
  const code = isRecord(error) ? error["code"] : undefined;
  if (code === "REQUEST_TIMEOUT") {
    return new ToolError("TIMEOUT", `The MCP server ${name} gave no answer or progress in time.`, {
      hint: "Check whether the call took effect before you repeat it.",
      retryable: false,
      cause: error,
    });
  }
  if (code === "CONNECTION_CLOSED" || code === "NOT_CONNECTED") {
    const how = ending ?? "ended";
    return new ToolError("UNAVAILABLE", `The MCP server ${name} ${how} during the call.`, {
      hint: isSent
        ? "Check whether the call took effect before you repeat it."
        : "Call it again; nothing was sent.",
      retryable: !isSent,
      cause: error,
    });
  }
  return new ToolError(
    "TOOL_FAILED",
    `The MCP server ${name} answered: ${said(messageOf(error))}`,
    {
      hint: "Correct the input, or use another tool.",
      cause: error,
    },
  );
}

/** Text of a server, bounded and with every character visible. */
export function said(text: string): string {
  const shown = visibleText(text.slice(0, maxSaidChars));
  return text.length > maxSaidChars ? `${shown}…` : shown;
}
