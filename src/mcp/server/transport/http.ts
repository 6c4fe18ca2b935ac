import { isRecord } from "../../../text/index.ts";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  errorAnswer,
  readMessage,
  RpcError,
  type RequestId,
  type RpcAnswer,
} from "../protocol/json-rpc.ts";
import type { Connection } from "../protocol/connection.ts";
import { decodeMessage } from "../protocol/message-text.ts";
import type { Protocol } from "../protocol/protocol.ts";
import type { ConnectionState } from "../protocol/server-context.ts";
import { headerMismatch, headerOf, isModernMessage, parameterMismatch } from "./http-headers.ts";
import { eventOf, openEvents, responseChannel } from "./http-response.ts";
import type { Channel } from "./transport.ts";

/** Streamable HTTP of the protocol, in both eras: what one address of a server does. */
export interface HttpEndpoint {
  /** Handles a request. `body` has the bytes of a POST. Rejects only for faults of haft. */
  handle(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void>;
  /** Ends the sessions and their calls; resolves when they have ended. */
  close(): Promise<void>;
}

export interface HttpEndpointOptions {
  /** Whether clients have left too many answers unread, over all connections; undefined if there is room. */
  readonly room?: () => Promise<void> | undefined;
  /** Input schema of a tool, as clients see it; undefined if there is no such tool. */
  readonly inputSchema?: (tool: string) => Promise<unknown>;
  /** Maximum number of sessions; beyond it the one that was silent longest is ended. Default 64. */
  readonly maxSessions?: number;
}

const defaultMaxSessions = 64;
/** Interval of comments on open streams, which notice a client that is gone and keep proxies from closing them. */
const heartbeatMs = 15_000;

/** A client of the revisions that start with `initialize`. */
interface HttpSession {
  readonly connection: Connection;
  /** Stream for messages that belong to no request. */
  stream: ServerResponse | undefined;
  /** Requests whose response is open. */
  open: number;
}

/** Serves a protocol at one address; the caller has checked who sends. */
export function createHttpEndpoint(
  protocol: Protocol,
  {
    room = () => undefined,
    inputSchema = async () => undefined,
    maxSessions = defaultMaxSessions,
  }: HttpEndpointOptions = {},
): HttpEndpoint {
  const sessions = new Map<string, HttpSession>();
  const connections = new Set<Connection>();
  const streams = new Set<ServerResponse>();
  const beat = setInterval(() => {
    for (const stream of streams) if (stream.headersSent) stream.write(":\n\n");
  }, heartbeatMs);
  beat.unref();

  const open = (channel: Channel, state: ConnectionState = {}): Connection => {
    const connection = protocol.connect(channel, state);
    connections.add(connection);
    return connection;
  };
  const close = async (connection: Connection): Promise<void> => {
    await connection.close();
    connections.delete(connection);
  };
  const track = (response: ServerResponse, onGone: () => void): void => {
    streams.add(response);
    response.on("close", () => {
      streams.delete(response);
      onGone();
    });
  };

  const endSession = async (id: string): Promise<boolean> => {
    const session = sessions.get(id);
    if (session === undefined) return false;
    sessions.delete(id);
    session.stream?.end();
    await close(session.connection);
    return true;
  };
  const openSession = (response: ServerResponse): HttpSession => {
    const id = randomUUID();
    const session: HttpSession = {
      connection: open({
        send: (message) => void session.stream?.write(eventOf(message)),
        isCongested: () => session.stream?.writableNeedDrain === true,
        room,
      }),
      stream: undefined,
      open: 0,
    };
    if (sessions.size >= maxSessions) {
      const idle = [...sessions].find((each) => each[1].open === 0 && each[1].stream === undefined);
      const [oldest] = idle ?? [...sessions.keys()];
      if (oldest !== undefined) void endSession(oldest);
    }
    sessions.set(id, session);
    response.setHeader("mcp-session-id", id);
    return session;
  };
  const sessionOf = (
    request: IncomingMessage,
    response: ServerResponse,
  ): readonly [string, HttpSession] | undefined => {
    const id = headerOf(request.headers, "mcp-session-id");
    const session = id === undefined ? undefined : sessions.get(id);
    if (id === undefined) {
      refuse(response, 400, "Send initialize first, then its Mcp-Session-Id with every message.");
      return undefined;
    }
    if (session === undefined) {
      refuse(response, 404, "There is no such session. Send initialize again.");
      return undefined;
    }
    // The session that was used last is the last to be ended.
    sessions.delete(id);
    sessions.set(id, session);
    return [id, session];
  };

  async function inputMismatch(
    headers: IncomingMessage["headers"],
    { method, params }: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    if (method !== "tools/call" || !isRecord(params)) return undefined;
    const schema = await inputSchema(String(params["name"]));
    return parameterMismatch(headers, schema, params["arguments"]);
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ): Promise<void> {
    const message = decodeMessage(body);
    if (message === undefined || message instanceof RpcError) {
      const error = message ?? new RpcError("parseError", "The body must be a message in JSON.");
      return answer(response, 400, errorAnswer(null, error));
    }
    const single = isRecord(message) ? message : {};
    if (isModernMessage(request.headers, single)) {
      const mismatch =
        headerMismatch(request.headers, single) ?? (await inputMismatch(request.headers, single));
      if (mismatch !== undefined) {
        return answer(
          response,
          400,
          errorAnswer(idOf(single), new RpcError("headerMismatch", mismatch)),
        );
      }
      const connection = open({ ...responseChannel(response, { isModern: true }), room });
      track(response, () => void close(connection));
      await connection.handle(message);
      return finish(response);
    }
    const isFirst = single["method"] === "initialize";
    const session = isFirst ? openSession(response) : sessionOf(request, response)?.[1];
    if (session === undefined) return;
    const { connection } = session;
    const channel = responseChannel(response, {
      isModern: false,
      later: (late) => void session.stream?.write(eventOf(late)),
    });
    session.open += 1;
    track(response, () => {
      session.open -= 1;
      // Without a reader the answer is of no use.
      if (!response.writableFinished) cancelAll(connection, message);
    });
    await connection.handle(message, channel);
    return finish(response);
  }

  return {
    async handle(request, response, body) {
      switch (request.method ?? "") {
        case "POST":
          await post(request, response, body);
          return;
        case "GET": {
          const session = sessionOf(request, response)?.[1];
          if (session === undefined) return;
          if (session.stream !== undefined) {
            refuse(response, 409, "This session has a stream already. Close it first.");
            return;
          }
          openEvents(response);
          response.flushHeaders();
          session.stream = response;
          track(response, () => (session.stream = undefined));
          return;
        }
        case "DELETE": {
          const found = sessionOf(request, response);
          if (found === undefined) return;
          await endSession(found[0]);
          response.writeHead(204).end();
          return;
        }
        default:
          response.setHeader("allow", "POST, GET, DELETE");
          refuse(response, 405, "Use POST, GET or DELETE.");
      }
    },
    async close() {
      clearInterval(beat);
      await Promise.all([...sessions.keys()].map(endSession));
      await Promise.all([...[...connections].map(close), protocol.close()]);
      for (const stream of streams) stream.end();
    },
  };
}

/** Closes a response when its message was handled; a notification, or a request that the client cancelled, has no answer. */
function finish(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(202);
  if (!response.writableEnded) response.end();
}

/** Cancels the requests of a message, if they still run. */
function cancelAll(connection: Connection, message: unknown): void {
  const messages: unknown[] = Array.isArray(message) ? message : [message];
  for (const each of messages) {
    const incoming = readMessage(each);
    if (incoming.kind !== "request") continue;
    const params = { requestId: incoming.id };
    void connection.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  answer(response, status, errorAnswer(null, new RpcError("invalidRequest", message)));
}

function answer(response: ServerResponse, status: number, message: RpcAnswer): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(message));
}

function idOf({ id }: Readonly<Record<string, unknown>>): RequestId | null {
  return typeof id === "string" || typeof id === "number" ? id : null;
}
