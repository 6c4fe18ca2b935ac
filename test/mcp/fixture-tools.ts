import { setTimeout as delay } from "node:timers/promises";
import { askingTools } from "./asking-tools.ts";
import { defineTool, ToolError, type ContentPart, type Tool } from "../../src/core/index.ts";

const noInput = { type: "object", properties: {}, additionalProperties: false } as const;

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/** A WAV header without samples. */
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export interface FixtureOptions {
  /** Runs when a call asks the fixture to change which tools it offers. */
  changeTools(tool: Tool): void;
  /** Between the steps of a tool that takes several. */
  readonly pauseMs: number;
}

/** The tools that the conformance suite and our own tests call, each under the name the suite asks for. */
export function fixtureTools(options: FixtureOptions): readonly Tool[] {
  const { pauseMs } = options;
  return [
    answering("test_simple_text", "Returns one text.", () => [text("A simple text.")]),
    answering("test_image_content", "Returns an image.", () => [image]),
    answering("test_audio_content", "Returns a sound.", () => [
      { type: "audio", data: wav, mimeType: "audio/wav" },
    ]),
    answering("test_embedded_resource", "Returns an embedded resource.", () => [
      resource("test://embedded-resource", "text/plain", "An embedded resource."),
    ]),
    answering("test_multiple_content_types", "Returns text, an image and a resource.", () => [
      text("Three kinds of content:"),
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]),
    answering("test_error_handling", "Always fails.", () => {
      throw new ToolError("TOOL_FAILED", "This tool fails on purpose.", {
        hint: "Nothing can be done about it.",
      });
    }),
    printing(pauseMs),
    counting(pauseMs),
    structured,
    echo,
    answering("test_logging_tool", "Logs nothing unless asked.", () => [text("Done.")]),
    ...askingTools,
    defineTool({
      name: "test_header_parameter",
      description: "Has a parameter that a header repeats.",
      touches: [],
      input: {
        type: "object",
        properties: { region: { type: "string", "x-mcp-header": "Region" } },
        additionalProperties: false,
      },
      run: (input) => ({ content: JSON.stringify(input) }),
    }),
    answering("test_trigger_tool_change", "Changes which tools are offered.", () => {
      options.changeTools(
        answering("test_changing_tool", "Comes and goes.", () => [text("Here.")]),
      );
      return [text("Changed.")];
    }),
    defineTool({
      name: "json_schema_2020_12_tool",
      description: "Has a schema of the newest dialect.",
      touches: [],
      input: dialectSchema,
      run: (input) => ({ content: JSON.stringify(input) }),
    }),
    defineTool({
      name: "test_wait",
      description: "Waits until it is aborted.",
      touches: [],
      input: noInput,
      run: async (_input, context) => {
        const { signal } = context;
        context.progress({ message: "waiting" });
        await new Promise((resolve, reject) => {
          if (signal.aborted) reject(new Error("aborted"));
          signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
        });
        return { content: "never" };
      },
    }),
  ];
}

const printing = (pauseMs: number): Tool =>
  defineTool({
    name: "test_tool_with_logging",
    description: "Prints three lines while it runs.",
    touches: [],
    input: noInput,
    run: async (_input, { output }) => {
      output.write("Tool execution started");
      await delay(pauseMs);
      output.write("Tool processing data");
      await delay(pauseMs);
      output.write("Tool execution completed");
      return { content: "Printed three lines." };
    },
  });

const counting = (pauseMs: number): Tool =>
  defineTool({
    name: "test_tool_with_progress",
    description: "Reports progress at 0, 50 and 100 of 100.",
    touches: [],
    input: noInput,
    run: async (_input, context) => {
      for (const done of [0, 50, 100]) {
        context.progress({ done, total: 100 });
        await delay(pauseMs);
      }
      return { content: "Counted to 100." };
    },
  });

const structured = defineTool({
  name: "test_structured",
  displayName: "Add two numbers",
  description: "Adds two numbers and says so in both forms.",
  touches: [],
  input: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  output: {
    type: "object",
    properties: { sum: { type: "number" } },
    required: ["sum"],
  },
  run: ({ a, b }) => {
    const sum = { sum: Number(a) + Number(b) };
    return { content: JSON.stringify(sum), structuredContent: sum };
  },
});

const echo = defineTool({
  name: "test_echo",
  description: "Returns what it is given.",
  touches: [],
  input: { type: "object" },
  run: (input) => ({ content: JSON.stringify(input) }),
});

const dialectSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
} as const;

const image: ContentPart = { type: "image", data: png, mimeType: "image/png" };

function answering(name: string, description: string, content: () => readonly ContentPart[]): Tool {
  return defineTool({
    name,
    description,
    touches: [],
    input: noInput,
    run: () => ({ content: content() }),
  });
}

function text(said: string): ContentPart {
  return { type: "text", text: said };
}

function resource(uri: string, mimeType: string, said: string): ContentPart {
  return { type: "resource", resource: { uri, mimeType, text: said } };
}
