// A server that the user configured leads a login to private addresses: by its own redirect, by its description, by the
// authorization server that it names, or by an endpoint of that one.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/host/clock.ts";
import { guardedFetch, memoryHost } from "../../../src/host/index.ts";
import { localNet, type LocalNet } from "../../../src/host/net/local-net.ts";
import { login } from "../../../src/mcp/client/auth/login.ts";
import { loginStore } from "../../../src/mcp/client/auth/stored-logins.ts";
import { readServer } from "../../../src/mcp/client/servers/server-config.ts";
import { privateAnswers, privateUrls } from "../../web/addresses.ts";
import { privateListener, type PrivateListener } from "../../web/private-listener.ts";
import { loginServer, type LoginServerOptions } from "./login-server.ts";

let listener: PrivateListener;
let net: LocalNet;

beforeAll(async () => {
  listener = await privateListener();
  net = localNet(async (name) => privateAnswers[name] ?? ["127.0.0.1"]);
});
beforeEach(() => {
  listener.reached.length = 0;
});
afterAll(async () => {
  net.close();
  await listener.close();
});

type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Answers requests to a path with a header that names an address. */
const leading =
  (path: string, status: number, header: (url: string) => Record<string, string>) =>
  (url: string): LoginServerOptions => {
    const before: Answer = (request, response) => {
      if (!request.url?.startsWith(path)) return false;
      response.writeHead(status, header(url)).end();
      return true;
    };
    return { before };
  };

const location = (url: string): Record<string, string> => ({ location: encodeURI(url) });
const challenge = (url: string): Record<string, string> => ({
  "www-authenticate": `Bearer resource_metadata="${encodeURI(url)}"`,
});

/** Ways in which a server names an address. */
const ways: Readonly<Record<string, (url: string) => LoginServerOptions>> = {
  "a redirect of the server": leading("/mcp", 307, location),
  "the address of its description": leading("/mcp", 401, challenge),
  "a redirect of its description": leading("/.well-known/oauth-protected", 302, location),
  "its authorization server": (url) => ({ resource: { authorization_servers: [url] } }),
  "a redirect of the authorization server": leading("/.well-known/oauth-auth", 302, location),
  "the registration endpoint": (url) => ({ metadata: { registration_endpoint: url } }),
  "a redirect of the registration": leading("/register", 307, location),
  "the token endpoint": (url) => ({ metadata: { token_endpoint: url } }),
  "a redirect of the token endpoint": leading("/token", 307, location),
};

/** Logs in as far as it goes, with requests that are guarded unless others are given. */
async function attempt(options: LoginServerOptions, fetchAll?: typeof fetch): Promise<boolean> {
  await using server = await loginServer(options);
  const host = memoryHost();
  const read = readServer({
    name: "s",
    entry: { url: server.url },
    isDirect: false,
    workspace: "/w",
    home: "/h",
    variable: () => undefined,
  });
  if (read.kind !== "server") throw new Error(`The entry is ${read.kind}.`);
  const parts = {
    config: read.config,
    clock: systemClock,
    store: loginStore({ host, directory: "/logins", turns: undefined, process: undefined }),
    fetchFor: (allowed: readonly string[]) => fetchAll ?? guardedFetch(net, { allowed }),
  };
  const ending = new AbortController();
  // A user who follows every redirect, until the browser has nowhere to go.
  const onAddress = (address: string): void =>
    void server.browse(address).catch(() => ending.abort());
  return await login(parts, { onAddress, signal: ending.signal }).then(
    () => true,
    () => false,
  );
}

describe.for(Object.entries(ways))("%s", ([, lead]) => {
  test("reaches no private address", { timeout: 120_000 }, async () => {
    const names = Object.keys(privateAnswers).map((name) => `https://${name}:${listener.port}/`);
    const urls = [...privateUrls(listener.port).map(({ url }) => url), ...names];

    const reached: string[] = [];
    for (const url of urls) {
      await attempt(lead(url));
      reached.push(...listener.reached.splice(0).map((what) => `${what} by ${url}`));
    }

    expect(reached).toEqual([]);
  });
});

test.for(Object.entries(ways).filter(([name]) => !name.startsWith("a redirect")))(
  "%s reaches the listener without the guard, so that the other cases can fail",
  async ([, lead]) => {
    await attempt(lead(`http://127.0.0.1:${listener.port}/x`), fetch);

    expect(listener.reached).not.toEqual([]);
  },
);

test("a login at the configured loopback address succeeds", async () => {
  expect(await attempt({})).toBe(true);
});
