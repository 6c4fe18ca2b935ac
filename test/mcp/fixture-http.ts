// The fixture tools over Streamable HTTP, both eras, as much of it as the conformance suite asks for:
// `node test/mcp/fixture-http.ts [port]` prints its address.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import { createProtocol } from "../../src/mcp/index.ts";
import type { Channel, ConnectionState, Outgoing } from "../../src/mcp/index.ts";
import { isRecord, type RequestId } from "../../src/mcp/server/protocol/json-rpc.ts";
import { isLegacyVersion, metaKeys, metaOf } from "../../src/mcp/server/protocol/versions.ts";
import { fixtureOptions } from "./fixture-kit.ts";
import { registryKit } from "./registry-kit.ts";

const protocol = createProtocol(await registryKit({ pauseMs: 50 }), fixtureOptions);
const sessions = new Map<string, ConnectionState>();
const headerMismatch = -32_020;
const notFound = -32_601;

const server = createServer((request, response) => {
  void serve(request, response).catch(() => response.destroy());
});
server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!isLocal(request.headers.host) || !isLocal(request.headers.origin, true)) {
    return end(response, 403);
  }
  const sessionId = header(request, "mcp-session-id");
  if (request.method === "DELETE") {
    return end(response, sessionId !== undefined && sessions.delete(sessionId) ? 200 : 404);
  }
  if (request.method !== "POST") return end(response, 405);
  let body: unknown;
  try {
    body = JSON.parse(await bodyOf(request));
  } catch {
    return fail(response, 400, { id: null, code: -32_700, message: "The body must be JSON." });
  }
  const message = isRecord(body) ? body : {};
  const version = header(request, "mcp-protocol-version");
  const params = isRecord(message["params"]) ? message["params"] : {};
  const declared = metaOf(params)[metaKeys.protocolVersion];
  if (declared !== undefined || (version !== undefined && !isLegacyVersion(version))) {
    const mismatch = mismatchOf(request, message, declared);
    if (mismatch !== undefined) {
      return fail(response, 400, { id: idOf(message), code: headerMismatch, message: mismatch });
    }
    return handle(body, response, { state: {}, isModern: true });
  }
  if (message["method"] === "initialize") {
    const id = randomUUID();
    const state: ConnectionState = {};
    sessions.set(id, state);
    response.setHeader("mcp-session-id", id);
    return handle(body, response, { state, isModern: false });
  }
  if (sessionId === undefined) return end(response, 400);
  const state = sessions.get(sessionId);
  if (state === undefined) return end(response, 404);
  return handle(body, response, { state, isModern: false });
}

interface Handling {
  readonly state: ConnectionState;
  readonly isModern: boolean;
}

/** The first message decides the form: an answer is plain JSON, a notification opens an event stream. */
async function handle(body: unknown, response: ServerResponse, how: Handling): Promise<void> {
  const channel: Channel = {
    send: (message) => {
      if (response.writableEnded) return;
      if ("method" in message || response.headersSent) {
        if (!response.headersSent) {
          response.writeHead(200, {
            "content-type": "text/event-stream",
            "x-accel-buffering": "no",
          });
        }
        response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        if (!("method" in message)) response.end();
        return;
      }
      response.writeHead(how.isModern ? statusOf(message) : 200, {
        "content-type": "application/json",
      });
      response.end(JSON.stringify(message));
    },
  };
  const connection = protocol.connect(channel, how.state);
  response.on("close", () => void connection.close());
  await connection.handle(body);
  if (!response.headersSent) end(response, 202);
}

function statusOf(message: Outgoing): number {
  if (!("error" in message) || message.error === undefined) return 200;
  return message.error.code === notFound ? 404 : 400;
}

function mismatchOf(
  request: IncomingMessage,
  message: Readonly<Record<string, unknown>>,
  declared: unknown,
): string | undefined {
  const params = isRecord(message["params"]) ? message["params"] : {};
  const isNamed = ["tools/call", "prompts/get", "resources/read"].includes(
    String(message["method"]),
  );
  const due: [string, unknown][] = [["mcp-method", message["method"]]];
  // A request without the version in its body is refused for that, by the protocol.
  if (declared !== undefined) due.push(["mcp-protocol-version", declared]);
  if (isNamed) due.push(["mcp-name", params["name"] ?? params["uri"]]);
  for (const [name, expected] of due) {
    const sent = decoded(header(request, name));
    if (sent !== expected) return `Header mismatch: ${name} does not match the body.`;
  }
  return undefined;
}

function decoded(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/u.exec(value ?? "")?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8");
}

function isLocal(authority: string | undefined, isOptional = false): boolean {
  if (authority === undefined) return isOptional;
  return /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/u.test(authority);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function idOf(message: Readonly<Record<string, unknown>>): RequestId | null {
  const { id } = message;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

function fail(
  response: ServerResponse,
  status: number,
  { id, code, message }: { id: RequestId | null; code: number; message: string },
): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
}
