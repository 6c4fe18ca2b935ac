import { setTimeout as delay } from "node:timers/promises";
import { client, defineTool, ToolError, type JsonSchema, type Tool } from "../../src/core/index.ts";

/** Longer than the time in which a server answers a call without a task. */
const workMs = 700;

/** Whether calls of the tools may or must be tasks. */
export const taskSupport = {
  slow_compute: "optional",
  protocol_error_job: "optional",
  confirm_delete: "optional",
  multi_input: "optional",
  failing_job: "required",
  test_tool_with_task: "required",
} as const;

const inputOf = (...names: readonly string[]): JsonSchema => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, {}])),
});

const confirmation: JsonSchema = {
  type: "object",
  properties: { confirm: { type: "boolean" } },
  required: ["confirm"],
};

/** The tools whose calls are tasks, each under the name that the conformance suite asks for. */
export const taskTools: readonly Tool[] = [
  defineTool({
    name: "greet",
    description: "Greets at once.",
    touches: [],
    input: inputOf("name"),
    run: ({ name }) => ({ content: `Hello, ${String(name)}!` }),
  }),
  defineTool({
    name: "slow_compute",
    description: "Computes for some seconds.",
    touches: [],
    input: inputOf("seconds", "label"),
    run: async ({ seconds, label }, { signal }) => {
      await delay(Number(seconds) * 1000, undefined, { signal });
      return { content: `Computed ${String(label)}.` };
    },
  }),
  defineTool({
    name: "failing_job",
    description: "Works, then fails.",
    touches: [],
    input: inputOf(),
    run: async (_input, { signal }) => {
      await delay(workMs, undefined, { signal });
      throw new ToolError("TOOL_FAILED", "The job failed.", { hint: "Nothing helps." });
    },
  }),
  defineTool({
    name: "protocol_error_job",
    description: "Works, then needs what its client cannot do.",
    touches: [],
    input: inputOf(),
    run: async (_input, context) => {
      await delay(workMs, undefined, { signal: context.signal });
      return { content: JSON.stringify(await context.service(client).listRoots()) };
    },
  }),
  defineTool({
    name: "confirm_delete",
    description: "Looks at a file, then asks whether to delete it.",
    touches: [],
    input: inputOf("filename"),
    run: async ({ filename }, context) => {
      await delay(workMs, undefined, { signal: context.signal });
      const message = `Delete ${String(filename)}?`;
      const answer = await context.service(client).elicit({ message, schema: confirmation });
      return { content: answer.action };
    },
  }),
  defineTool({
    name: "multi_input",
    description: "Works, then asks two questions at once.",
    touches: [],
    input: inputOf(),
    run: async (_input, context) => {
      await delay(workMs, undefined, { signal: context.signal });
      const port = context.service(client);
      const answers = await Promise.all(
        ["first", "second"].map(
          async (name) =>
            await port.elicit({ name, message: `The ${name}?`, schema: confirmation }),
        ),
      );
      return { content: answers.map(({ action }) => action).join(" ") };
    },
  }),
  defineTool({
    name: "test_tool_with_task",
    description: "Asks for a name, then works.",
    touches: [],
    input: inputOf(),
    run: async (_input, context) => {
      const answer = await context.service(client).elicit({
        name: "user_name",
        message: "What is your name?",
        schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      });
      await delay(workMs, undefined, { signal: context.signal });
      return { content: JSON.stringify(answer) };
    },
  }),
];
