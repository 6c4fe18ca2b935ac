// Searches that providers of models run themselves, with the providers' own packages against servers on this machine.
import { createServer } from "node:http";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { aiSdkModel, loadModel, scriptedModel, type Model } from "../../src/agent/index.ts";
import { providerNames } from "../../src/agent/models/ai-sdk/provider-table.ts";
import { providerSearches } from "../../src/agent/models/ai-sdk/provider-search-table.ts";
import { createToolkit, type Kit, type ToolkitOptions } from "../../src/index.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const page = { url: "https://nodejs.org/api/fs.html", title: "File system" };
const other = { url: "https://sub.example.org/x", title: "Another page" };

type Events = readonly Readonly<Record<string, unknown>>[];

/** Answers in the form of each provider, with two pages, the first of which has a passage. */
const answers: Readonly<Record<string, Events>> = {
  "anthropic:claude-sonnet-4-5": [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "c",
        content: [],
        usage: { input_tokens: 50, output_tokens: 1 },
      },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "server_tool_use", id: "s", name: "web_search", input: {} },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: {
        type: "web_search_tool_result",
        tool_use_id: "s",
        content: [
          { type: "web_search_result", ...page, page_age: "2026-01-02", encrypted_content: "e" },
          { type: "web_search_result", ...other, page_age: null, encrypted_content: "e" },
        ],
      },
    },
    { type: "content_block_stop", index: 1 },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "text_delta", text: "About files." } },
    {
      type: "content_block_delta",
      index: 2,
      delta: {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          ...page,
          cited_text: "About   files.",
          encrypted_index: "i",
        },
      },
    },
    { type: "content_block_stop", index: 2 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    { type: "message_stop" },
  ],
  "openai:gpt-4o": [
    { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-4o" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "o", phase: null },
    },
    {
      type: "response.output_text.delta",
      item_id: "o",
      delta: `- ${page.url} About files.\n- ${other.url}`,
      logprobs: null,
    },
    ...[page, other].map((each) => ({
      type: "response.output_text.annotation.added",
      annotation: { type: "url_citation", start_index: 0, end_index: 1, ...each },
    })),
    {
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "message", id: "o", phase: null },
    },
    {
      type: "response.completed",
      response: { usage: { input_tokens: 50, output_tokens: 9 }, incomplete_details: null },
    },
  ],
  "google:gemini-2.5-pro": [
    {
      candidates: [
        {
          content: { role: "model", parts: [{ text: "About files." }] },
          finishReason: "STOP",
          groundingMetadata: {
            groundingChunks: [page, other].map(({ url, title }) => ({ web: { uri: url, title } })),
            groundingSupports: [{ segment: { text: "About files." }, groundingChunkIndices: [0] }],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 50, candidatesTokenCount: 9 },
    },
  ],
};
const specs = Object.keys(answers);

interface Provider {
  readonly bodies: string[];
  readonly port: number;
  readonly model: (spec: string) => Promise<Model>;
}

/** A server that answers every request with these events, or with a status. */
async function provider(events: Events | number): Promise<Provider> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (piece: string) => (body += piece));
    request.on("end", () => {
      bodies.push(body);
      if (typeof events === "number") {
        response.writeHead(events, { "content-type": "application/json" }).end('{"error":{}}');
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    bodies,
    port,
    model: async (spec) =>
      await loadModel(spec, {
        baseUrl: `http://127.0.0.1:${port}/v1`,
        env: {
          ANTHROPIC_API_KEY: "k",
          OPENAI_API_KEY: "k",
          GOOGLE_GENERATIVE_AI_API_KEY: "k",
        },
      }),
  };
}

async function kitWith(options: ToolkitOptions): Promise<Kit> {
  const kit = await createToolkit({ rules: { allow: ["WebSearch"] }, ...options });
  closers.push(async () => await kit.dispose());
  return kit;
}

const settings = { webSearch: { provider: "native" } } as const;

async function offers(options: ToolkitOptions): Promise<boolean> {
  const kit = await kitWith(options);
  return kit.listings().some(({ name }) => name === "WebSearch");
}

async function* twoSources(): AsyncGenerator {
  yield { type: "source", sourceType: "url", id: "1", ...page };
  yield { type: "source", sourceType: "url", id: "2", url: "file:///etc/passwd" };
  yield { type: "finish", finishReason: "stop", usage: {} };
}

describe.for(specs)("%s", (spec) => {
  test("WebSearch asks the model's provider, and lists the pages that it names", async () => {
    const { model, bodies, port } = await provider(answers[spec] ?? []);
    const kit = await kitWith({ model: await model(spec), settings });

    const outcome = await kit.call({ name: "WebSearch", input: { query: "files in node" } });

    expect(outcome.status).toBe("ok");
    expect(outcome.metadata).toMatchObject({
      service: spec,
      results: [{ ...page, snippet: "About files." }, other],
    });
    expect(outcome.decision).toMatchObject({ kind: "allow" });
    expect(outcome.effects).toEqual([
      { kind: "connect", host: "127.0.0.1", port, reach: "public" },
    ]);
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain("files in node");
    expect(bodies[0]).toMatch(/web_search|googleSearch/u);
  });

  test("results of other domains are removed", async () => {
    const { model } = await provider(answers[spec] ?? []);
    const kit = await kitWith({ model: await model(spec), settings });

    const outcome = await kit.call({
      name: "WebSearch",
      input: { query: "x", allowed_domains: ["example.org"] },
    });

    expect(outcome.metadata).toMatchObject({ results: [{ url: other.url }] });
  });

  test.for([401, 429, 500])("status %d has a reason and a next step", async (status) => {
    const { model } = await provider(status);
    const kit = await kitWith({ model: await model(spec), settings });

    const outcome = await kit.call({ name: "WebSearch", input: { query: "x" } });

    expect(outcome.error).toMatchObject({
      code: "UNAVAILABLE",
      message: expect.stringContaining(`${spec}: `),
      hint: expect.stringMatching(/webSearch|Try again/u),
    });
  });
});

test("the run's own model searches, within the budget of the run", async () => {
  const spec = "anthropic:claude-sonnet-4-5";
  const { model } = await provider(answers[spec] ?? []);
  const searching = await model(spec);
  const script = scriptedModel({
    format: 1,
    name: "asks",
    turns: [{ calls: [{ name: "WebSearch", input: { query: "x" } }] }, { text: "Done." }],
  });
  const kit = await kitWith({ settings });
  const own: Model = { ...script, ...(searching.search ? { search: searching.search } : {}) };

  const result = await kit.run({ task: "Search.", model: own }).result;
  const limits = { maxTokens: 10_000 };
  const limited = await kit.run({ task: "Search.", model: own, limits }).result;

  expect(JSON.stringify(result.messages)).toContain(page.url);
  expect(JSON.stringify(limited.messages)).not.toContain(page.url);
});

test("a model of another provider leaves it to the services, and without one the error says what to set", async () => {
  const model = scriptedModel({ format: 1, name: "plain", turns: [] });
  const kit = await kitWith({ model, settings });

  const outcome = await kit.call({ name: "WebSearch", input: { query: "x" } });

  expect(outcome.error).toMatchObject({ code: "UNAVAILABLE" });
  expect(outcome.text).toContain("the model has no search of its own");
  expect(outcome.error?.hint).toContain("TAVILY_API_KEY");
});

test("WebSearch is offered where the kit's model searches, by its name or an alias, and not otherwise", async () => {
  const models = { aliases: { fast: "quick", quick: "openai:gpt-5" } };

  expect(await offers({ model: "anthropic:claude-sonnet-4-5" })).toBe(true);
  expect(await offers({ model: "fast", settings: { models } })).toBe(true);
  expect(await offers({ model: "mistral:mistral-large" })).toBe(false);
  expect(await offers({})).toBe(false);
});

test("the names of providers that search are those that have a tool for it", async () => {
  const searching: string[] = [];
  for (const name of providerNames) {
    if (await offers({ model: `${name}:model` })) searching.push(name);
  }

  expect(searching).toEqual(Object.keys(providerSearches).toSorted());
});

test("xAI gets its own tool, with the domains as it takes them", async () => {
  const calls: unknown[] = [];
  const model = aiSdkModel({
    specificationVersion: "v4",
    provider: "xai.responses",
    modelId: "grok-4",
    async doStream(options) {
      calls.push(options.tools);
      return { stream: twoSources() };
    },
  });

  const { signal } = new AbortController();
  const query = { query: "x", count: 3, blockedDomains: ["example.org"] };
  const found = await model.search?.find(query, { signal });

  expect(found?.results.map(({ url }) => url)).toEqual([page.url]);
  expect(model.search?.host).toBe("api.x.ai");
  expect(calls).toEqual([
    [
      {
        type: "provider",
        id: "xai.web_search",
        name: "web_search",
        args: { excludedDomains: ["example.org"] },
      },
    ],
  ]);
});

test("a search that the provider could not run fails with its reason", async () => {
  const failed = {
    type: "web_search_tool_result",
    tool_use_id: "s",
    content: { type: "web_search_tool_result_error", error_code: "too_many_requests" },
  };
  const spec = "anthropic:claude-sonnet-4-5";
  const events = (answers[spec] ?? []).map((event, index) =>
    index === 3 ? { ...event, content_block: failed } : event,
  );
  const { model } = await provider(events.toSpliced(5, 4));
  const kit = await kitWith({ model: await model(spec), settings });

  const outcome = await kit.call({ name: "WebSearch", input: { query: "x" } });

  expect(outcome.text).toContain("The provider's search failed: too_many_requests.");
});
