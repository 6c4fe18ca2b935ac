// Servers that ask to come back later: a short wait is waited for once, a longer one is an error that says so.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { HostClock, SearchService } from "../../src/core/index.ts";
import { localNet, type LocalNet } from "../../src/host/net/local-net.ts";
import { createWeb, createWebSearch } from "../../src/web/index.ts";
import { pageServer, type PageServer } from "./page-server.ts";

const busy: { after: string; times: number; status: number } = { after: "", times: 0, status: 429 };
const waits: number[] = [];
let server: PageServer;
let net: LocalNet;

const clock: HostClock = {
  now: () => 0,
  sleep: async (ms) => void waits.push(ms),
  timer: () => () => undefined,
};

beforeAll(async () => {
  net = localNet();
  server = await pageServer({
    "/page": (_request, response) => {
      if (busy.times > 0) {
        busy.times -= 1;
        response.writeHead(busy.status, { "retry-after": busy.after }).end("busy");
      } else {
        response.writeHead(200, { "content-type": "application/json" }).end('["ready"]');
      }
    },
  });
});
beforeEach(() => {
  waits.length = 0;
  server.requests.length = 0;
});
afterAll(async () => {
  net.close();
  await server.close();
});

const { signal } = new AbortController();

const service: SearchService = {
  id: "own",
  request: () => ({ url: `${server.origin}/page` }),
  results: (body) => (Array.isArray(body) ? [] : undefined),
  baseUrl: "http://127.0.0.1",
};

async function fetched(): Promise<string> {
  const page = await createWeb().read(
    { url: `${server.origin}/page`, raw: true, timeoutMs: 5000 },
    {
      net: { fetch: async (request) => await net.fetch(request, { allowsPrivate: true }) },
      clock,
      signal,
      decode: (bytes) => new TextDecoder().decode(bytes),
    },
  );
  return page.kind === "text" ? page.text : page.kind;
}

async function searched(): Promise<string> {
  const search = createWebSearch({
    net,
    clock,
    settings: { provider: "own" },
    custom: [service],
    variable: () => undefined,
    native: async () => undefined,
  });
  return (await search.search({ query: "x" }, { signal })).service;
}

const callers = [
  { name: "WebFetch", ask: fetched, answer: '["ready"]', why: "answered with status" },
  { name: "WebSearch", ask: searched, answer: "own", why: "No search service answered" },
];

test.each(callers)("$name asks once more after a short wait", async ({ ask, answer }) => {
  for (const status of [429, 503]) {
    Object.assign(busy, { after: "2", times: 1, status });

    await expect(ask()).resolves.toBe(answer);
  }
  expect(waits).toEqual([2000, 2000]);
});

test.each(callers)("$name gives up after the second refusal", async ({ ask, why }) => {
  Object.assign(busy, { after: "1", times: 2, status: 429 });

  await expect(ask()).rejects.toThrow(why);
  expect(server.requests).toHaveLength(2);
});

test.each(callers)("$name does not wait for minutes", async ({ ask, why }) => {
  for (const after of ["120", new Date(600_000).toUTCString(), "soon", "-1", ""]) {
    Object.assign(busy, { after, times: 1, status: 429 });
    await expect(ask()).rejects.toThrow(why);
  }
  expect(waits).toEqual([]);
  expect(server.requests).toHaveLength(5);
});
