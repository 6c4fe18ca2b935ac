import { expect, test } from "vitest";
import { askingTools } from "../../../../test/mcp/asking-tools.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { legacyWire, type Wire } from "../../../../test/mcp/wire.ts";

const everything = { elicitation: {}, sampling: {}, roots: {} };

async function asking(
  name: string,
  { capabilities = everything, ...options }: { capabilities?: object; askTimeoutMs?: number } = {},
  input: object = {},
): Promise<{ wire: Wire; ended: Promise<unknown> }> {
  const wire = await legacyWire(listToolkit(askingTools), "2025-11-25", {
    capabilities,
    ...options,
  });
  const ended = wire.ask("tools/call", { name, arguments: input, _meta: { progressToken: "p" } });
  await Promise.race([ended, wire.untilHeard("notifications/progress")]);
  return { wire, ended };
}

async function answer(wire: Wire, message: object): Promise<void> {
  await wire.connection.handle({ jsonrpc: "2.0", ...message });
}

const paris = { role: "assistant", content: { type: "text", text: "Paris" }, model: "m" };

test("a question is sent as a request, and the tool continues with the answer", async () => {
  const { wire, ended } = await asking("test_sampling", {}, { prompt: "Capital?" });

  expect(wire.heard("sampling/createMessage")).toEqual([
    {
      jsonrpc: "2.0",
      id: "ask-1",
      method: "sampling/createMessage",
      params: {
        messages: [{ role: "user", content: { type: "text", text: "Capital?" } }],
        maxTokens: 100,
      },
    },
  ]);
  expect(wire.heard("notifications/progress")).toMatchObject([
    { params: { message: "Waiting for an answer from the client." } },
  ]);
  await answer(wire, { id: "ask-1", result: paris });

  expect(await ended).toMatchObject({
    result: { isError: false, content: [{ text: "LLM response: Paris" }] },
  });
});

test("an answer to nothing that is asked changes nothing", async () => {
  const { wire, ended } = await asking("test_input_required_result_sampling");

  await answer(wire, { id: "ask-2", result: paris });
  await answer(wire, { id: 1, result: paris });
  await answer(wire, { id: null, result: paris });
  await answer(wire, { id: "ask-1", result: paris });
  await answer(wire, { id: "ask-1", result: { ...paris, model: "late" } });

  expect(await ended).toMatchObject({ result: { content: [{ text: "Paris" }] } });
});

test.for([
  {
    says: { error: { code: -1, message: "User rejected\u001B[2K it" } },
    text: "The client refused sampling/createMessage: User rejected␛[2K it",
    because: "an error is reported, and its control characters are escaped",
  },
  {
    says: { error: null },
    text: "The client refused sampling/createMessage: no reason",
    because: "an error that says nothing is one",
  },
  {
    says: { result: { content: "Paris", model: "m" } },
    text: "The client's answer to sampling/createMessage is invalid.",
    because: "its content is a part",
  },
  {
    says: { result: { ...paris, model: 4 } },
    text: "The client's answer to sampling/createMessage is invalid.",
    because: "its model is a name",
  },
  {
    says: { result: null },
    text: "The client's answer to sampling/createMessage is invalid.",
    because: "null is not a result",
  },
])("an invalid answer is an error of the tool: $because", async ({ says, text }) => {
  const { wire, ended } = await asking("test_input_required_result_sampling");

  await answer(wire, { id: "ask-1", ...says });

  expect(await ended).toMatchObject({
    result: {
      isError: true,
      content: [{ text: `${text} Continue without the answer.` }],
      _meta: { "haft/outcome": { error: { code: "UNAVAILABLE" } } },
    },
  });
});

test.for([
  { result: { action: "accept", content: {} }, because: "a name is due" },
  { result: { action: "accept" }, because: "there is no content" },
  { result: { action: "yes", content: { name: "Ada" } }, because: "there is no such action" },
])("a form that does not fit is not taken: $because", async ({ result }) => {
  const { wire, ended } = await asking("test_input_required_result_elicitation");

  await answer(wire, { id: "ask-1", result });

  expect(await ended).toMatchObject({
    result: { isError: true, _meta: { "haft/outcome": { error: { code: "UNAVAILABLE" } } } },
  });
});

test.for(["decline", "cancel"])("a person who says %s is heard by the tool", async (action) => {
  const { wire, ended } = await asking("test_input_required_result_elicitation");

  await answer(wire, { id: "ask-1", result: { action, content: { name: "Ada" } } });

  expect(await ended).toMatchObject({ result: { content: [{ text: action }] } });
});

test.for([
  { capabilities: {}, because: "it has none" },
  { capabilities: { elicitation: true }, because: "a capability is an object" },
  { capabilities: { elicitation: { url: {} } }, because: "it opens pages, and shows no forms" },
])("a client that shows no forms is sent none: $because", async ({ capabilities }) => {
  const { wire, ended } = await asking("test_input_required_result_elicitation", { capabilities });

  expect(await ended).toMatchObject({
    result: {
      isError: true,
      content: [
        {
          text: "The client cannot be asked for input. Continue without it, or use a client that supports this.",
        },
      ],
    },
  });
  expect(wire.heard("elicitation/create")).toEqual([]);
});

test("a client that can show forms as well as pages gets a form", async () => {
  const capabilities = { elicitation: { form: {}, url: {} } };
  const { wire } = await asking("test_input_required_result_elicitation", { capabilities });

  expect(wire.heard("elicitation/create")).toHaveLength(1);
  await wire.connection.close();
});

test("a cancelled call takes its question back", async () => {
  const { wire, ended } = await asking("test_input_required_result_elicitation");

  await wire.tell("notifications/cancelled", { requestId: 2 });

  expect(await ended).toBeUndefined();
  expect(wire.heard("notifications/cancelled")).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "ask-1", reason: "The call ended before the client had answered." },
    },
  ]);
});

test("a client that does not answer is no longer waited for", async () => {
  const { wire, ended } = await asking("test_input_required_result_elicitation", {
    askTimeoutMs: 1,
  });

  expect(await ended).toMatchObject({
    result: { isError: true, _meta: { "haft/outcome": { error: { code: "TIMEOUT" } } } },
  });
  expect(wire.heard("notifications/cancelled")).toMatchObject([
    { params: { requestId: "ask-1", reason: "The client did not answer within 0.001 s." } },
  ]);
});

test("a client has sixteen questions open at most", async () => {
  const wire = await legacyWire(listToolkit(askingTools), "2025-11-25", {
    capabilities: everything,
  });
  const name = "test_input_required_result_elicitation";
  const calls = Array.from({ length: 17 }, () => wire.ask("tools/call", { name }));

  const ended = await Promise.race(calls);

  expect(ended).toMatchObject({
    result: { _meta: { "haft/outcome": { error: { code: "LIMIT_REACHED" } } } },
  });
  expect(wire.heard("elicitation/create")).toHaveLength(16);
  await wire.connection.close();
});
