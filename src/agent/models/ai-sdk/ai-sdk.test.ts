import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, quickClock } from "../../../../test/fakes/fake-run.ts";
import { fakeToolkit, type FakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { loadModel } from "../load-model.ts";
import type { Model } from "../model.ts";
import { startRun } from "../../loop/run.ts";
import type { RunResult } from "../../loop/run-result.ts";
import { aiSdkModel } from "./language-model.ts";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

let server = new LLMock({ port: 0, logLevel: "silent" });
beforeEach(async () => {
  server = new LLMock({ port: 0, logLevel: "silent" });
  await server.start();
});
afterEach(async () => {
  await server.stop();
});

function tools(): FakeToolkit {
  return fakeToolkit({
    Read: { description: "Reads a file.", run: () => "one line" },
    Look: {
      run: () => ({
        content: [
          { type: "text", text: "a picture" },
          { type: "image", data: pixel, mimeType: "image/png" },
        ],
      }),
    },
    Write: { writes: true, run: () => "written" },
  });
}

const kinds = [
  { name: "an OpenAI-style server", spec: "openai-compatible:test-model" },
  { name: "an Anthropic-style server", spec: "anthropic:claude-sonnet-4-5" },
] as const;

async function modelFor(spec: string): Promise<Model> {
  return await loadModel(spec, {
    env: {
      HAFT_BASE_URL: `${server.url}/v1`,
      ANTHROPIC_BASE_URL: `${server.url}/v1`,
      ANTHROPIC_API_KEY: "test",
    },
  });
}

async function runOn(
  spec: string,
  toolkit: FakeToolkit = tools(),
): Promise<RunResult & { readonly waits: readonly number[] }> {
  const clock = quickClock();
  const model = await modelFor(spec);
  const result = await startRun({ toolkit, model, task: "go", system: "be good", clock }).result;
  return { ...result, waits: clock.waits };
}

function answerAfterCalls(): void {
  server.on({ userMessage: "go", hasToolResult: true }, { content: "All done." });
}

describe.each(kinds)("a run on $name", ({ spec }) => {
  test("streams, makes calls together, hands results back and ends", async () => {
    server.on(
      { userMessage: "go", hasToolResult: false },
      {
        content: "I will look at both files before I say anything about them.",
        reasoning: "Two files, so two calls.",
        toolCalls: [
          { name: "Read", arguments: '{"file_path":"a"}', id: "call_a" },
          { name: "Read", arguments: '{"file_path":"b"}', id: "call_b" },
        ],
      },
      { chunkSize: 10 },
    );
    answerAfterCalls();
    const toolkit = tools();
    const agent = startRun({ toolkit, model: await modelFor(spec), task: "go" });

    const [result, events] = await Promise.all([agent.result, eventsOf(agent.events)]);

    expect(result).toMatchObject({ status: "done", text: "All done.", turns: 2, calls: 2 });
    expect(toolkit.batches.map(({ calls }) => calls)).toEqual([
      [
        { id: "call-1", name: "Read", input: '{"file_path":"a"}' },
        { id: "call-2", name: "Read", input: '{"file_path":"b"}' },
      ],
    ]);
    const texts = events.filter((event) => event.type === "model-text" && event.turn === 1);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.map((event) => "text" in event && event.text).join("")).toBe(
      "I will look at both files before I say anything about them.",
    );
    expect(events.some(({ type }) => type === "model-reasoning")).toBe(true);
  });

  test("gives the server the tools, the calls and their results", async () => {
    server.on(
      { userMessage: "go", hasToolResult: false },
      { toolCalls: [{ name: "Read", arguments: '{"file_path":"a"}', id: "call_a" }] },
    );
    answerAfterCalls();
    await runOn(spec);

    const bodies = server.getRequests().map(({ body }) => JSON.stringify(body));
    expect(bodies).toHaveLength(2);
    for (const part of ["be good", "Reads a file.", "Look", "Write", "go"]) {
      expect(bodies[0]).toContain(part);
    }
    for (const part of ["call_a", "one line", "file_path"]) expect(bodies[1]).toContain(part);
  });

  test("does not run a writing call that the output limit cut", async () => {
    server.on(
      { userMessage: "go", hasToolResult: false },
      {
        toolCalls: [
          { name: "Read", arguments: '{"file_path":"a"}', id: "call_a" },
          { name: "Write", arguments: '{"file_path":"b","content":"half a sen', id: "call_b" },
        ],
        finishReason: "length",
      },
    );
    answerAfterCalls();
    const toolkit = tools();

    const result = await runOn(spec, toolkit);

    expect(toolkit.batches[0]?.calls.map(({ incomplete }) => incomplete)).toEqual([
      undefined,
      true,
    ]);
    expect(result.status).toBe("done");
    expect(result.messages[2]?.content).toMatchObject([
      { callId: "call-1", isError: false },
      { callId: "call-2", isError: true, content: [{ text: "Write: INCOMPLETE_CALL" }] },
    ]);
  });

  test("is asked again when the connection breaks before the answer", async () => {
    server.on(
      { userMessage: "go", hasToolResult: false },
      { content: "never whole" },
      { truncateAfterChunks: 1 },
    );

    const result = await runOn(spec);

    expect(result).toMatchObject({ status: "failed", error: { code: "MODEL_FAILED" } });
    expect(result.waits).toHaveLength(4);
  });

  test("asks again when the server is busy", async () => {
    server.nextRequestError(429, { message: "slow down", type: "rate_limit_error" });
    server.on({ userMessage: "go" }, { content: "All done." });

    const result = await runOn(spec);

    expect(result).toMatchObject({ status: "done", text: "All done." });
    expect(result.waits).toHaveLength(1);
  });

  test("says what to check when the key is refused, and does not ask again", async () => {
    server.nextRequestError(401, { message: "bad key", type: "authentication_error" });

    const result = await runOn(spec);

    expect(result).toMatchObject({
      status: "failed",
      error: {
        code: "MODEL_FAILED",
        message: `${spec} failed: bad key`,
        hint: "Check the provider's API key.",
        retryable: false,
        data: { status: 401 },
      },
    });
    expect(result.waits).toEqual([]);
  });
});

/** Request bodies sent to an Anthropic-style server. */
async function anthropicBodies(): Promise<readonly unknown[]> {
  const bodies: unknown[] = [];
  const anthropic = createAnthropic({
    apiKey: "k",
    baseURL: `${server.url}/v1`,
    fetch: async (url, init) => {
      bodies.push(typeof init?.body === "string" && JSON.parse(init.body));
      return await fetch(url, init);
    },
  });
  const model = aiSdkModel(anthropic("claude-sonnet-4-5"));
  await startRun({ toolkit: tools(), model, task: "go", system: "be good" }).result;
  return bodies;
}

test("an Anthropic-style server gets images inside results and cache marks", async () => {
  server.on(
    { userMessage: "go", hasToolResult: false },
    {
      reasoning: "I must look.",
      reasoningSignature: "signed",
      content: "Looking.",
      toolCalls: [{ name: "Look", arguments: "{}", id: "call_a" }],
    },
  );
  answerAfterCalls();

  const [first, second] = await anthropicBodies();

  expect(first).toMatchObject({
    system: [{ type: "text", text: "be good", cache_control: { type: "ephemeral" } }],
    messages: [
      {
        role: "user",
        content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }],
      },
    ],
  });
  expect(second).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I must look.", signature: "signed" },
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "call_a", name: "Look", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "call_a",
            content: [
              { type: "text", text: "a picture" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: pixel } },
            ],
            cache_control: { type: "ephemeral" },
          },
        ],
      },
    ],
  });
});

test("an OpenAI-style server, whose results are text, gets an image as a message after them", async () => {
  server.on(
    { userMessage: "go", hasToolResult: false },
    { toolCalls: [{ name: "Look", arguments: "{}", id: "call_a" }] },
  );
  server.on({ userMessage: /call_a showed/u }, { content: "Nice." });

  const result = await runOn("openai-compatible:m");

  expect(result).toMatchObject({ status: "done", text: "Nice." });
  expect(server.getLastRequest()?.body).toMatchObject({
    messages: [
      { role: "system" },
      { role: "user", content: "go" },
      { role: "assistant" },
      { role: "tool", tool_call_id: "call_a", content: "a picture\n[image image/png]" },
      {
        role: "user",
        content: [
          { type: "text", text: "What call call_a showed:" },
          { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}` } },
        ],
      },
    ],
  });
});

test("a conversation with a broken call is still one the servers take", async () => {
  server.on(
    { userMessage: "go", hasToolResult: false },
    { toolCalls: [{ name: "Read", arguments: '{"file_path": oops}', id: "call_a" }] },
  );
  answerAfterCalls();

  const result = await runOn("openai-compatible:m");

  expect(result).toMatchObject({ status: "done" });
});

test("models of the provider packages fit as they are", () => {
  const openai = createOpenAICompatible({ name: "x", baseURL: "http://127.0.0.1:1/v1" })("m");
  const anthropic = createAnthropic({ apiKey: "k" })("claude-x");

  const apiKey = "k";

  expect(aiSdkModel(openai)).toMatchObject({ id: "x.chat:m", dialect: "openai" });
  expect(aiSdkModel(createOpenAI({ apiKey })("m"))).toMatchObject({ id: "openai.responses:m" });
  expect(aiSdkModel(createMistral({ apiKey })("m"))).toMatchObject({ id: "mistral.chat:m" });
  expect(aiSdkModel(createGoogle({ apiKey })("m"))).toMatchObject({
    id: "google.generative-ai:m",
    dialect: "gemini",
  });
  expect(aiSdkModel(anthropic)).toMatchObject({
    id: "anthropic.messages:claude-x",
    dialect: "anthropic",
  });
});
