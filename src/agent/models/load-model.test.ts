import { expect, test } from "vitest";
import { loadModel } from "./load-model.ts";

const anything = { readText: async () => "{}" };

test.each(["", "claude", ":x", "anthropic:", "anthropic"])(
  "%j names no model, and the error says how to name one",
  async (spec) => {
    await expect(loadModel(spec, anything)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      message: `${JSON.stringify(spec)} is not a model.`,
      hint: expect.stringContaining("anthropic, bedrock, deepseek, google, groq"),
    });
  },
);

test("an unknown provider is answered with those there are", async () => {
  await expect(loadModel("acme:m")).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: 'There is no model provider "acme".',
    hint: expect.stringContaining("openai-compatible"),
  });
});

test("a package that is not installed is answered with the command that installs it", async () => {
  await expect(loadModel("deepseek:m", { env: { DEEPSEEK_API_KEY: "k" } })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "The package @ai-sdk/deepseek is not installed.",
    hint: "Install it with `npm install @ai-sdk/deepseek`, or for a global haft with `npm install --global @ai-sdk/deepseek`.",
    retryable: false,
  });
});

test("a key that is not set is missed before anything is loaded", async () => {
  await expect(loadModel("mistral:m", { env: {} })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "There is no API key for mistral: MISTRAL_API_KEY is not set.",
    hint: "Set MISTRAL_API_KEY, or use script:<file> for a model that needs none.",
  });
});

test("the variable of a key can be named, and is then the only one that counts", async () => {
  const env = { ANTHROPIC_API_KEY: "k" };

  await expect(loadModel("anthropic:m", { env, apiKeyEnv: "WORK_KEY" })).rejects.toMatchObject({
    message: "There is no API key for anthropic: WORK_KEY is not set.",
  });
  expect(await loadModel("anthropic:m", { env })).toMatchObject({ id: "anthropic:m" });
});

test("without an environment the provider's package looks for its key itself", async () => {
  expect(await loadModel("anthropic:m")).toMatchObject({ id: "anthropic:m", dialect: "anthropic" });
});

test("a server needs an address", async () => {
  await expect(loadModel("openai-compatible:m", { env: {} })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: "Set HAFT_BASE_URL, for example to http://127.0.0.1:8080/v1.",
  });
});

test.each([
  { spec: "openai-compatible:m", options: { baseUrl: "http://127.0.0.1:1/v1" } },
  { spec: "openai-compatible:m", options: { env: { HAFT_BASE_URL: "http://127.0.0.1:1/v1" } } },
  { spec: "ollama:qwen3:8b", options: {} },
])("$spec with $options is a model that takes OpenAI's dialect", async ({ spec, options }) => {
  expect(await loadModel(spec, options)).toMatchObject({ id: spec, dialect: "openai" });
});

test("a script is read from the file it names", async () => {
  const read: string[] = [];
  const model = await loadModel("script:a/b.json", {
    readText: async (file) => {
      read.push(file);
      return '{"format":1,"name":"n","turns":[]}';
    },
  });

  expect(model.id).toBe("script:n");
  expect(read).toEqual(["a/b.json"]);
});

test("a script that is wrong is named by its file", async () => {
  await expect(loadModel("script:a.json", anything)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("a.json:1:"),
  });
});

test("a script without a reader is a mistake of the program", async () => {
  await expect(loadModel("script:a.json")).rejects.toThrow(TypeError);
});

test.each([
  { spec: "openai:gpt-x", env: { OPENAI_API_KEY: "k" }, dialect: "openai" },
  { spec: "openai-chat:gpt-x", env: { OPENAI_API_KEY: "k" }, dialect: "openai" },
  { spec: "google:gemini-x", env: { GEMINI_API_KEY: "k" }, dialect: "gemini" },
  { spec: "mistral:mistral-x", env: { MISTRAL_API_KEY: "k" }, dialect: "openai" },
  { spec: "kimi:kimi-k2", env: { MOONSHOT_API_KEY: "k" }, dialect: "openai" },
])("$spec is created with the installed package", async ({ spec, env, dialect }) => {
  expect(await loadModel(spec, { env })).toMatchObject({ id: spec, dialect });
});

const aliases = {
  fast: "openai-compatible:small",
  quick: "fast",
  round: "about",
  about: "round",
  self: "self",
};
const local = { baseUrl: "http://127.0.0.1:1/v1", aliases };

test.each(["fast", "quick"])("the alias %s is the model that it names", async (spec) => {
  expect(await loadModel(spec, local)).toMatchObject({ id: "openai-compatible:small" });
});

test.each(["round", "self"])("the alias %s, which names itself, is refused", async (spec) => {
  await expect(loadModel(spec, local)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `The model alias "${spec}" names itself.`,
    hint: "Give it the name of a model, as in provider:model.",
  });
});

test("an unknown name is answered with the aliases there are", async () => {
  await expect(loadModel("toString", { aliases: { fast: "a:b" } })).rejects.toMatchObject({
    message: '"toString" is not a model.',
    hint: expect.stringContaining("or an alias: fast."),
  });
});

test("sizes and prices come from the catalog, by the model that an alias names", async () => {
  const info = { contextTokens: 1000, usdPerMTok: { input: 1, output: 2, cacheRead: 0.1 } };
  const catalog = { "openai-compatible:small": info };

  expect(await loadModel("fast", { ...local, catalog })).toMatchObject({ info });
  expect(await loadModel("openai-compatible:other", { ...local, catalog })).not.toHaveProperty(
    "info",
  );
});

test("a script has sizes and prices too", async () => {
  const options = {
    readText: async () => '{"format":1,"name":"n","turns":[]}',
    catalog: { "script:a.json": { contextTokens: 5 } },
  };

  expect(await loadModel("script:a.json", options)).toMatchObject({ info: { contextTokens: 5 } });
});

test("one call in an answer is refused where the provider has no option for it", async () => {
  const options = { env: { GEMINI_API_KEY: "k" }, parallelCalls: false };

  await expect(loadModel("google:m", options)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: "google cannot be limited to one call in an answer.",
  });
});

const entry = (usdPerMTok: object): object => ({ catalog: { "script:a": { usdPerMTok } } });

test.each([
  [{ catalogue: {} }, 'loadModel has no option "catalogue". Did you mean "catalog"?'],
  [{ aliases: { a: 3 } }, "loadModel: aliases.a must be a text, not 3."],
  [{ catalog: { "script:a": { contextTokens: "9" } } }, "must be a whole number above 0"],
  [entry({ in: 1 }), 'usdPerMTok has no option "in".'],
  [entry({ input: 1 }), "usdPerMTok.output must be an amount of US dollars, 0 or more"],
  [entry({ input: -1, output: 1 }), "usdPerMTok.input must be an amount of US dollars, 0 or more"],
])("options %j are refused", async (options, says) => {
  const loading = loadModel("script:a", { ...anything, ...options });

  await expect(loading).rejects.toThrow(says);
});
