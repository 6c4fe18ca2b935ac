import { expect, test } from "vitest";
import { callIdRules } from "./call-ids.ts";
import { factsFor, providerNamed, providerNames, providerOf } from "./provider-table.ts";

test.each([
  { model: "anthropic.messages", row: "anthropic" },
  { model: "bedrock.anthropic.messages", row: "anthropic" },
  { model: "googleVertex.anthropic.messages", row: "vertex-anthropic" },
  { model: "vertex.anthropic.messages", row: "vertex-anthropic" },
  { model: "amazon-bedrock", row: "bedrock" },
  { model: "google.generative-ai", row: "google" },
  { model: "google.vertex.chat", row: "vertex" },
  { model: "openai.responses", row: "openai" },
  { model: "openai.chat", row: "openai-chat" },
  { model: "openrouter", row: "openrouter" },
  { model: "mistral.chat", row: "mistral" },
  { model: "xai.responses", row: "xai" },
  { model: "groq.chat", row: "groq" },
  { model: "deepseek.chat", row: "deepseek" },
  { model: "ollama.chat", row: "ollama" },
  { model: "moonshotai.chat", row: "kimi" },
  { model: "openai-compatible.chat", row: "openai-compatible" },
])("a model of $model is one of $row", ({ model, row }) => {
  expect(providerOf(model)).toBe(providerNamed(row));
});

test.each(["anthropics.chat", "my-server.chat"])(
  "%s is taken for a server with OpenAI's protocol and options of its own",
  (model) => {
    const { optionKeys, dialect } = providerOf(model);

    expect(dialect).toBe("openai");
    expect(optionKeys).toContain(model.split(".")[0]);
  },
);

test("a server's options may be written in camel case", () => {
  expect(providerOf("my-server.chat").optionKeys).toEqual(["my-server", "myServer"]);
});

test.each([
  { provider: "openrouter", model: "mistralai/devstral-small", rule: "mistral" },
  { provider: "openrouter", model: "moonshotai/Kimi-K2", rule: "kimi" },
  { provider: "openrouter", model: "openai/gpt-x", rule: "openai" },
  { provider: "ollama", model: "mistral-nemo", rule: "mistral" },
  { provider: "openai-compatible", model: "kimi-k2", rule: "kimi" },
  { provider: "bedrock", model: "mistral.mistral-large", rule: "mistral" },
  { provider: "groq", model: "moonshotai/kimi-k2-instruct", rule: "kimi" },
  { provider: "anthropic", model: "kimi-in-disguise", rule: "anthropic" },
] as const)("$model at $provider has the ids of $rule", ({ provider, model, rule }) => {
  const row = providerNamed(provider);

  expect(row && factsFor(row, model).callIds).toBe(callIdRules[rule]);
});

test("each provider has a factory, an own name and keys for its options", () => {
  for (const name of providerNames) {
    const row = providerNamed(name);

    expect(row?.factories).not.toEqual([]);
    expect(row?.optionKeys).not.toEqual([]);
    expect(row?.modelProviders.map(providerOf)).toEqual(row?.modelProviders.map(() => row));
  }
});
