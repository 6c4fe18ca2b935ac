import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { saying, storedKits } from "../../../test/support/stored-kits.ts";
import { createBudget, type Model } from "../../agent/index.ts";
import { backgroundModel, defineTool } from "../../core/index.ts";
import { createToolkit } from "../create-toolkit.ts";

const { at, open } = storedKits("kit-models");

async function script(text: string): Promise<void> {
  const plan = { format: 1, name: "plan", turns: [{ text }] };
  await writeFile(at("work/plan.json"), JSON.stringify(plan));
}

/** Asks the background model of its kit. */
const ask = defineTool({
  name: "AskModel",
  description: "Ask.",
  input: { type: "object" },
  touches: [],
  needs: [backgroundModel],
  async run(_input, { service, runId }) {
    const { text } = await service(backgroundModel).ask({ prompt: "What is it?", runId });
    return { content: text };
  },
});

test("a run that names no model uses that of the kit", async () => {
  const kit = await open({ model: saying("of the kit").model });

  expect(await kit.run({ task: "go" }).result).toMatchObject({ text: "of the kit" });
  expect(await kit.run({ task: "go", model: saying("own").model }).result).toMatchObject({
    text: "own",
  });
  await kit.dispose();
});

test("a model is named by a text, for the kit, for a run, and by an alias of the settings", async () => {
  const settings = { models: { aliases: { fast: "script:plan.json" } } };
  const kit = await open({ model: "fast", settings });
  await script("from the script");

  const byKit = await kit.run({ task: "go" }).result;
  const byRun = await kit.run({ task: "go", model: "script:plan.json" }).result;
  const asFallback = await kit.run({
    task: "go",
    model: {
      id: "broken",
      stream: () => {
        throw new Error("no");
      },
    },
    fallbackModels: ["fast"],
  }).result;

  expect([byKit, byRun, asFallback]).toMatchObject([
    { status: "done", text: "from the script" },
    { status: "done", text: "from the script" },
    { status: "done", text: "from the script" },
  ]);
  await kit.dispose();
});

test("models.default of the settings is the model of a run without one", async () => {
  const kit = await open({ settings: { models: { default: "script:plan.json" } } });
  await script("default");

  expect(await kit.run({ task: "go" }).result).toMatchObject({ text: "default" });
  await kit.dispose();
});

test("a run without any model is refused at once", async () => {
  const kit = await createToolkit({ workspace: at("") });

  expect(() => kit.run({ task: "go" })).toThrow(
    "A run needs a model: the option model of the run or of createToolkit, or models.default of the settings.",
  );
  await kit.dispose();
});

test("a name that names no model fails the run and says why", async () => {
  const kit = await open({ model: "nothing" });

  expect(await kit.run({ task: "go" }).result).toMatchObject({
    status: "failed",
    error: { code: "INVALID_INPUT", message: '"nothing" is not a model.' },
  });
  await kit.dispose();
});

test.each(["", 7, {}])("the option model %j is refused", async (model) => {
  const given: object = { model };

  await expect(createToolkit(given)).rejects.toThrow(
    /createToolkit: model must be a model, or its name as in "provider:model"/u,
  );
});

test("a tool asks the background model, and the run's budget pays", async () => {
  const requests: object[] = [];
  const background: Model = {
    id: "fake:background",
    async *stream(request) {
      requests.push(request);
      yield { type: "text", text: "A summary." };
      yield { type: "usage", usage: { input: 3000, output: 400 } };
      yield { type: "finish", reason: "stop" };
    },
  };
  const kit = await open({ backgroundModel: background, tools: { extra: [ask] } });
  const budget = createBudget({ maxTokens: 100_000 });
  const main = {
    id: "fake:main",
    async *stream({ messages }: { readonly messages: readonly unknown[] }) {
      if (messages.length > 1) yield { type: "text", text: "ok" } as const;
      else yield { type: "tool-call", id: "1", name: "AskModel", input: "{}" } as const;
      yield { type: "usage", usage: { input: 10, output: 1 } } as const;
      yield { type: "finish", reason: "stop" } as const;
    },
  };

  const result = await kit.run({ task: "go", model: main, budget }).result;
  const [, , results] = result.messages;

  expect(results).toMatchObject({ content: [{ content: [{ text: "A summary." }] }] });
  expect(budget.used.tokens).toBe(3400 + 2 * 11);
  expect(requests[0]).toMatchObject({
    system: "",
    tools: [],
    messages: [{ role: "user", content: [{ text: "What is it?" }] }],
  });
  await kit.dispose();
});

test("a tool that needs the background model is offered only where a model is known", async () => {
  const tools = { extra: [ask] };
  const without = await createToolkit({ workspace: at(""), tools });
  const withModel = await createToolkit({ workspace: at(""), tools, model: saying("x").model });

  const names = [without, withModel].map((kit) => kit.listings().map(({ name }) => name));

  expect(names.map((each) => each.includes("AskModel"))).toEqual([false, true]);
  await without.dispose();
  await withModel.dispose();
});
