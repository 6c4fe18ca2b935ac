import type { ServerResponse } from "node:http";
import { ToolError, type ErrorInfo } from "../core/index.ts";

/** A request that is refused, as its answer says it. */
export class HttpProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, code: string, { message, hint }: { message: string; hint: string }) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}

/** Sends why a request failed: a refusal as it is, a failure of a tool by its code, and nothing of any other fault. */
export function sendProblem(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof HttpProblem) {
    const { status, code, message, hint } = error;
    // The rest of a body that is refused is not read.
    if (status === 413) response.setHeader("connection", "close");
    if (status === 401) response.setHeader("www-authenticate", "Bearer");
    if (status === 503) response.setHeader("retry-after", "1");
    sendJson(response, status, { success: false, error: { code, message, hint } });
    return;
  }
  if (ToolError.is(error)) {
    const { code, message, hint } = error;
    sendJson(response, statusOf(code), { success: false, error: { code, message, hint } });
    return;
  }
  const fault = {
    code: "INTERNAL",
    message: "The server failed at this request.",
    hint: "Report it.",
  };
  sendJson(response, 500, { success: false, error: fault });
}

function statusOf(code: ErrorInfo["code"]): number {
  if (code === "NOT_FOUND") return 404;
  return code === "INVALID_INPUT" ? 400 : 409;
}
