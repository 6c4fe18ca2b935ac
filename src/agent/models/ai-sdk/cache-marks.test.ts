import { describe, expect, test } from "vitest";
import { userMessage, type Message } from "../../../session/index.ts";
import type { PromptMessage } from "./prompt.ts";
import { toPrompt } from "./prompt.ts";
import { factsFor, providerOf } from "./provider-table.ts";

/** Maximum number of blocks that Anthropic looks back from a mark for a stored prefix. */
const lookBack = 20;

function turn(number: number, calls: number): readonly Message[] {
  const ids = Array.from({ length: calls }, (_, index) => `${number}-${index}`);
  return [
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm", providerData: { anthropic: { signature: "s" } } },
        { type: "text", text: `turn ${number}` },
        ...ids.map((id) => ({ type: "tool-call", id, name: "Run", input: "{}" }) as const),
      ],
    },
    {
      role: "tool",
      content: ids.map((callId) => ({
        type: "tool-result",
        callId,
        name: "Run",
        content: [{ type: "text", text: "ok" }],
        isError: false,
      })),
    },
  ];
}

interface Block {
  readonly isMarked: boolean;
  readonly text: string;
}

/** Blocks of a prompt in order, as the provider counts them. */
function blocks(prompt: readonly PromptMessage[], key: string): readonly Block[] {
  return prompt.flatMap(({ content, providerOptions }) => {
    const isMarked = JSON.stringify(providerOptions ?? {}).includes(key);
    if (typeof content === "string") return [{ isMarked, text: content }];
    return content.map((part, index) => {
      const { providerOptions: own, ...rest } = part;
      const onPart = JSON.stringify(own ?? {}).includes(key);
      return {
        isMarked: onPart || (isMarked && index === content.length - 1),
        text: JSON.stringify(rest),
      };
    });
  });
}

function promptFor(
  messages: readonly Message[],
  { provider = "anthropic.messages", model = "claude", system = "be good" } = {},
): readonly PromptMessage[] {
  const target = { version: 4, provider: factsFor(providerOf(provider), model) } as const;
  return toPrompt({ system, messages }, target);
}

const marks = [
  {
    provider: "anthropic.messages",
    model: "claude-x",
    key: "cacheControl",
    namespace: "anthropic",
  },
  {
    provider: "googleVertex.anthropic.messages",
    model: "claude-x",
    key: "cacheControl",
    namespace: "anthropic",
  },
  {
    provider: "amazon-bedrock",
    model: "us.anthropic.claude-x",
    key: "cachePoint",
    namespace: "bedrock",
  },
  {
    provider: "openrouter",
    model: "anthropic/claude-x",
    key: "cacheControl",
    namespace: "openrouter",
  },
] as const;

describe.each(marks)("$provider", ({ provider, model, key, namespace }) => {
  test.each([1, 10, 20, 60])(
    "finds the previous request within reach of a mark after %i parallel calls, with four marks",
    (calls) => {
      let messages: readonly Message[] = [userMessage("go")];
      let before: readonly Block[] = [];
      for (let number = 0; number < 5; number += 1) {
        const now = blocks(promptFor(messages, { provider, model }), key);
        const marked = now.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));

        expect(marked.length).toBeLessThanOrEqual(4);
        expect(marked[0]).toBe(0);
        expect(marked.at(-1)).toBe(now.length - 1);
        const stored = before.length - 1;
        const isFound = marked.some((mark) => mark >= stored && mark - stored < lookBack);
        expect(isFound || number === 0).toBe(true);
        expect(now.slice(0, before.length).map(({ text }) => text)).toEqual(
          before.map(({ text }) => text),
        );
        before = now;
        messages = [...messages, ...turn(number, calls)];
      }
    },
  );

  test("marks the instructions and the last two messages, in its own words", () => {
    const prompt = promptFor([userMessage("go"), ...turn(1, 2)], { provider, model });

    const marked = prompt.map((message) =>
      JSON.stringify(message).includes(`"${namespace}":{"${key}"`),
    );
    expect(marked).toEqual([true, true, true, true]);
  });
});

test("results are marked once, at the last one", () => {
  const last = promptFor([userMessage("go"), ...turn(1, 12)]).at(-1);

  expect(last).not.toHaveProperty("providerOptions");
  expect(JSON.stringify(last).match(/cacheControl/gu)).toHaveLength(1);
});

test("a message that ends with reasoning is not marked", () => {
  const providerData = { anthropic: { signature: "s" } };
  const prompt = promptFor([
    userMessage("go"),
    { role: "assistant", content: [{ type: "reasoning", text: "hm", providerData }] },
    userMessage("and?"),
  ]);

  expect(JSON.stringify(prompt[2])).not.toContain("cacheControl");
  expect(JSON.stringify(prompt[3])).toContain("cacheControl");
});

test.each([
  { provider: "openai.responses", model: "gpt-x" },
  { provider: "google.generative-ai", model: "gemini-x" },
  { provider: "mistral.chat", model: "mistral-x" },
  { provider: "openrouter", model: "openai/gpt-x" },
  { provider: "amazon-bedrock", model: "meta.llama-x" },
])("$provider with $model gets no marks", ({ provider, model }) => {
  const prompt = JSON.stringify(promptFor([userMessage("go"), ...turn(1, 2)], { provider, model }));

  expect(prompt).not.toMatch(/cacheControl|cachePoint/u);
});
