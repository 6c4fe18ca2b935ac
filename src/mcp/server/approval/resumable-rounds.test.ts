import { isRecord } from "../../../text/index.ts";
import { expect, test } from "vitest";
import { askingTools } from "../../../../test/mcp/asking-tools.ts";
import { listToolkit } from "../../../../test/mcp/list-toolkit.ts";
import { wireTo, type Wire } from "../../../../test/mcp/wire.ts";
import { Rounds } from "./resumable-rounds.ts";
import { createSeals } from "./sealed-state.ts";
import { metaKeys } from "../protocol/versions.ts";

const everything = { elicitation: {}, sampling: {}, roots: {} };

function newWire(): Wire {
  return wireTo(listToolkit(askingTools));
}

interface Round {
  readonly name: string;
  readonly arguments?: object;
  readonly inputResponses?: unknown;
  readonly requestState?: unknown;
}

/** Result of one round, or its error. */
async function round(
  wire: Wire,
  params: Round,
  capabilities: object = everything,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await wire.askModern("tools/call", {
    ...params,
    _meta: { [metaKeys.clientCapabilities]: capabilities },
  });
  if (!isRecord(answer)) throw new Error("There was no answer.");
  const said = answer["result"] ?? answer["error"];
  return isRecord(said) ? said : {};
}

const elicitation = "test_input_required_result_elicitation";
const ada = { action: "accept", content: { name: "Ada" } };
const greeting = {
  role: "assistant",
  content: { type: "text", text: "Hello!" },
  model: "m",
};

test("a call that has to know something ends with the question and a state, and no request is sent", async () => {
  const wire = newWire();

  expect(await round(wire, { name: elicitation })).toEqual({
    resultType: "input_required",
    inputRequests: {
      user_name: {
        method: "elicitation/create",
        params: {
          message: "What is your name?",
          requestedSchema: {
            type: "object",
            properties: { name: { type: "string" } },
            required: ["name"],
          },
        },
      },
    },
    requestState: expect.any(String),
    _meta: expect.anything(),
  });
  expect(wire.heard("elicitation/create")).toEqual([]);
});

test("the call made again with the answer goes through, whatever else comes along", async () => {
  const wire = newWire();
  const { requestState } = await round(wire, { name: elicitation });

  const inputResponses = { user_name: ada, other: ada };

  expect(await round(wire, { name: elicitation, inputResponses, requestState })).toMatchObject({
    resultType: "complete",
    content: [{ text: "Hello, Ada!" }],
  });
});

test("what is asked at once is one round, each answer where it belongs", async () => {
  const wire = newWire();
  const name = "test_input_required_result_multiple_inputs";
  const { inputRequests, requestState } = await round(wire, { name });

  expect(Object.keys(isRecord(inputRequests) ? inputRequests : {})).toEqual([
    "user_name",
    "greeting",
    "client_roots",
  ]);
  const inputResponses = {
    user_name: { action: "decline" },
    greeting,
    client_roots: { roots: [{ uri: "file:///a" }] },
  };
  expect(await round(wire, { name, inputResponses, requestState })).toMatchObject({
    content: [{ text: 'Hello! {"action":"decline"} 1' }],
  });
});

test("an answer given in one round still holds in the next", async () => {
  const wire = newWire();
  const name = "test_input_required_result_multi_round";
  const first = await round(wire, { name });
  const second = await round(wire, {
    name,
    inputResponses: { step1: ada },
    requestState: first["requestState"],
  });

  expect(second).toMatchObject({ inputRequests: { step2: { method: "elicitation/create" } } });
  const inputResponses = {
    step1: { action: "cancel" },
    step2: { action: "accept", content: { color: "blue" } },
  };
  const third = await round(wire, {
    name,
    inputResponses,
    requestState: second["requestState"],
  });

  expect(third).toMatchObject({
    content: [{ text: JSON.stringify([ada, inputResponses.step2]) }],
  });
});

test("what was left unanswered is asked again", async () => {
  const wire = newWire();
  const { requestState } = await round(wire, { name: elicitation });

  for (const inputResponses of [{}, { wrong: ada }]) {
    expect(await round(wire, { name: elicitation, inputResponses })).toMatchObject({
      resultType: "input_required",
    });
  }
  expect(await round(wire, { name: elicitation, requestState })).toMatchObject({
    resultType: "input_required",
  });
});

test("a state counts once, for the call it was given to, and only as it was given", async () => {
  const wire = newWire();
  const inputResponses = { user_name: ada };
  const fresh = async (): Promise<string> =>
    String((await round(wire, { name: elicitation }))["requestState"]);
  const used = await fresh();
  await round(wire, { name: elicitation, inputResponses, requestState: used });
  const elsewhere = (await round(newWire(), { name: elicitation }))["requestState"];

  const refused = [
    { name: elicitation, requestState: used, because: "it was used" },
    { name: elicitation, requestState: `${await fresh()}x`, because: "it was changed" },
    { name: elicitation, requestState: elsewhere, because: "another process sealed it" },
    { name: elicitation, requestState: 7, because: "it is not a text" },
    { name: elicitation, requestState: "", because: "it is empty" },
    { name: elicitation, arguments: { a: 1 }, requestState: await fresh(), because: "other input" },
    { name: "test_streaming_elicitation", requestState: await fresh(), because: "another tool" },
  ];
  for (const { because, ...params } of refused) {
    expect({ because, ...(await round(wire, { ...params, inputResponses })) }).toMatchObject({
      because,
      code: -32_602,
      message: expect.stringContaining("The requestState is not valid for this call"),
    });
  }
});

test.for([
  { inputResponses: null, because: "null is not an object" },
  { inputResponses: [ada], because: "a list is not an object" },
  { inputResponses: { user_name: 12 }, because: "a number is not a response" },
])("invalid responses are an error of the protocol: $because", async ({ inputResponses }) => {
  expect(await round(newWire(), { name: elicitation, inputResponses })).toMatchObject({
    code: -32_602,
  });
});

test("a client is asked only for what it can do", async () => {
  const name = "test_input_required_result_capabilities";

  expect(await round(newWire(), { name }, { sampling: {} })).toMatchObject({
    inputRequests: { greeting: { method: "sampling/createMessage" } },
  });
  expect(await round(newWire(), { name }, {})).toMatchObject({ resultType: "complete" });
});

test("a call that cannot do without a capability names it", async () => {
  expect(await round(newWire(), { name: "test_missing_capability" }, {})).toEqual({
    code: -32_021,
    message: "The client cannot be asked for an answer of its model.",
    data: { requiredCapabilities: { sampling: {} } },
  });
});

test("after sixteen rounds there are no more", async () => {
  const wire = newWire();
  let requestState: unknown;
  for (let count = 0; count < 16; count += 1) {
    ({ requestState } = await round(wire, {
      name: elicitation,
      ...(requestState === undefined ? {} : { requestState }),
    }));
  }

  expect(await round(wire, { name: elicitation, requestState })).toMatchObject({
    isError: true,
    _meta: { "haft/outcome": { error: { code: "LIMIT_REACHED" } } },
  });
});

test("answers too long to be carried are refused", async () => {
  const wire = newWire();
  const name = "test_input_required_result_multi_round";
  const { requestState } = await round(wire, { name });
  const step1 = { action: "accept", content: { name: "x".repeat(300_000) } };

  expect(await round(wire, { name, inputResponses: { step1 }, requestState })).toMatchObject({
    code: -32_602,
  });
});

test("an answer counts for the same question, in whatever order its parts come, and for no other", async () => {
  const seals = createSeals();
  const question = {
    key: "q",
    method: "elicitation/create",
    params: { message: "a", more: { x: 1, y: [1] } },
    binding: { tool: "T", input: { a: 1, b: 2 } },
  } as const;
  const response = { action: "accept" };
  const call = { name: "T", arguments: { a: 1, b: 2 } };
  const carried = async () => {
    const first = new Rounds(call, seals);
    await expect(first.ask(question)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    return { inputResponses: { q: response }, requestState: first.required()?.["requestState"] };
  };
  const turned = {
    binding: { input: { b: 2, a: 1 }, tool: "T" },
    params: { more: { y: [1], x: 1 }, message: "a" },
    method: "elicitation/create",
    key: "q",
  } as const;

  const again = new Rounds({ arguments: { b: 2, a: 1 }, name: "T", ...(await carried()) }, seals);
  expect(await again.ask(question)).toEqual(response);
  expect(await again.ask(turned)).toEqual(response);

  for (const other of [
    { ...question, key: "p" },
    { ...question, params: { ...question.params, message: "b" } },
    { ...question, binding: { ...question.binding, tool: "U" } },
    { ...question, binding: { ...question.binding, input: { a: 2, b: 1 } } },
    { ...question, binding: undefined },
    { ...question, method: "sampling/createMessage" as const },
  ]) {
    const answered = new Rounds({ ...call, ...(await carried()) }, seals);
    await expect(answered.ask(other)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  }
});

test("an answer that no state asked for does not answer a question that is bound", async () => {
  const unasked = { name: "T", inputResponses: { q: { action: "accept" } } };
  const free = { key: "q", method: "elicitation/create", params: {}, binding: undefined } as const;
  const rounds = new Rounds(unasked, createSeals());

  expect(await rounds.ask(free)).toEqual({ action: "accept" });
  await expect(rounds.ask({ ...free, binding: { tool: "T" } })).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});
