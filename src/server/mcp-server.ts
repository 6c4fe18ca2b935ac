import type { IncomingMessage, ServerResponse } from "node:http";
import {
  createProtocol,
  mcpOverHttp,
  type HttpEndpoint,
  type McpToolkit,
  type ProtocolOptions,
} from "../mcp/index.ts";
import { authenticate, checkedToken, Tokens, type Caller } from "./authenticate.ts";
import { listen, targetOf, type Listener } from "./listen.ts";
import { BodyBudget, readBody } from "./read-body.ts";
import { HttpProblem } from "./reply.ts";

/** Options of a server on a port of this machine. */
export interface HttpServerOptions extends ProtocolOptions {
  /** Port to listen on. Default 0: any that is free. */
  readonly port?: number;
  /** Token that every request must send, of at least 16 characters. Default: a new one. */
  readonly token?: string;
  /** Ends the server. */
  readonly signal?: AbortSignal;
  /** Maximum bytes of one request. Default 8 MiB. */
  readonly maxBodyBytes?: number;
}

/** A running server. */
export interface HttpServer {
  /** Address, as in `http://127.0.0.1:4410`. */
  readonly url: string;
  /** Token of the user, which may do everything that the server offers. */
  readonly token: string;
  /** Resolves when the server has ended, with every call that it started. */
  readonly closed: Promise<void>;
  /** Ends the server and the calls that it started. */
  close(): Promise<void>;
}

/** A request of a known sender. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: URL;
  readonly caller: Caller;
  /** Reads the body. */
  readonly body: () => Promise<Buffer>;
}

/** One path of a server. */
export interface Route {
  readonly path: string;
  /** Methods that it knows; undefined if it refuses others itself. */
  readonly methods?: readonly string[];
  readonly handle: (asked: Asked) => Promise<void>;
}

/** Parts that the routes of a server share. */
export interface ServerParts {
  readonly tokens: Tokens;
  readonly room: Listener["room"];
}

/** The routes of a server, and what ends with it. */
export interface Routes {
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

const defaultMaxBodyBytes = 8 * 1024 * 1024;
/** Bytes of all requests that are being read or answered. */
const maxHeldBytes = 24 * 1024 * 1024;

/**
 * Serves the tools to MCP clients over HTTP, at `/mcp`. Rejects with UNAVAILABLE if another program has the port.
 *
 * @example
 * const server = await serveMcpHttp(kit, { name: "mine", version: "1.0.0" });
 * console.log(`${server.url}/mcp`, server.token);
 */
export async function serveMcpHttp(
  toolkit: McpToolkit,
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { createHttpEndpoint } = await mcpOverHttp();
  return await openServer(options, ({ room }) => {
    const endpoint = createHttpEndpoint(createProtocol(toolkit, options), {
      room,
      inputSchema: async (tool) => await inputSchemaOf(toolkit, tool),
    });
    return {
      routes: [mcpRoute(() => endpoint)],
      close: async () => await endpoint.close(),
    };
  });
}

/** Input schema of a tool, as clients see it. */
export async function inputSchemaOf(toolkit: McpToolkit, tool: string): Promise<unknown> {
  const { tools } = await toolkit.definitions("mcp", { variants: true, all: true });
  return tools.find(({ name }) => name === tool)?.["inputSchema"];
}

/** Route of the protocol; the endpoint depends on the sender, so that no client can use another's session. */
export function mcpRoute(endpointFor: (caller: Caller) => HttpEndpoint): Route {
  return {
    path: "/mcp",
    handle: async ({ request, response, caller, body }) => {
      const bytes = request.method === "POST" ? await body() : Buffer.alloc(0);
      await endpointFor(caller).handle(request, response, bytes);
    },
  };
}

/** Opens a server with the routes that `build` makes. */
export async function openServer(
  options: HttpServerOptions,
  build: (parts: ServerParts) => Routes,
): Promise<HttpServer> {
  const { port = 0, signal, maxBodyBytes = defaultMaxBodyBytes } = options;
  const token = checkedToken(options.token);
  const tokens = new Tokens(token);
  const budget = new BodyBudget(maxHeldBytes);
  let listener: Listener | undefined;
  const built = build({ tokens, room: () => listener?.room() });
  listener = await listen(port, async (request, response) => {
    const caller = authenticate(request, tokens);
    const target = targetOf(request);
    const route = routeFor(built.routes, target, request);
    await route.handle({
      request,
      response,
      target,
      caller,
      body: async () => {
        const body = await readBody(request, maxBodyBytes, budget);
        response.once("close", () => body.release());
        if (response.destroyed) body.release();
        return body.bytes;
      },
    });
  }).catch(async (error: unknown) => {
    await built.close();
    throw error;
  });
  const listening = listener;
  const { url } = listening;
  let closing: Promise<void> | undefined;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const close = async (): Promise<void> => {
    closing ??= (async () => {
      signal?.removeEventListener("abort", onAbort);
      // The answers of calls that are aborted now are still sent; then the connections are closed.
      await built.close();
      await listening.close();
      resolve();
    })();
    await closing;
  };
  const onAbort = (): void => void close();
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) void close();
  return { url, token, closed, close };
}

function routeFor(routes: readonly Route[], target: URL, request: IncomingMessage): Route {
  const route = routes.find(({ path }) => path === target.pathname);
  if (route === undefined) {
    const known = routes.map(({ path }) => path).join(", ");
    throw new HttpProblem(404, "NOT_FOUND", {
      message: "There is nothing at this path.",
      hint: `Use one of ${known}.`,
    });
  }
  const { methods } = route;
  if (methods === undefined || methods.includes(request.method ?? "")) return route;
  throw new HttpProblem(405, "INVALID_INPUT", {
    message: `${route.path} does not know this method.`,
    hint: `Use ${methods.join(" or ")}.`,
  });
}
