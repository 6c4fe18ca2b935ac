import { describe, expect, test } from "vitest";
import {
  defineTool,
  toResult,
  type ContentPart,
  type Tool,
  type ToolResult,
} from "../../src/index.ts";
import { testKit } from "../support/kit.ts";

const formats = ["anthropic", "openai-chat", "openai-responses", "gemini", "mcp"] as const;

function answers(name: string, result: ToolResult): Tool {
  return defineTool({
    name,
    description: "Answer.",
    touches: [],
    input: { type: "object", properties: {} },
    run: () => result,
  });
}

const parts: readonly ContentPart[] = [
  { type: "text", text: "a picture" },
  { type: "text", text: "" },
  { type: "image", data: "aW1n", mimeType: "image/png" },
  { type: "image", data: "aW1n", mimeType: "image/tiff" },
  {
    type: "resource",
    resource: { uri: "file:///a.pdf", mimeType: "application/pdf", blob: "cGRm" },
  },
  { type: "resource", resource: { uri: "file:///a.txt", text: "inside" } },
];

describe("the result of a call", () => {
  test.each([
    [
      "anthropic",
      {
        type: "tool_result",
        tool_use_id: "c1",
        content: [{ type: "text", text: "42" }],
        is_error: false,
      },
    ],
    ["openai-chat", { role: "tool", tool_call_id: "c1", content: "42" }],
    ["openai", { role: "tool", tool_call_id: "c1", content: "42" }],
    ["openai-responses", { type: "function_call_output", call_id: "c1", output: "42" }],
    ["gemini", { functionResponse: { id: "c1", name: "Say", response: { output: "42" } } }],
    ["mcp", { content: [{ type: "text", text: "42" }], isError: false }],
  ] as const)("in the format %s is what the provider expects", async (format, expected) => {
    const { kit } = await testKit({ tools: { extra: [answers("Say", { content: "42" })] } });

    const outcome = await kit.call({ id: "c1", name: "Say" });

    expect(toResult(outcome, format)).toEqual(expected);
  });

  test("of a refused call says why, as an error", async () => {
    const { kit } = await testKit({ rules: { deny: ["Bash"] } });

    const outcome = await kit.call({ id: "c1", name: "Bash", input: { command: "ls" } });

    expect(outcome.status).toBe("denied");
    expect(toResult(outcome, "anthropic")).toMatchObject({ is_error: true });
    expect(toResult(outcome, "mcp").isError).toBe(true);
    expect(toResult(outcome, "gemini").functionResponse.response).toHaveProperty("error");
    for (const format of formats) {
      expect(JSON.stringify(toResult(outcome, format))).toContain("does not let Bash be used");
    }
  });

  test("with media is given as each provider takes them, and named where it takes none", async () => {
    const { kit } = await testKit({ tools: { extra: [answers("Show", { content: parts })] } });

    const outcome = await kit.call({ id: "c1", name: "Show" });

    expect(toResult(outcome, "anthropic").content).toEqual([
      { type: "text", text: "a picture" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1n" } },
      { type: "text", text: "[image image/tiff]" },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "cGRm" },
      },
      { type: "text", text: "inside" },
    ]);
    expect(toResult(outcome, "openai-chat").content).toBe(
      "a picture\n\n[image image/png]\n[image image/tiff]\n[resource file:///a.pdf]\ninside",
    );
    expect(toResult(outcome, "openai-responses").output).toContainEqual({
      type: "input_image",
      image_url: "data:image/png;base64,aW1n",
      detail: "auto",
    });
    expect(toResult(outcome, "gemini").functionResponse.parts).toEqual([
      { inlineData: { mimeType: "image/png", data: "aW1n" } },
      { inlineData: { mimeType: "application/pdf", data: "cGRm" } },
    ]);
    expect(toResult(outcome, "mcp").content).toHaveLength(parts.length);
  });

  test("has structured content for MCP only where it says what the text says", async () => {
    const structured = { content: '{"n":1}', structuredContent: { n: 1 } };
    const tools = [answers("Count", structured), answers("Many", { ...structured, isError: true })];
    const { kit } = await testKit({ tools: { extra: tools } });

    const outcome = await kit.call({ name: "Count" });

    expect(toResult(outcome, "mcp").structuredContent).toEqual({ n: 1 });
    expect(toResult(await kit.call({ name: "Many" }), "mcp")).not.toHaveProperty(
      "structuredContent",
    );
  });

  test("in an unknown format is a TypeError that names those there are", async () => {
    const { kit } = await testKit({ tools: { extra: [answers("Say", { content: "42" })] } });
    const outcome = await kit.call({ name: "Say" });

    expect(() => toResult(outcome, JSON.parse('"xml"'))).toThrow(
      new TypeError(
        "The format must be one of anthropic, openai, openai-chat, openai-responses, gemini, mcp.",
      ),
    );
  });
});

test("a call with the names of a definition reaches the tool with its own names", async () => {
  const tool = defineTool({
    name: "files.read",
    description: "Answer.",
    touches: [],
    input: {
      type: "object",
      properties: { "max-lines": { type: "integer" } },
      required: ["max-lines"],
      additionalProperties: false,
    },
    run: (input) => ({ content: JSON.stringify(input) }),
  });
  const { kit } = await testKit({ tools: { include: ["files.read"], extra: [tool] } });

  const { tools, renamed } = await kit.definitions("openai-responses");
  const gemini = await kit.definitions("gemini");
  const outcome = await kit.call({ name: "files_read", input: { max_lines: 3 } });

  expect(tools.map(({ name, strict }) => ({ name, strict }))).toEqual([
    { name: "files_read", strict: false },
  ]);
  expect(renamed).toEqual([{ tool: "files.read", path: "", name: "files_read" }]);
  expect(gemini.renamed).toEqual([
    { tool: "files.read", path: "/properties/max-lines", name: "max_lines" },
  ]);
  expect(outcome.text).toContain('{"max-lines":3}');
});
