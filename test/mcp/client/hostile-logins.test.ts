// Authorization servers, servers and pages that misuse a login: none gets a token, and none reaches a private address.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import { expect, test } from "vitest";
import type { Kit, McpLoginOptions } from "../../../src/index.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import { loginServer, type LoginServerOptions } from "./login-server.ts";
import { openLogin, useOwnHome } from "./login-world.ts";
import { serverWorld } from "./server-world.ts";

leaveNothing();

useOwnHome();

const attempt = async (
  kit: Kit,
  options: Partial<McpLoginOptions> = {},
): Promise<{ readonly error: unknown; readonly address: string | undefined }> => {
  let address: string | undefined;
  try {
    await kit.mcp.login("s", {
      opensBrowser: false,
      onAddress(shown) {
        address = shown;
        fetch(shown).catch(() => undefined);
      },
      ...options,
    });
    return { error: undefined, address };
  } catch (error) {
    return { error, address };
  }
};

const elsewhere = "http://10.1.2.3";
const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;

interface Attack {
  readonly name: string;
  readonly options: LoginServerOptions;
  readonly message: RegExp;
  /** Whether the user is sent to a page at all. */
  readonly isShown?: boolean;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const answering =
  (target: string, body: string, { status = 200, headers = {} }: Answer = {}) =>
  ({ url = "" }: IncomingMessage, response: ServerResponse): boolean => {
    if (!url.startsWith(target)) return false;
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    return true;
  };

const description = "/.well-known/oauth-authorization-server";

const attacks: readonly Attack[] = [
  {
    name: "an authorization server with a private address",
    options: { resource: { authorization_servers: [elsewhere] } },
    message: /10\.1\.2\.3/u,
  },
  {
    name: "a token endpoint with a private address",
    options: { metadata: { token_endpoint: "https://10.1.2.3/token" } },
    message: /10\.1\.2\.3/u,
    isShown: true,
  },
  {
    name: "a registration endpoint with a private address",
    options: { metadata: { registration_endpoint: "https://169.254.169.254/latest" } },
    message: /169\.254\.169\.254/u,
  },
  {
    name: "a token endpoint without encryption",
    options: { metadata: { token_endpoint: "http://login.example.com/token" } },
    message: /login\.example\.com/u,
    isShown: true,
  },
  {
    name: "a page that is a program",
    options: { metadata: { authorization_endpoint: "javascript:alert(1)" } },
    message: /./u,
  },
  {
    name: "a page that is a file",
    options: { metadata: { authorization_endpoint: "file:///etc/passwd" } },
    message: /./u,
  },
  {
    name: "a page without encryption",
    options: { metadata: { authorization_endpoint: "http://login.example.com/a" } },
    message: /not encrypted/u,
  },
  {
    name: "a description of another issuer",
    options: { metadata: { issuer: "https://other.example.com" } },
    message: /issuer/iu,
  },
  {
    name: "an answer of another issuer",
    options: {
      redirect(right) {
        right.searchParams.set("iss", "https://other.example.com");
        return right;
      },
    },
    message: /issuer/iu,
    isShown: true,
  },
  {
    name: "an answer without the issuer that was promised",
    options: {
      redirect(right) {
        right.searchParams.delete("iss");
        return right;
      },
    },
    message: /issuer/iu,
    isShown: true,
  },
  {
    name: "a description of another resource",
    options: { resource: { resource: "https://bank.example.com/" } },
    message: /bank\.example\.com/u,
  },
  {
    name: "a huge description",
    options: { before: answering(description, `{"a":"${"x".repeat(3_000_000)}"}`) },
    message: /more than 262144 bytes/u,
  },
  {
    name: "a deep description",
    options: { before: answering(description, deep) },
    message: /more than 200 levels/u,
  },
  {
    name: "a description that is not JSON",
    options: { before: answering(description, "<html>") },
    message: /./u,
  },
  {
    name: "no PKCE",
    options: { metadata: { code_challenge_methods_supported: ["plain"] } },
    message: /code challenge/u,
  },
  {
    name: "tokens that are not tokens",
    options: { before: answering("/token", '{"access_token":5}') },
    message: /./u,
    isShown: true,
  },
  {
    name: "a refusal with hidden characters",
    options: {
      redirect(right) {
        right.searchParams.delete("code");
        right.searchParams.set("error", "access_denied");
        right.searchParams.set("error_description", "no\u001B[2J\u202Eway");
        return right;
      },
    },
    // oxlint-disable-next-line no-control-regex -- it must be absent
    message: /^[^\u001B\u202E]*access_denied[^\u001B\u202E]*$/u,
    isShown: true,
  },
];

test.each(attacks)("a login refuses $name", async ({ options, message, isShown = false }) => {
  await using opened = await openLogin(options);
  const { server, kit } = opened;

  const { error, address } = await attempt(kit);

  expect(error).toMatchObject({
    name: "ToolError",
    message: expect.stringMatching(message),
    hint: expect.any(String),
  });
  expect(address === undefined).toBe(!isShown);
  const { server: info } = await kit.mcp.check("s");
  expect(info.status).toBe("needs_auth");
  expect(server.tokens).toEqual([]);
});

test("an answer with another state is refused, and the right one counts", async () => {
  const statuses: number[] = [];
  await using opened = await openLogin();
  const { kit } = opened;

  const { error } = await attempt(kit, {
    onAddress(address) {
      const back = new URL(new URL(address).searchParams.get("redirect_uri") ?? "");
      const attack = async (): Promise<void> => {
        for (const state of ["", "?state=wrong&code=evil", "?code=evil"]) {
          statuses.push((await fetch(`${back.href}${state}`)).status);
        }
        await fetch(address);
      };
      void attack();
    },
  });

  expect(error).toBeUndefined();
  expect(statuses).toEqual([400, 400, 400]);
});

test("an authorization server of a private address is reached if the user names it", async () => {
  await using issuer = await loginServer({ resource: {} });
  await using opened = await openLogin({ issuer: issuer.origin });
  const { kit } = opened;

  const unnamed = await attempt(kit);
  const another = await attempt(kit, { issuer: "http://127.0.0.1:9" });
  const named = await attempt(kit, { issuer: issuer.origin });

  expect(unnamed).toMatchObject({
    error: { code: "PERMISSION_DENIED", hint: expect.stringContaining("--issuer") },
    address: undefined,
  });
  expect(another).toMatchObject({ error: expect.anything(), address: undefined });
  // The other server knows no resource of this one, but it was reached.
  expect(named.address).toContain(issuer.origin);
});

test("a secret of the settings goes to no authorization server that only the server names", async () => {
  const sent: string[] = [];
  const keep = ({ url, headers }: IncomingMessage): boolean => {
    if (url === "/token") sent.push(String(headers.authorization));
    return false;
  };
  const metadata = { token_endpoint_auth_methods_supported: ["client_secret_basic"] };
  await using issuer = await loginServer({ before: keep, metadata });
  await using server = await loginServer({ issuer: issuer.origin, before: keep, metadata });
  await using own = await loginServer({ before: keep, metadata });
  await using world = serverWorld();
  const oauth = { clientId: "id", clientSecret: "mine" };
  const basic = `Basic ${Buffer.from("id:mine").toString("base64")}`;

  const away = await attempt(await world.open({ s: { url: server.url, oauth } }));
  expect(away).toMatchObject({
    error: {
      code: "PERMISSION_DENIED",
      message: expect.stringContaining("clientSecret"),
      hint: expect.stringContaining(`--issuer ${issuer.origin}`),
    },
    address: undefined,
  });
  expect(issuer.requests).toEqual([]);

  await attempt(await world.open({ s: { url: server.url, oauth } }), { issuer: issuer.origin });
  const named = { ...oauth, issuer: issuer.origin };
  await attempt(await world.open({ s: { url: server.url, oauth: named } }));
  const { error } = await attempt(await world.open({ s: { url: own.url, oauth } }));

  expect(error).toBeUndefined();
  expect(sent).toEqual([basic, basic, basic]);
});

test("a server cannot lead the token to another origin", async () => {
  const seen: string[] = [];
  const thief = createServer((request, response) => {
    seen.push(String(request.headers.authorization));
    response.end();
  }).listen(0, "127.0.0.1");
  await once(thief, "listening");
  const bound = thief.address();
  let isEvil = false;
  await using server = await loginServer({
    before(request, response) {
      if (!isEvil || request.url !== "/mcp") return false;
      const port = typeof bound === "object" ? bound?.port : 0;
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end();
      return true;
    },
  });
  await using world = serverWorld();
  const kit = await world.open({ s: { url: server.url } }, { rules: { allow: ["mcp__s"] } });
  await attempt(kit);
  isEvil = true;

  const { server: info } = await kit.mcp.check("s");
  thief.close();

  expect(info.status).toBe("failed");
  expect(seen).toEqual([]);
});

test("a description that redirects to another origin is not read there", async () => {
  let asked = 0;
  const other = createServer((_request, response) => {
    asked += 1;
    response.end("{}");
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const bound = other.address();
  const location = `http://127.0.0.1:${typeof bound === "object" ? bound?.port : 0}/`;
  await using server = await loginServer({
    before: answering(description, "", { status: 302, headers: { location } }),
  });
  await using world = serverWorld();
  const kit = await world.open({ s: { url: server.url } });

  const { address } = await attempt(kit);
  other.close();

  expect(asked).toBe(0);
  expect(new URL(address ?? "").origin).toBe(server.origin);
});

test("an aborted login closes its port and changes nothing", async () => {
  await using opened = await openLogin();
  const { kit } = opened;
  const abort = new AbortController();
  let back = "";

  const { error } = await attempt(kit, {
    signal: abort.signal,
    onAddress(address) {
      back = new URL(address).searchParams.get("redirect_uri") ?? "";
      abort.abort();
    },
  });

  expect(error).toMatchObject({ code: "ABORTED" });
  await expect(fetch(back)).rejects.toThrow("fetch failed");
});

test("a program has no login", async () => {
  await using world = serverWorld();
  const kit = await world.open({ s: { command: "true" } });

  expect((await attempt(kit)).error).toMatchObject({ code: "INVALID_INPUT" });
});
