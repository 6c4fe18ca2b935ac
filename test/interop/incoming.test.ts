import { tool as langChainTool } from "@langchain/core/tools";
import { jsonSchema, tool as tool7 } from "ai";
import { tool as tool6 } from "ai-6";
import * as valibot from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  fromAISDKTools,
  fromCreateTool,
  fromFunction,
  fromLangChainTools,
  fromToolDefine,
} from "../../src/entries/interop.ts";
import { fromMinimalTool, type Ask, type Kit, type Outcome, type Tool } from "../../src/index.ts";
import { testKit } from "../support/kit.ts";

const input = z.object({ city: z.string(), days: z.number().default(2) });
const description = "Get the weather.";
const say = (given: { city: string; days: number }): string => `${given.city}: ${given.days} days`;

/** The same tool in every form. */
const forms: Record<string, () => Promise<readonly Tool[]>> = {
  "AI SDK 7": async () =>
    await fromAISDKTools({
      weather: tool7({ description, inputSchema: input, execute: async (given) => say(given) }),
    }),
  "AI SDK 6": async () =>
    await fromAISDKTools({
      weather: tool6({ description, inputSchema: input, execute: async (given) => say(given) }),
    }),
  "AI SDK, a schema of its own, results in a stream": async () =>
    await fromAISDKTools({
      weather: tool7({
        description,
        inputSchema: jsonSchema<{ city: string; days: number }>(
          z.toJSONSchema(input, { io: "input" }) as never,
          {
            validate: (value) => ({ success: true, value: input.parse(value) }),
          },
        ),
        async *execute(given) {
          yield "preliminary";
          yield say(given);
        },
      }),
    }),
  LangChain: async () =>
    await fromLangChainTools([
      langChainTool(async (given) => say(given), { name: "weather", description, schema: input }),
    ]),
  "a function": async () => [fromFunction("weather", say, { description, input })],
  "Tool.define": async () => [
    fromToolDefine("weather", {
      description,
      parameters: input,
      execute: async (given) => ({ title: "Weather", output: say(given as never), metadata: {} }),
    }),
  ],
  createTool: async () => [
    fromCreateTool({
      name: "weather",
      kind: "readonly",
      description: { short: description },
      schema: input,
      execute: async (given) => ({
        success: true,
        llmContent: say(given as never),
        displayContent: "Looked at the weather",
      }),
    }),
  ],
  "the minimal form": async () => [
    fromMinimalTool({
      name: "weather",
      description,
      parameters: { ...z.toJSONSchema(input, { io: "input" }) },
      execute: (given) => say(given as never),
    }),
  ],
};

async function kitWith(
  extra: readonly Tool[],
  answer?: "once",
): Promise<{ kit: Kit; asks: Ask[] }> {
  const asks: Ask[] = [];
  const onAsk = async (ask: Ask): Promise<{ kind: "once" }> => {
    asks.push(ask);
    return { kind: "once" };
  };
  const { kit } = await testKit({
    tools: { extra },
    ...(answer === undefined ? {} : { onAsk }),
  });
  return { kit, asks };
}

describe.each(Object.entries(forms))("a tool in the form of %s", (_form, make) => {
  test("has unknown effects, so it asks, and its result comes through the pipeline", async () => {
    const { kit, asks } = await kitWith(await make(), "once");

    const outcome = await kit.call({ name: "weather", input: { city: "Oslo", days: "3" } });

    expect(outcome).toMatchObject({
      status: "ok",
      text: expect.stringContaining("Oslo: 3 days"),
      decision: { kind: "ask", answeredBy: "user" },
      effects: [
        {
          kind: "unknown",
          origin: "weather",
          because: "weather does not say what a call of it touches",
        },
      ],
      repairs: [{ path: "/days" }],
    });
    expect(asks).toHaveLength(1);
    expect(kit.listings().find(({ name }) => name === "weather")).toMatchObject({
      description,
      touches: ["unknown"],
      flags: { readOnly: false },
    });
  });

  test("is refused where nobody answers, and allowed by a rule that names it", async () => {
    const tools = await make();
    const headless = await kitWith(tools);
    const { kit } = await testKit({ tools: { extra: tools }, rules: { allow: ["weather"] } });
    const call = { name: "weather", input: { city: "Oslo" } };

    expect((await headless.kit.call(call)).status).toBe("denied");
    expect(await kit.call(call)).toMatchObject({ status: "ok", text: "Oslo: 2 days" });
  });

  test("reports what is wrong with an input", async () => {
    const { kit } = await kitWith(await make(), "once");

    const outcome = await kit.call({ name: "weather", input: { days: 1 } });

    expect(outcome.error?.code).toBe("INVALID_INPUT");
  });
});

test("what a tool touches can be declared, and then nothing else is asked", async () => {
  const tools = await fromAISDKTools(
    { pure: tool7({ description, inputSchema: input, execute: async (given) => say(given) }) },
    { pure: { touches: [] } },
  );
  const { kit } = await kitWith(tools);

  const outcome = await kit.call({ name: "pure", input: { city: "Oslo" } });

  expect(outcome).toMatchObject({ status: "ok", effects: [], decision: { kind: "allow" } });
});

const approving = { description, inputSchema: input, execute: async (): Promise<string> => "ran" };

test("needsApproval asks each time, whatever rules allow", async () => {
  const tools = await fromAISDKTools(
    {
      always: tool7({ ...approving, needsApproval: true }),
      abroad: tool7({ ...approving, needsApproval: async ({ city }) => city !== "Oslo" }),
    },
    { always: { touches: [] }, abroad: { touches: [] } },
  );
  const { kit } = await testKit({
    tools: { extra: tools },
    rules: { allow: ["always", "abroad"] },
  });
  const decide = async (name: string, city: string): Promise<string | undefined> =>
    (await kit.explain({ name, input: { city } })).decision?.kind;

  expect(await decide("always", "Oslo")).toBe("ask");
  expect(await decide("abroad", "Rome")).toBe("ask");
  expect(await decide("abroad", "Oslo")).toBe("allow");
});

test("a tool that a provider or a client runs cannot be imported", async () => {
  await expect(
    fromAISDKTools({ search: tool7({ description, inputSchema: input }) }),
  ).rejects.toThrow("The tool search has no execute");
});

async function run(tool: Tool): Promise<Outcome> {
  const { kit } = await testKit({ tools: { extra: [tool] } });
  return await kit.call({ name: tool.name, input: {} });
}

describe("results of imported tools", () => {
  const none = { description, input: { type: "object" }, touches: [] } as const;

  test.each([
    { title: "an object is JSON, also for programs", value: { n: 1 }, text: '{"n":1}' },
    { title: "a list is JSON", value: [1, 2], text: "[1,2]" },
    { title: "nothing is said to be nothing", value: undefined, text: "(no result)" },
    { title: "a bigint is not lost silently", value: 1n, text: "JSON cannot represent" },
  ])("$title", async ({ value, text }) => {
    const outcome = await run(fromFunction("f", () => value, none));

    expect(outcome.text).toContain(text);
    expect(outcome.structuredContent).toEqual(text.startsWith("{") ? value : undefined);
  });

  test("a function that throws has failed", async () => {
    const outcome = await run(
      fromFunction(
        "f",
        () => {
          throw new Error("no wind");
        },
        none,
      ),
    );

    expect(outcome).toMatchObject({ status: "failed", error: { code: "TOOL_FAILED" } });
    expect(outcome.text).toContain("no wind");
  });

  test("of Tool.define have their title and metadata", async () => {
    const outcome = await run(
      fromToolDefine(
        "count",
        {
          description,
          parameters: { type: "object" },
          async execute(_given, context) {
            context.metadata({ metadata: { step: 1 } });
            await context.ask({ permission: "edit" });
            return { title: "Counted", output: "3", metadata: { total: 3 } };
          },
        },
        { touches: [] },
      ),
    );

    expect(outcome).toMatchObject({
      title: "Counted",
      text: "3",
      metadata: { step: 1, total: 3 },
    });
  });

  test("of createTool have content for the model and for the user", async () => {
    const base = { name: "f", description, schema: { type: "object" } } as const;
    const good = await run(
      fromCreateTool(
        { ...base, execute: () => ({ llmContent: { n: 1 }, displayContent: "One\nmore" }) },
        { touches: [] },
      ),
    );
    const bad = await run(
      fromCreateTool(
        {
          ...base,
          execute: () => ({ success: false, error: { type: "timeout", message: "too slow" } }),
        },
        { touches: [] },
      ),
    );

    expect(good).toMatchObject({
      text: '{"n":1}',
      summary: "One",
      metadata: { displayContent: "One\nmore" },
    });
    expect(bad).toMatchObject({ isError: true, metadata: { errorType: "timeout" } });
    expect(bad.text).toContain("too slow");
  });

  test("of the AI SDK are what its toModelOutput says", async () => {
    const [tool] = await fromAISDKTools(
      {
        photo: tool7({
          description,
          inputSchema: z.object({}),
          execute: async () => "raw",
          toModelOutput: () => ({
            type: "content",
            value: [
              { type: "text", text: "look" },
              { type: "image-data", data: "aW1n", mediaType: "image/png" },
            ],
          }),
        }),
      },
      { photo: { touches: [] } },
    );

    expect((await run(tool as Tool)).content).toEqual([
      { type: "text", text: "look" },
      { type: "image", data: "aW1n", mimeType: "image/png" },
    ]);
  });
});

test("a name that the kit cannot have is replaced, and other schema libraries fit", async () => {
  const [tool] = await fromLangChainTools([
    {
      name: "1 odd/name",
      description,
      schema: valibot.object({ a: valibot.string() }),
      invoke: async ({ args }) => ({ content: JSON.stringify(args), status: "error" }),
    },
  ]);
  const { kit } = await testKit({
    tools: { extra: [tool as Tool] },
    rules: { allow: ["t1_odd_name"] },
  });

  const outcome = await kit.call({ name: "t1_odd_name", input: { a: "x" } });

  expect(outcome).toMatchObject({ isError: true, text: expect.stringContaining('{"a":"x"}') });
});
