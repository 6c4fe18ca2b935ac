// A server with an address that lets nobody in without a token, and its authorization server, which rotates tokens.
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface LoginServerOptions {
  /** Changes the description of the authorization server. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Changes the description of the resource. */
  readonly resource?: Readonly<Record<string, unknown>>;
  /** Answers a request before the server does; true if it did. */
  readonly before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Parameters of the redirect back, after what is right. */
  readonly redirect?: (right: URL) => URL;
  /** Origin of the authorization server, if another one has it. */
  readonly issuer?: string;
  /** Seconds for which an access token works, as it is told to the client. */
  readonly expiresIn?: number;
  /** Number of requests with a token that has expired that are answered together. */
  readonly together?: number;
}

export interface LoginServer extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  /** Requests to paths other than the server's own. */
  readonly requests: readonly string[];
  /** Numbers of refreshes that were answered, and that were refused. */
  readonly refreshes: { accepted: number; refused: number };
  /** Tokens that the server got. */
  readonly tokens: readonly string[];
  /** Makes every access token invalid, but no refresh token. */
  expire(): void;
  /** Makes every token invalid. */
  revoke(): void;
  /** Sends the user of a browser through the login. */
  browse(address: string): Promise<Response>;
  /** Scope that calls need from now on. */
  require(scope: string): void;
}

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };

const results: Readonly<Record<string, unknown>> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "closed", version: "1" },
  },
  "tools/list": { tools: [tool] },
  "tools/call": { content: [{ type: "text", text: "let in" }] },
};

export async function loginServer(options: LoginServerOptions = {}): Promise<LoginServer> {
  const requests: string[] = [];
  const tokens: string[] = [];
  const refreshes = { accepted: 0, refused: 0 };
  const codes = new Map<string, { challenge: string; scope: string }>();
  const access = new Map<string, string>();
  let refresh: string | undefined;
  let needed = "";
  let waiting: (() => void)[] = [];
  let together = options.together ?? 1;

  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const origin = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
  const issuer = options.issuer ?? origin;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const text = await textOf(request);
    if (url.pathname !== "/mcp") requests.push(`${request.method} ${url.pathname}`);
    if (options.before?.(request, response) === true) return;
    switch (url.pathname) {
      case "/mcp":
        return serve(request, response, text);
      case "/.well-known/oauth-protected-resource/mcp":
        return json(response, 200, {
          resource: `${origin}/mcp`,
          authorization_servers: [issuer],
          scopes_supported: ["read"],
          ...options.resource,
        });
      case "/.well-known/oauth-authorization-server":
        return json(response, 200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          token_endpoint_auth_methods_supported: ["none"],
          authorization_response_iss_parameter_supported: true,
          ...options.metadata,
        });
      case "/register": {
        const given: Record<string, unknown> = JSON.parse(text);
        return json(response, 201, { ...given, client_id: "registered" });
      }
      case "/authorize":
        return authorize(url, response);
      case "/token":
        return give(new URLSearchParams(text), response);
      default:
        response.writeHead(404).end();
    }
  }

  function serve(request: IncomingMessage, response: ServerResponse, text: string): void {
    const token = /^Bearer (.+)$/u.exec(request.headers.authorization ?? "")?.[1];
    if (token !== undefined) tokens.push(token);
    const scope = token === undefined ? undefined : access.get(token);
    if (scope === undefined) {
      const refuse = (): void =>
        void response
          .writeHead(401, {
            "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
          })
          .end();
      if (token === undefined) return refuse();
      waiting.push(refuse);
      if (waiting.length < together) return;
      together = 1;
      for (const each of waiting.splice(0)) each();
      return;
    }
    if (request.method !== "POST") return void response.writeHead(405).end();
    const { id, method }: { id?: unknown; method: string } = JSON.parse(text);
    if (id === undefined) return void response.writeHead(202).end();
    if (method === "tools/call" && !scope.split(" ").includes(needed) && needed !== "") {
      return void response
        .writeHead(403, {
          "www-authenticate": `Bearer error="insufficient_scope", scope="${needed}"`,
        })
        .end();
    }
    const result = results[method];
    const error = { code: -32_601, message: "Method not found" };
    json(response, 200, { jsonrpc: "2.0", id, ...(result === undefined ? { error } : { result }) });
  }

  function authorize(url: URL, response: ServerResponse): void {
    const given = url.searchParams;
    const code = randomUUID();
    codes.set(code, {
      challenge: given.get("code_challenge") ?? "",
      scope: given.get("scope") ?? "",
    });
    const back = new URL(given.get("redirect_uri") ?? "");
    back.searchParams.set("code", code);
    back.searchParams.set("state", given.get("state") ?? "");
    back.searchParams.set("iss", origin);
    const { href } = options.redirect?.(back) ?? back;
    response.writeHead(302, { location: href }).end();
  }

  function give(given: URLSearchParams, response: ServerResponse): void {
    let scope = "read";
    if (given.get("grant_type") === "refresh_token") {
      if (refresh === undefined || given.get("refresh_token") !== refresh) {
        refreshes.refused += 1;
        // A token that is used twice was stolen: nobody keeps one.
        access.clear();
        refresh = undefined;
        return json(response, 400, { error: "invalid_grant" });
      }
      refreshes.accepted += 1;
    } else {
      const known = codes.get(given.get("code") ?? "");
      const verifier = given.get("code_verifier") ?? "";
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      codes.delete(given.get("code") ?? "");
      if (known?.challenge !== challenge || given.get("resource") !== `${origin}/mcp`) {
        return json(response, 400, { error: "invalid_request" });
      }
      ({ scope } = known);
    }
    const token = randomUUID();
    refresh = randomUUID();
    access.set(token, scope);
    json(response, 200, {
      access_token: token,
      refresh_token: refresh,
      token_type: "Bearer",
      scope,
      ...(options.expiresIn === undefined ? {} : { expires_in: options.expiresIn }),
    });
  }

  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    refreshes,
    tokens,
    expire: () => access.clear(),
    revoke() {
      access.clear();
      refresh = undefined;
    },
    browse: async (address) => await fetch(address),
    require(scope) {
      needed = scope;
    },
    async [Symbol.asyncDispose]() {
      waiting = [];
      server.closeAllConnections();
      server.close();
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
