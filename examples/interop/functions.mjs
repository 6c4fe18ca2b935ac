import { createToolkit } from "haft";
import { fromCreateTool, fromFunction, fromToolDefine } from "haft/interop";
import { z } from "zod";

const numbers = z.object({ a: z.number(), b: z.number() });

const extra = [
  // It touches nothing outside its input, so no call of it asks.
  fromFunction("Add", ({ a, b }) => a + b, {
    description: "Add two numbers.",
    input: numbers,
    touches: [],
  }),
  fromToolDefine("multiply", {
    description: "Multiply two numbers.",
    parameters: numbers,
    execute: async ({ a, b }) => ({ title: "Multiplied", output: `${a * b}`, metadata: { a, b } }),
  }),
  fromCreateTool({
    name: "Divide",
    kind: "readonly",
    description: { short: "Divide two numbers." },
    schema: numbers,
    execute: async ({ a, b }) =>
      b === 0
        ? { success: false, error: { type: "math", message: "Division by zero" } }
        : { success: true, llmContent: a / b, displayContent: `${a} divided by ${b}` },
  }),
];

const kit = await createToolkit({ tools: { extra }, rules: { allow: ["Divide"] } });
const calls = ["Add", "multiply", "Divide"].map((name) => ({ name, input: { a: 6, b: 3 } }));
for (const { tool, status, text, error } of await kit.callAll(calls)) {
  console.log(`${tool}: ${status}, ${error?.code ?? text.split("\n")[0]}`);
}
await kit.dispose();
