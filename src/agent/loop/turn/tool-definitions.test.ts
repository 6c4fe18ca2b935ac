import { expect, test } from "vitest";
import { fakeToolkit } from "../../../../test/fakes/fake-toolkit.ts";
import { definitionSource } from "./tool-definitions.ts";

const schema = { type: "object", properties: { a: { type: "string" } } };
const neutral = { name: "T", description: "does it", inputSchema: schema };

test.each([
  { name: "mcp", tool: { name: "T", description: "does it", inputSchema: schema } },
  { name: "anthropic", tool: { name: "T", description: "does it", input_schema: schema } },
  {
    name: "openai, flat",
    tool: { type: "function", name: "T", description: "does it", parameters: schema },
  },
  {
    name: "openai, nested",
    tool: { type: "function", function: { name: "T", description: "does it", parameters: schema } },
  },
  { name: "gemini", tool: { name: "T", description: "does it", parametersJsonSchema: schema } },
])("a definition in the shape of $name is read", async ({ tool }) => {
  const toolkit = {
    ...fakeToolkit(),
    definitions: async () => ({ tools: [tool], dropped: [], renamed: [] }),
  };

  expect(await definitionSource(toolkit, { dialect: "mcp" }).current()).toEqual([neutral]);
});

test("strict is handed on, what has no name is left out, what has no schema takes anything", async () => {
  const tools = [
    { ...neutral, strict: true },
    { description: "nameless" },
    { name: "U", strict: false },
  ];
  const toolkit = {
    ...fakeToolkit(),
    definitions: async () => ({ tools, dropped: [], renamed: [] }),
  };

  expect(await definitionSource(toolkit, { dialect: "mcp" }).current()).toEqual([
    { ...neutral, strict: true },
    { name: "U", description: "", inputSchema: { type: "object" } },
  ]);
});
