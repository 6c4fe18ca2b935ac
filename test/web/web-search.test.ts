import { tavily } from "@tavily/core";
import { Exa } from "exa-js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SearchService, WebSearch } from "../../src/core/index.ts";
import { createToolkit, localHost, type Outcome, type ToolkitOptions } from "../../src/index.ts";
import { searchVariables } from "../../src/core/index.ts";
import { createWebSearch, searchServices } from "../../src/web/index.ts";
import { memoryHost } from "../../src/host/index.ts";
import { localNet, type LocalNet } from "../../src/host/net/local-net.ts";
import { fakeSearch, type FakeSearch } from "./search-server.ts";

let fake: FakeSearch;
let net: LocalNet;

beforeAll(async () => {
  fake = await fakeSearch();
  net = localNet();
});
beforeEach(() => {
  fake.answer = undefined;
  fake.asked.length = 0;
});
afterAll(async () => {
  net.close();
  await fake.server.close();
});

const variables: Readonly<Record<string, string>> = {
  TAVILY_API_KEY: "key-t",
  JINA_API_KEY: "key-j",
  BRAVE_API_KEY: "key-b",
  EXA_API_KEY: "key-e",
  GOOGLE_API_KEY: "key-g",
  GOOGLE_CSE_ID: "engine",
};

function searchWith(
  settings: Parameters<typeof createWebSearch>[0]["settings"],
  {
    custom = [],
    variable = (name: string) => variables[name],
  }: { custom?: readonly SearchService[]; variable?: (name: string) => string | undefined } = {},
): WebSearch {
  const { clock } = memoryHost({ now: 0 });
  return createWebSearch({ net, clock, settings, custom, variable, native: async () => undefined });
}

const { signal } = new AbortController();

describe.for(searchServices.map(({ id }) => id))("%s", (provider) => {
  const settings = (): { provider: string; baseUrl: string } => ({
    provider,
    baseUrl: fake.server.origin,
  });

  test("returns title, address, passage and date, and only pages of the web", async () => {
    const found = await searchWith(settings()).search(
      { query: "files & more", count: 5 },
      { signal },
    );

    expect(found.service).toBe(provider);
    expect(found.results.map(({ url }) => url)).toEqual([
      "https://nodejs.org/api/fs.html",
      "https://sub.example.org/x",
    ]);
    expect(found.results[0]).toMatchObject({ title: "The first page", snippet: "About files." });
    expect(found.results[0]?.date).toBe(provider === "google" ? undefined : "2026-01-02");
    expect(found.quota).toBe("7 of 100 requests left");
  });

  test("removes results of other domains", async () => {
    const search = searchWith(settings());

    const allowed = await search.search(
      { query: "x", allowedDomains: ["example.org"] },
      { signal },
    );
    const blocked = await search.search(
      { query: "x", blockedDomains: ["example.org"] },
      { signal },
    );

    expect(allowed.results.map(({ url }) => url)).toEqual(["https://sub.example.org/x"]);
    expect(blocked.results.map(({ url }) => url)).toEqual(["https://nodejs.org/api/fs.html"]);
  });

  test.for([
    ["a wrong key", 401, "no", "It refused the key."],
    ["a used quota", 429, "{}", "Its quota is used up (7 of 100 requests left)."],
    [
      "HTML instead of JSON",
      200,
      "<html>Login</html>",
      "something other than results. It begins: <html>Login</html>",
    ],
    [
      "JSON of another form",
      200,
      '{"results":7,"data":7,"web":{"results":7},"items":7}',
      "something other than results.",
    ],
    ["a server that fails", 500, "oops", "status 500. It begins: oops"],
  ] as const)("%s has a reason", async ([, status, body, reason]) => {
    fake.answer = { status, body };

    await expect(searchWith(settings()).search({ query: "x" }, { signal })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(`${provider}: `),
      hint: expect.stringMatching(/webSearch|again/u),
    });
    await expect(searchWith(settings()).search({ query: "x" }, { signal })).rejects.toThrow(reason);
  });

  test("no results is an answer", async () => {
    fake.answer = {
      status: 200,
      body: '{"type":"search","results":[],"data":[],"searchInformation":{}}',
    };

    expect((await searchWith(settings()).search({ query: "x" }, { signal })).results).toEqual([]);
  });
});

test("the key is sent as a header and never in the address", async () => {
  for (const { id, keyVariable } of searchServices) {
    await searchWith({ provider: id, baseUrl: fake.server.origin }).search(
      { query: "x" },
      { signal },
    );
    const last = fake.asked.at(-1);
    expect(last?.key).toContain(keyVariable === undefined ? "undefined" : variables[keyVariable]);
    expect(last?.path).not.toContain("key-");
  }
});

test("services for failover are asked in order, and the failures are named", async () => {
  const failing: SearchService = {
    id: "failing",
    baseUrl: fake.server.origin,
    request: (_query, { baseUrl }) => ({ url: `${baseUrl}/missing` }),
    results: () => undefined,
  };
  const working: SearchService = {
    id: "working",
    baseUrl: fake.server.origin,
    request: (_query, { baseUrl }) => ({ url: `${baseUrl}/search` }),
    results: () => [{ title: "T", url: "https://a.org/", snippet: "" }],
  };

  const found = await searchWith(
    { provider: "failing", failover: ["nothing", "working"] },
    { custom: [failing, working] },
  ).search({ query: "x" }, { signal });

  expect(found.service).toBe("working");
  expect(found.failures).toEqual([
    expect.stringMatching(/^nothing: nothing is not one of native, tavily, jina/u),
    expect.stringMatching(/^failing: It answered with status 404/u),
  ]);
});

test.for([
  ["no key", { provider: "tavily" }, "TAVILY_API_KEY is not set"],
  ["a key with another name", { provider: "tavily", apiKeyEnv: "MY_KEY" }, "MY_KEY is not set"],
  ["no address", { provider: "searxng" }, "set webSearch.baseUrl or SEARXNG_URL"],
  [
    "a wrong address",
    { provider: "searxng", baseUrl: "file:///x" },
    "not an http or https address",
  ],
  ["no engine", { provider: "google" }, "GOOGLE_API_KEY is not set"],
  ["native", { provider: "native" }, "the model has no search of its own"],
  ["nothing at all", {}, "no service is configured"],
] as const)("%s says what to set", async ([, settings, reason]) => {
  const search = searchWith(settings, { variable: () => undefined });

  await expect(search.search({ query: "x" }, { signal })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining(reason),
    hint: expect.stringContaining("webSearch"),
  });
});

test("a service that cannot be reached is named", async () => {
  const search = searchWith({ provider: "searxng", baseUrl: "http://127.0.0.1:65533" });

  await expect(search.search({ query: "x" }, { signal })).rejects.toThrow(
    "searxng: 127.0.0.1:65533 could not be reached",
  );
});

test("the kit knows the variables of every service", () => {
  const variablesOf = searchServices.flatMap(
    ({ keyVariable, urlVariable }) => keyVariable ?? urlVariable ?? [],
  );

  expect([...searchVariables].toSorted()).toEqual(variablesOf.toSorted());
});

describe("referees", () => {
  test("the client of Tavily accepts the fake", async () => {
    const client = tavily({ apiKey: "tvly-x", apiBaseURL: fake.server.origin });

    const { results } = await client.search("files", { maxResults: 2 });

    expect(results[0]).toMatchObject({
      url: "https://nodejs.org/api/fs.html",
      content: "About files.",
    });
    const theirs = fake.asked.at(-1);
    await searchWith({ provider: "tavily", baseUrl: fake.server.origin }).search(
      { query: "files", count: 2 },
      { signal },
    );
    expect(theirs?.body).toMatchObject({ query: "files", max_results: 2 });
    expect(fake.asked.at(-1)?.body).toMatchObject({ query: "files", max_results: 2 });
    expect(fake.asked.at(-1)?.path).toBe(theirs?.path);
  });

  test("the client of Exa accepts the fake", async () => {
    const client = new Exa("key", fake.server.origin);

    const { results } = await client.search("files", { numResults: 2 });

    expect(results[0]).toMatchObject({ url: "https://nodejs.org/api/fs.html" });
    const theirs = fake.asked.at(-1);
    await searchWith({ provider: "exa", baseUrl: fake.server.origin }).search(
      { query: "files", count: 2 },
      { signal },
    );
    expect(theirs?.body).toMatchObject({ query: "files", numResults: 2 });
    expect(fake.asked.at(-1)?.body).toMatchObject({ query: "files", numResults: 2 });
    expect(fake.asked.at(-1)?.path).toBe(theirs?.path);
  });
});

async function searched(
  options: Pick<ToolkitOptions, "settings" | "searchServices">,
  input: Record<string, unknown> = { query: "files" },
): Promise<Outcome> {
  await using kit = await createToolkit({ host: await localHost(), workspace: ".", ...options });
  return await kit.call({ name: "WebSearch", input });
}

function settingsOfFake(): NonNullable<ToolkitOptions["settings"]> {
  return { webSearch: { provider: "searxng", baseUrl: fake.server.origin } } as never;
}

describe("the tool", () => {
  test("a service of the settings answers without a question, on a private address as well", async () => {
    const outcome = await searched({ settings: settingsOfFake() });

    expect(outcome).toMatchObject({ status: "ok", trust: "untrusted" });
    expect(outcome.text).toContain(
      "1. The first page (2026-01-02)\n   https://nodejs.org/api/fs.html\n   About files.",
    );
    expect(outcome.text).toContain("searxng: 7 of 100 requests left.");
  });

  test("max_results is another name of count", async () => {
    const { text } = await searched({ settings: settingsOfFake() }, { query: "x", max_results: 1 });

    expect(text).not.toContain("2. ");
  });

  test("both lists of domains are refused", async () => {
    const { error } = await searched(
      { settings: settingsOfFake() },
      { query: "x", allowed_domains: ["a.org"], blocked_domains: ["b.org"] },
    );

    expect(error).toMatchObject({ code: "INVALID_INPUT", hint: "Leave out one of them." });
  });

  test("a program adds a service of its own", async () => {
    const service: SearchService = {
      id: "own",
      baseUrl: fake.server.origin,
      request: (_query, { baseUrl }) => ({ url: `${baseUrl}/search` }),
      results: () => [{ title: "Own", url: "https://own.example/", snippet: "x" }],
    };

    expect((await searched({ searchServices: [service] })).text).toContain("1. Own");
  });
});
