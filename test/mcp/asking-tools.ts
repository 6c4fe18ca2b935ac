import { setTimeout as delay } from "node:timers/promises";
import {
  client,
  defineTool,
  type ElicitationPort,
  type JsonSchema,
  type Tool,
} from "../../src/core/index.ts";

/** The tools that ask their client something, each under the name the conformance suite asks for. */
export const askingTools: readonly Tool[] = [
  asking("test_sampling", text("prompt"), async (port, { prompt }) => {
    const answer = await port.sample(question(String(prompt), 100));
    return `LLM response: ${answer.text}`;
  }),
  asking("test_elicitation", text("message"), async (port, { message }) => {
    const schema = form({
      username: { type: "string", description: "User's response" },
      email: { type: "string", description: "User's email address" },
    });
    return `User response: ${JSON.stringify(await port.elicit({ message: String(message), schema }))}`;
  }),
  asking("test_elicitation_sep1034_defaults", noInput(), async (port) => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
      },
    };
    return completed(await port.elicit({ message: "Review the defaults.", schema }));
  }),
  asking("test_elicitation_sep1330_enums", noInput(), async (port) =>
    completed(await port.elicit({ message: "Choose.", schema: enumForm })),
  ),
  asking("test_input_required_result_elicitation", noInput(), async (port) => {
    const answer = await port.elicit(nameForm("user_name"));
    return answer.action === "accept" ? `Hello, ${String(answer.content["name"])}!` : answer.action;
  }),
  asking("test_input_required_result_sampling", noInput(), async (port) => {
    const asked = { name: "capital_question", ...question("What is the capital of France?", 100) };
    return (await port.sample(asked)).text;
  }),
  asking("test_input_required_result_list_roots", noInput(), async (port) => {
    const roots = await port.listRoots({ name: "client_roots" });
    return roots.map(({ uri }) => uri).join("\n");
  }),
  asking("test_input_required_result_request_state", noInput(), async (port) => {
    const { action } = await port.elicit(confirmForm);
    return `state-ok ${action}`;
  }),
  asking("test_input_required_result_tampered_state", noInput(), async (port) => {
    const { action } = await port.elicit(confirmForm);
    return action;
  }),
  asking("test_input_required_result_multiple_inputs", noInput(), async (port) => {
    const [who, greeting, roots] = await Promise.all([
      port.elicit(nameForm("user_name")),
      port.sample({ name: "greeting", ...question("Generate a greeting", 50) }),
      port.listRoots({ name: "client_roots" }),
    ]);
    return `${greeting.text} ${JSON.stringify(who)} ${roots.length}`;
  }),
  asking("test_input_required_result_multi_round", noInput(), async (port) => {
    const who = await port.elicit({ ...nameForm("step1"), message: "Step 1: What is your name?" });
    const colour = await port.elicit({
      name: "step2",
      message: "Step 2: What is your favorite color?",
      schema: form({ color: { type: "string" } }),
    });
    return JSON.stringify([who, colour]);
  }),
  asking("test_input_required_result_capabilities", noInput(), async (port) => {
    const answers = await Promise.all([
      port.canElicit ? port.elicit(nameForm("user_name")) : undefined,
      port.canSample ? port.sample({ name: "greeting", ...question("Say hello", 50) }) : undefined,
    ]);
    return JSON.stringify(answers);
  }),
  asking("test_missing_capability", noInput(), async (port) =>
    JSON.stringify(await port.sample(question("Needs a model.", 10))),
  ),
  asking("test_streaming_elicitation", noInput(), async (port, _input, progress) => {
    progress();
    await delay(1);
    return completed(await port.elicit(nameForm("user_name")));
  }),
];

const confirmForm = {
  name: "confirm",
  message: "Please confirm",
  schema: form({ ok: { type: "boolean" } }),
};

const titled = (word: string): object[] =>
  ["First", "Second", "Third"].map((ordinal, index) => ({
    const: `value${index + 1}`,
    title: `${ordinal} ${word}`,
  }));

const enumForm = {
  type: "object",
  properties: {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled("Option") },
    legacyEnum: {
      type: "string",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"],
    },
    untitledMulti: {
      type: "array",
      items: { type: "string", enum: ["option1", "option2", "option3"] },
    },
    titledMulti: { type: "array", items: { anyOf: titled("Choice") } },
  },
};

function nameForm(name: string) {
  return { name, message: "What is your name?", schema: form({ name: { type: "string" } }) };
}

function form(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

function text(name: string): JsonSchema {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

function noInput(): JsonSchema {
  return { type: "object", properties: {}, additionalProperties: false };
}

function question(prompt: string, maxTokens: number) {
  const content = { type: "text", text: prompt } as const;
  return { messages: [{ role: "user", content }], maxTokens } as const;
}

function completed(answer: Awaited<ReturnType<ElicitationPort["elicit"]>>): string {
  const content = answer.action === "accept" ? JSON.stringify(answer.content) : "{}";
  return `Elicitation completed: action=${answer.action}, content=${content}`;
}

function asking(
  name: string,
  input: JsonSchema,
  run: (
    port: ElicitationPort,
    input: Readonly<Record<string, unknown>>,
    progress: () => void,
  ) => Promise<string>,
): Tool {
  return defineTool({
    name,
    description: "Asks its client something.",
    touches: [],
    input,
    run: async (given, context) => ({
      content: await run(context.service(client), given, () => context.progress({ message: "…" })),
    }),
  });
}
