import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  defineTool,
  type DefinitionByFormat,
  type DefinitionFormat,
  type Definitions,
  type Tool,
} from "../core/index.ts";
import { mapNames } from "../schema/index.ts";
import { definitionsOf } from "./definitions.ts";
import { registeredTool } from "./registered-tool.ts";
import { createRegistry } from "./registry.ts";
import { runs } from "../../test/support/law-runs.ts";

const formats: readonly DefinitionFormat[] = [
  "openai",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "mcp",
];
const run = (): { content: string } => ({ content: "" });

const input = {
  type: "object",
  properties: { path: { type: "string", description: "Where." } },
  required: ["path"],
  additionalProperties: false,
};

const tool = defineTool({
  name: "Look",
  displayName: "Look around",
  description: { short: "Look at a path.", important: ["Only look."] },
  icon: "data:image/svg+xml,x",
  touches: ["read"],
  input,
  output: { type: "object", properties: { seen: { type: "boolean" } } },
  run,
});

async function one<F extends DefinitionFormat>(
  definition: Tool,
  format: F,
): Promise<Definitions<DefinitionByFormat[F]>> {
  return await definitionsOf([registeredTool(definition, undefined)], {
    format,
    names: mapNames([definition.name], format),
  });
}

test("openai: the shape of Chat Completions", async () => {
  expect(await one(tool, "openai")).toMatchInlineSnapshot(`
    {
      "dropped": [],
      "renamed": [],
      "tools": [
        {
          "function": {
            "description": "Look at a path.

    Important:
    - Only look.",
            "name": "Look",
            "parameters": {
              "additionalProperties": false,
              "properties": {
                "path": {
                  "description": "Where.",
                  "type": "string",
                },
              },
              "required": [
                "path",
              ],
              "type": "object",
            },
          },
          "type": "function",
        },
      ],
    }
  `);
});

test("anthropic: the shape of Messages", async () => {
  expect(await one(tool, "anthropic")).toMatchInlineSnapshot(`
    {
      "dropped": [],
      "renamed": [],
      "tools": [
        {
          "description": "Look at a path.

    Important:
    - Only look.",
          "input_schema": {
            "additionalProperties": false,
            "properties": {
              "path": {
                "description": "Where.",
                "type": "string",
              },
            },
            "required": [
              "path",
            ],
            "type": "object",
          },
          "name": "Look",
        },
      ],
    }
  `);
});

test("gemini: a function declaration", async () => {
  expect(await one(tool, "gemini")).toMatchInlineSnapshot(`
    {
      "dropped": [],
      "renamed": [],
      "tools": [
        {
          "description": "Look at a path.

    Important:
    - Only look.",
          "name": "Look",
          "parametersJsonSchema": {
            "additionalProperties": false,
            "properties": {
              "path": {
                "description": "Where.",
                "type": "string",
              },
            },
            "required": [
              "path",
            ],
            "type": "object",
          },
        },
      ],
    }
  `);
});

test("mcp: an entry of tools/list, its hints derived from what the tool touches", async () => {
  expect(await one(tool, "mcp")).toMatchInlineSnapshot(`
    {
      "dropped": [],
      "renamed": [],
      "tools": [
        {
          "annotations": {
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
            "readOnlyHint": true,
            "title": "Look around",
          },
          "description": "Look at a path.

    Important:
    - Only look.",
          "icons": [
            {
              "src": "data:image/svg+xml,x",
            },
          ],
          "inputSchema": {
            "additionalProperties": false,
            "properties": {
              "path": {
                "description": "Where.",
                "type": "string",
              },
            },
            "required": [
              "path",
            ],
            "type": "object",
          },
          "name": "Look",
          "outputSchema": {
            "properties": {
              "seen": {
                "type": "boolean",
              },
            },
            "type": "object",
          },
          "title": "Look around",
        },
      ],
    }
  `);
});

test("a tool that touches anything else is no longer read-only for MCP", async () => {
  const shell = defineTool({
    name: "Do",
    description: "",
    touches: ["execute", "unknown"],
    input,
    run,
  });

  const { tools } = await one(shell, "mcp");

  expect(tools[0]).toMatchObject({
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  });
  expect(tools[0]).not.toHaveProperty("icons");
  expect(tools[0]).not.toHaveProperty("outputSchema");
});

test("an icon that is not an address and an output that is not an object are not sent to MCP", async () => {
  const odd = defineTool({
    name: "Odd",
    description: "",
    touches: [],
    icon: "star",
    input,
    output: { type: "string" },
    run,
  });

  const { tools, dropped } = await one(odd, "mcp");

  expect(tools[0]).not.toHaveProperty("icons");
  expect(tools[0]).not.toHaveProperty("outputSchema");
  expect(dropped).toEqual([{ tool: "Odd", path: "/output", keyword: "outputSchema" }]);
});

const optional = { ...input, required: [] };
const open = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const headers = { type: "object", additionalProperties: { type: "string" } };
const map = { ...input, properties: { path: input.properties.path, headers } };

test("a strict tool is strict where the provider can be, its schema in that dialect", async () => {
  for (const schema of [input, optional, open]) {
    const strict = defineTool({ ...tool, strict: true, input: schema });
    const [openai] = (await one(strict, "openai")).tools;
    const [anthropic] = (await one(strict, "anthropic")).tools;

    expect(openai).toMatchObject({
      function: { strict: true, parameters: { required: ["path"], additionalProperties: false } },
    });
    expect(anthropic).toMatchObject({
      strict: true,
      input_schema: { additionalProperties: false },
    });
    expect(JSON.stringify(await one(strict, "gemini"))).not.toContain("strict");
    expect(JSON.stringify(await one(strict, "mcp"))).not.toContain("strict");
  }
});

test("a tool is not strict unless it says so", async () => {
  expect(JSON.stringify(await one(tool, "openai"))).not.toContain("strict");
  expect(JSON.stringify(await one(tool, "anthropic"))).not.toContain("strict");
});

test.for(["openai", "anthropic"] as const)(
  "%s: where strict would keep the model from keys it may use, it is left off and said",
  async (format) => {
    const strict = defineTool({ ...tool, strict: true, input: map });

    const { tools, dropped } = await one(strict, format);

    expect(dropped).toEqual([{ tool: "Look", path: "/properties/headers", keyword: "strict" }]);
    expect(JSON.stringify(tools)).toContain('"additionalProperties":{"type":"string"}');
    expect(JSON.stringify(tools)).not.toContain('"strict"');
  },
);

function named(name: string): Tool {
  return defineTool({ name, description: "", touches: [], input, run });
}

test("a provider that refuses dots gets another name, and a call by it finds the tool", async () => {
  const registry = createRegistry();
  registry.registerAll([named("a.b"), named("c.d"), named("c_d")]);

  const { tools } = await registry.getDefinitions("anthropic");
  const names = tools.map((each) => each.name);

  expect(names).toEqual(["a_b", "c_d_052982f0", "c_d"]);
  expect(names.map((name) => registry.resolve(name)?.name)).toEqual(["a.b", "c.d", "c_d"]);
  const { tools: kept } = await registry.getDefinitions("mcp");
  expect(kept.map((each) => each["name"])).toEqual(["a.b", "c.d", "c_d"]);
});

test("a lazy tool that cannot be loaded is left out and named", async () => {
  const broken = registeredTool(
    defineTool({ name: "Broken", touches: [], init: () => Promise.reject(new Error("gone")) }),
    undefined,
  );

  expect(
    await definitionsOf([broken, registeredTool(tool, undefined)], {
      format: "openai",
      names: mapNames(["Broken", "Look"], "openai"),
    }),
  ).toMatchObject({
    tools: [{ function: { name: "Look" } }],
    dropped: [{ tool: "Broken", path: "", keyword: "unavailable" }],
  });
});

test("definitions cannot be altered by who holds them", async () => {
  const { tools } = await one(tool, "anthropic");
  const [definition] = tools;

  expect(() => Object.assign(definition ?? {}, { name: "Other" })).toThrow(TypeError);
  expect(Object.isFrozen(definition?.["input_schema"])).toBe(true);
});

const corpus = [
  "Read",
  "write",
  "Edit",
  "mcp__a__b",
  "a.b",
  "Zed",
  "Bash",
  "äh".replace("ä", "A"),
].map((name) => defineTool({ name, description: `Does ${name}.`, touches: ["read"], input, run }));

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex");

test.for(formats)(
  "%s: the block has the same bytes whatever the order and history of registration",
  async (format) => {
    const plain = createRegistry();
    plain.registerAll(corpus);
    const expected = hash(await plain.getDefinitions(format));

    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(corpus, { minLength: corpus.length }),
        fc.subarray(corpus),
        async (order, again) => {
          const registry = createRegistry();
          for (const each of order) registry.register(each);
          for (const each of again) {
            registry.unregister(each.name);
            registry.register(each);
          }
          expect(hash(await registry.getDefinitions(format))).toBe(expected);
        },
      ),
      { numRuns: runs(25) },
    );
  },
);
