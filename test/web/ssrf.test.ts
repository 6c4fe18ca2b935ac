import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HostNet } from "../../src/core/index.ts";
import { narrowHost } from "../../src/grant/index.ts";
import { guardedFetch, localHost, type LocalHost } from "../../src/host/index.ts";
import { createToolkit, type Kit } from "../../src/index.ts";
import { boundedFetch } from "../../src/mcp/client/transports/bounded-fetch.ts";
import { hubNetwork } from "../../src/workspace/hubs/hub.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { localNet, type LocalNet } from "../../src/host/net/local-net.ts";
import { runRequest } from "../../src/workspace/hooks/run-request.ts";
import { privateAnswers, privateUrls } from "./addresses.ts";
import { privateListener, type PrivateListener } from "./private-listener.ts";

let listener: PrivateListener;
let host: LocalHost;
let kit: Kit;

beforeAll(async () => {
  listener = await privateListener();
  host = await localHost();
  // The mode that asks about nothing opens no private address either.
  kit = await createToolkit({ workspace: at(""), mode: "bypassPermissions" });
});
beforeEach(() => {
  listener.reached.length = 0;
});
afterAll(async () => {
  await kit.dispose();
  await host[Symbol.asyncDispose]();
  await listener.close();
});

/** Every way in which haft sends a request on behalf of something that is not the user. */
const at = temporaryFolder("ssrf");

const callers: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  "the host": async (url) => host.net.fetch({ url }),
  "fetch for libraries": async (url) => guardedFetch(host.net)(url),
  "fetch with another allowed origin": async (url) =>
    guardedFetch(host.net, { allowed: [`http://127.0.0.1:${listener.port + 1}`] })(url),
  WebFetch: async (url) => {
    const { status, text } = await kit.call({ name: "WebFetch", input: { url, timeout: 5 } });
    if (status !== "ok") throw new Error(text);
  },
  "MCP over HTTP": async (url) => {
    // The server of the settings is another one; it leads to this address by a redirect, an endpoint or a login.
    const own = `http://127.0.0.1:${listener.port + 1}`;
    const origins = new Set([own, new URL("https://public.example.org").origin]);
    await boundedFetch(guardedFetch(host.net, { allowed: [own] }), origins, () => undefined)(url);
  },
  "an MCP server that may lead anywhere": async (url) => {
    const own = `http://127.0.0.1:${listener.port + 1}`;
    const anywhere = new Set(URL.canParse(url) ? [new URL(url).origin] : []);
    await boundedFetch(guardedFetch(host.net, { allowed: [own] }), anywhere, () => undefined)(url);
  },
  "a hub that settings do not name": async (url) => {
    await hubNetwork({ net: host.net, url, isNamed: false }).json("index.json");
  },
  "a tool with every effect": async (url) => {
    const unknown = { kind: "unknown", because: "It may do anything.", origin: "Tool" } as const;
    const grant = { effects: [unknown], exclusions: [], excludes: () => undefined };
    const { host: narrowed } = narrowHost(host, { grant, cwd: "/" });
    return narrowed.net.fetch({ url }, { allowsPrivate: true });
  },
};

describe.for(Object.entries(callers))("%s", ([, fetching]) => {
  const count = privateUrls(1).length;
  test.for(Array.from({ length: count }, (_value, index) => index))(
    "address %i reaches no private listener",
    async (index) => {
      const { url = "", because = "" } = privateUrls(listener.port)[index] ?? {};

      await expect(fetching(url), `${url}: ${because}`).rejects.toBeInstanceOf(Error);
      expect(listener.reached, `${url}: ${because}`).toEqual([]);
    },
  );
});

test("the list has at least 60 addresses", () => {
  expect(privateUrls(1).length + Object.keys(privateAnswers).length).toBeGreaterThanOrEqual(60);
});

test("an allowed origin reaches the listener, so that the other cases can fail", async () => {
  const url = `http://127.0.0.1:${listener.port}/x`;

  const response = await guardedFetch(host.net, { allowed: [url] })(url);

  expect(await response.text()).toBe("a private page");
  expect(listener.reached).toEqual(["connection", "GET /x"]);
});

test("a connection to an allowed origin is not used by others", async () => {
  const url = `http://127.0.0.1:${listener.port}/x`;
  await (await guardedFetch(host.net, { allowed: [url] })(url)).text();
  listener.reached.length = 0;

  await expect(host.net.fetch({ url })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(listener.reached).toEqual([]);
});

describe("names", () => {
  const nets: LocalNet[] = [];
  const netWith = (resolve: (name: string) => Promise<readonly string[]>): LocalNet => {
    const net = localNet(resolve);
    nets.push(net);
    return net;
  };
  afterAll(() => {
    for (const net of nets) net.close();
  });

  test.for(Object.keys(privateAnswers))("%s leads to no private listener", async (name) => {
    const net = netWith(async () => privateAnswers[name] ?? []);

    await expect(net.fetch({ url: `http://${name}:${listener.port}/` })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(listener.reached).toEqual([]);
  });

  test("the name is resolved once, and a later answer changes nothing", async () => {
    const answers = [["192.0.2.1"], ["127.0.0.1"]];
    const asked: string[] = [];
    const net = netWith(async (name) => {
      asked.push(name);
      return answers.shift() ?? [];
    });
    const url = `http://rebinding.example.org:${listener.port}/`;

    const first = net.fetch({ url }, { allowsPrivate: true, signal: AbortSignal.timeout(300) });

    await expect(first).rejects.toBeInstanceOf(Error);
    expect(asked).toEqual(["rebinding.example.org"]);
    await expect(net.fetch({ url })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(listener.reached).toEqual([]);
  });

  test("the connection goes to the address that was checked", async () => {
    const net = netWith(async () => ["127.0.0.1"]);
    const url = `http://wiki.example.org:${listener.port}/`;

    const { status } = await net.fetch({ url }, { allowsPrivate: true });

    expect(status).toBe(200);
    expect(listener.reached).toEqual(["connection", "GET /"]);
  });

  test("localhost is this machine, whatever the resolver answers", async () => {
    const net = netWith(async () => ["10.0.0.1"]);

    const fetching = net.fetch({ url: "http://localhost:8080/" }, { allowsPrivate: true });

    await expect(fetching).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

/** Answers for a public host, and sends everything else through the real network. */
function withPublic(location: string, status = 302): HostNet {
  return {
    fetch: async (request, options) =>
      new URL(request.url).hostname === "public.example.org"
        ? {
            url: request.url,
            status,
            headers: { location },
            body: noBody(),
          }
        : host.net.fetch(request, options),
  };
}

async function* noBody(): AsyncGenerator<Uint8Array> {}

describe("redirects", () => {
  test.for([301, 302, 303, 307, 308])("%i to a private address is refused", async (status) => {
    for (const { url } of privateUrls(listener.port)) {
      const fetching = guardedFetch(withPublic(url, status), {
        allowed: ["http://public.example.org"],
      });
      const settled = await Promise.allSettled([
        fetching("http://public.example.org/", { method: "POST", body: "x" }),
      ]);
      // A scheme-less target is a path of the public host, which redirects again.
      expect({ url, status: settled[0].status }).toEqual({ url, status: "rejected" });
    }
    expect(listener.reached).toEqual([]);
  });

  test("an endless chain ends", async () => {
    const fetching = guardedFetch(withPublic("/again"))("http://public.example.org/");

    await expect(fetching).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("a hook's server cannot redirect to a private address", async () => {
    const result = await runRequest(
      {
        handler: {
          type: "http",
          url: "http://public.example.org/",
          headers: {},
          allowedEnvVars: [],
        },
        input: "{}",
        timeoutMs: 2000,
      },
      {
        host: { net: withPublic(`http://127.0.0.1:${listener.port}/`) },
        variable: () => undefined,
      },
    );

    expect(result).toMatchObject({ kind: "failure" });
    expect(listener.reached).toEqual([]);
  });

  test.each([
    "authorization",
    "cookie",
    "proxy-authorization",
    "x-api-key",
    "x-subscription-token",
    "private-token",
    "mcp-session-id",
    "x-whatever-the-server-calls-its-key",
  ])("%s stays with its origin, and harmless headers do not", async (name) => {
    const sent: unknown[] = [];
    const net: HostNet = {
      async fetch(request) {
        const { headers = {} } = request;
        sent.push([
          new URL(request.url).hostname,
          headers[name],
          headers["accept"],
          headers["x-trace"],
        ]);
        const isFirst = sent.length === 1;
        return {
          url: request.url,
          status: isFirst ? 302 : 200,
          headers: isFirst ? { location: "https://other.example.org/" } : {},
          body: noBody(),
        };
      },
    };

    await guardedFetch(net, { harmlessHeaders: ["X-Trace"] })("https://public.example.org/", {
      headers: { [name]: "secret", accept: "text/html", "x-trace": "1" },
    });

    expect(sent).toEqual([
      ["public.example.org", "secret", "text/html", "1"],
      ["other.example.org", undefined, "text/html", "1"],
    ]);
  });
});

test.for(["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"])(
  "a proxy in %s is not used",
  async (variable) => {
    const before = process.env[variable];
    process.env[variable] = `http://127.0.0.1:${listener.port}`;
    const net = localNet(async () => ["192.0.2.1"]);
    try {
      const scheme = variable.toLowerCase().startsWith("https") ? "https" : "http";
      const fetching = net.fetch(
        { url: `${scheme}://docs.example.org/` },
        { allowsPrivate: true, signal: AbortSignal.timeout(200) },
      );
      await expect(fetching).rejects.toBeInstanceOf(Error);
      expect(listener.reached).toEqual([]);
    } finally {
      net.close();
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    }
  },
);
