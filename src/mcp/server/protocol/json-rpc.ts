import { isRecord } from "../../../text/index.ts";

/** A request's id: a string or a number, never null. */
export type RequestId = string | number;

export interface RpcRequest {
  readonly kind: "request";
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface RpcNotification {
  readonly kind: "notification";
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Response of a client to a request of this server. */
export interface ClientAnswer {
  readonly kind: "answer";
  /** Null if the request it answers cannot be determined. */
  readonly id: RequestId | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An incoming message, or the reason why it is invalid. */
export type Incoming =
  | RpcRequest
  | RpcNotification
  | ClientAnswer
  | { readonly kind: "invalid"; readonly id: RequestId | null; readonly error: RpcError };

export interface RpcAnswer {
  readonly jsonrpc: "2.0";
  readonly id: RequestId | null;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Message that this server sends: a response, the responses of a batch, a notification, or a request of its own. */
export type Outgoing =
  | RpcAnswer
  | readonly RpcAnswer[]
  | {
      readonly jsonrpc: "2.0";
      /** Set if the client has to respond. */
      readonly id?: RequestId;
      readonly method: string;
      readonly params?: Readonly<Record<string, unknown>>;
    };

export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  serverBusy: -32_000,
  headerMismatch: -32_020,
  missingClientCapability: -32_021,
  unsupportedProtocolVersion: -32_022,
} as const;

/** Protocol error, as opposed to a tool that failed. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: keyof typeof rpcCodes | number, message: string, data?: unknown) {
    super(message);
    this.name = "RpcError";
    this.code = typeof code === "number" ? code : rpcCodes[code];
    this.data = data;
  }
}

/** Classifies a decoded JSON value without trusting any part of it. */
export function readMessage(value: unknown): Incoming {
  if (!isRecord(value)) return invalid(null, "A message must be a JSON object.");
  const id = readableId(value["id"]);
  if (value["jsonrpc"] !== "2.0") return invalid(id, 'A message must say "jsonrpc": "2.0".');
  const { method, params = {} } = value;
  if (method === undefined && ("result" in value || "error" in value)) {
    return {
      kind: "answer",
      id,
      ...("error" in value ? { error: value["error"] } : { result: value["result"] }),
    };
  }
  if (typeof method !== "string") return invalid(id, "A message must name its method.");
  if ("id" in value && id === null) {
    return invalid(
      null,
      "An id must be a string, or a number of at most 2^53 - 1. Send another id.",
    );
  }
  if (!isRecord(params)) {
    // A notification has no response, so its params cannot be refused.
    if (id === null) return { kind: "answer", id };
    return {
      kind: "invalid",
      id,
      error: new RpcError("invalidParams", "params must be an object."),
    };
  }
  return id === null
    ? { kind: "notification", method, params }
    : { kind: "request", id, method, params };
}

export function errorAnswer(id: RequestId | null, error: RpcError): RpcAnswer {
  const { code, message, data } = error;
  return {
    jsonrpc: "2.0",
    id,
    error: data === undefined ? { code, message } : { code, message, data },
  };
}

function invalid(id: RequestId | null, message: string): Incoming {
  return { kind: "invalid", id, error: new RpcError("invalidRequest", message) };
}

function readableId(id: unknown): RequestId | null {
  if (typeof id === "string") return id;
  // A larger one was rounded when it was read: the answer would carry an id that nobody sent.
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : null;
}
