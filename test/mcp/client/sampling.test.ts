// Questions of servers for the model: only with a rule that names them, a background model, and a run that pays.
import { expect, test } from "vitest";
import { scriptedModel, type Model } from "../../../src/agent/index.ts";
import type { ToolkitOptions } from "../../../src/index.ts";
import { leaveNothing } from "../../support/leftovers.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

const tool = { name: "t", description: "A tool.", inputSchema: { type: "object" } };
const text = (value: string) => ({ role: "user", content: { type: "text", text: value } });
const question = { messages: [text("What is 2 + 2?")], systemPrompt: "Be brief.", maxTokens: 9 };
const allowed: ToolkitOptions = { rules: { allow: ["mcp__s", "mcp__s__sampling"] } };

const usage = { input: 70_000, output: 5 };

interface Asked {
  readonly options?: ToolkitOptions;
  readonly given?: unknown;
  readonly hasBackground?: boolean;
  readonly limits?: { readonly maxTokens: number };
  /** Usage of the turn that makes the call. */
  readonly main?: { readonly usage?: typeof usage };
}

/** Answer that a server gets to its question, and the requests that the background model got. */
async function answerTo({
  options = allowed,
  given = question,
  hasBackground = true,
  limits,
  main = {},
}: Asked) {
  await using world = serverWorld();
  const requests: unknown[] = [];
  const background: Model = {
    id: "test:small",
    async *stream(request) {
      const { system, messages, maxOutputTokens } = request;
      requests.push({ system, messages, maxOutputTokens });
      const turns = [{ text: "Four.", usage }];
      yield* scriptedModel({ format: 1, name: "b", turns }).stream(request);
    },
  };
  const script = {
    format: 1,
    name: "m",
    turns: [{ calls: [{ name: "mcp__s__t", input: {} }], ...main }, { text: "Done." }],
  } as const;
  const kit = await world.open(
    {
      s: serverEntry({
        tools: [tool],
        acts: { t: "samples" },
        question: given,
        record: world.record,
      }),
    },
    {
      ...options,
      model: scriptedModel(script),
      ...(hasBackground ? { backgroundModel: background } : {}),
    },
  );
  await kit.mcp.check("s");
  const run = kit.run({ task: "Ask it.", ...(limits === undefined ? {} : { limits }) });
  const outcomes: string[] = [];
  for await (const event of run.events) {
    if (event.type === "call-end") outcomes.push(event.outcome.text);
  }
  const { status } = await run.result;
  return { answer: outcomes.join("\n"), requests, status, log: (await kit.mcp.check("s")).log };
}

test("a server with a rule gets the answer of the background model, and the run pays", async () => {
  const { answer, requests, status } = await answerTo({ limits: { maxTokens: 60_000 } });

  expect(JSON.parse(answer)).toEqual({
    role: "assistant",
    content: { type: "text", text: "Four." },
    model: "test:small",
    stopReason: "endTurn",
  });
  expect(JSON.stringify(requests)).toContain("What is 2 + 2?");
  // Nothing of the conversation is in it.
  expect(JSON.stringify(requests)).not.toContain("Ask it.");
  expect(requests).toMatchObject([{ system: "Be brief.", maxOutputTokens: 9 }]);
  // The answer used up the budget of the run.
  expect(status).not.toBe("done");
});

test.each<[string, Asked, RegExp]>([
  [
    "a rule for its tools",
    { options: { rules: { allow: ["mcp__s"] } } },
    /no rule mcp__s__sampling/u,
  ],
  [
    "a mode that allows everything",
    { options: { mode: "bypassPermissions" } },
    /no rule mcp__s__sampling/u,
  ],
  [
    "a rule that another one denies",
    { options: { rules: { allow: ["mcp__s", "mcp__s__sampling"], deny: ["mcp__s__sampling"] } } },
    /no rule mcp__s__sampling/u,
  ],
  ["no background model", { hasBackground: false }, /no backgroundModel is set/u],
  [
    "tools",
    { given: { ...question, tools: [{ name: "x", inputSchema: { type: "object" } }] } },
    /no tools|tools/u,
  ],
  [
    "an image",
    {
      given: {
        ...question,
        messages: [
          { role: "user", content: { type: "image", data: "AA==", mimeType: "image/png" } },
        ],
      },
    },
    /only text/u,
  ],
  ["no messages", { given: { ...question, messages: [] } }, /no messages/u],
  [
    "too much text",
    { given: { ...question, messages: [text("x".repeat(100_001))] } },
    /more than 100000 characters/u,
  ],
])("a question with %s is refused with the reason", async (_what, asked, reason) => {
  const { answer, requests } = await answerTo(asked);

  expect(answer).toMatch(reason);
  expect(requests).toEqual([]);
});

test("a budget that is used up answers no question", async () => {
  const { answer, requests } = await answerTo({
    limits: { maxTokens: 100_000 },
    main: { usage: { input: 99_990, output: 0 } },
  });

  expect(answer).toMatch(/maxTokens|limit|budget/iu);
  expect(requests).toEqual([]);
});

test("a question outside of a run is refused, because nothing pays for it", async () => {
  await using world = serverWorld();
  const script = { tools: [tool], acts: { t: "samples" }, question, record: world.record };
  const kit = await world.open({ s: serverEntry(script) }, allowed);

  const { text: answer } = await kit.call({ name: "mcp__s__t", input: {} });

  expect(answer).toMatch(/no run is active/u);
});

test("a tool with the name of the rule is not offered", async () => {
  await using world = serverWorld();
  const script = { tools: [tool, { ...tool, name: "Sampling" }], record: world.record };
  const kit = await world.open({ s: serverEntry(script) }, allowed);

  const { problems } = await kit.mcp.check("s");

  expect(problems.join()).toMatch(/Sampling is not offered/u);
  expect(kit.registry.resolve("mcp__s__Sampling")).toBeUndefined();
});
