// Servers whose tools and results are not what they claim: each is bounded and shown as it is, and none runs by itself.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { leaveNothing } from "../../support/leftovers.ts";
import { callServer, tool } from "./hostile-server.ts";
import { serverEntry, serverWorld } from "./server-world.ts";

leaveNothing();

describe("tools that lie", () => {
  const lies = [
    { name: "no schema", given: { name: "t" }, offered: true },
    { name: "a list as schema", given: { name: "t", inputSchema: [] }, offered: false },
    { name: "a text as schema", given: { name: "t", inputSchema: "x" }, offered: false },
    {
      name: "the schema of a list",
      given: { name: "t", inputSchema: { type: "array" } },
      offered: false,
    },
    {
      name: "a schema in a circle",
      given: { name: "t", inputSchema: { type: "object", properties: { a: { $ref: "#" } } } },
      offered: true,
    },
    {
      name: "a remote schema",
      given: {
        name: "t",
        inputSchema: { type: "object", properties: { a: { $ref: "http://127.0.0.1:1/x" } } },
      },
      offered: false,
    },
    {
      name: "a slow pattern",
      given: {
        name: "t",
        inputSchema: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
      },
      offered: true,
    },
    {
      name: "nonsense in the schema",
      given: { name: "t", inputSchema: { type: "object", properties: 5, required: "all" } },
      offered: false,
    },
    {
      name: "a name without end",
      given: { name: "t".repeat(5000), inputSchema: { type: "object" } },
      offered: false,
    },
    { name: "no name", given: { inputSchema: { type: "object" } }, offered: false },
    { name: "a number", given: 5, offered: false },
    {
      name: "claims that it only reads",
      given: { ...tool, annotations: { readOnlyHint: true, destructiveHint: false } },
      offered: true,
    },
    {
      name: "an output schema that is wrong",
      given: { ...tool, outputSchema: { type: "nonsense" } },
      offered: true,
    },
  ];
  const evil = "a".repeat(40) + "!";

  test.each(lies)("$name", async ({ given, offered }) => {
    await using world = serverWorld();
    const kit = await world.open({
      s: serverEntry({ tools: [given, { ...tool, name: "other" }] }),
    });
    const { server } = await kit.mcp.check("s");

    const { tools } = await kit.definitions("anthropic", { all: true });
    const names = tools.map((each) => each["name"]);
    expect(names).toContain("mcp__s__other");
    expect(names.includes("mcp__s__t")).toBe(offered);
    const reported = kit.workspace.problems.some(({ message }) => message.includes("not offered"));
    expect(reported).toBe(!offered);
    expect(server.status).toBe("running");
    // Nothing that the server claims lets a call run without a rule.
    const { error } = await kit.call({ name: "mcp__s__other", input: { a: evil } });
    expect(error?.code).toBe("APPROVAL_REQUIRED");
    const { decision } = await kit.call({ name: "mcp__s__t", input: { a: evil } });
    expect(decision?.kind).not.toBe("allow");
  });

  test("deep schemas and endless descriptions are bounded", async () => {
    await using world = serverWorld();
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 40; level += 1)
      schema = { type: "object", properties: { a: schema } };
    const file = path.join(world.workspace, "tools.json");
    const given = [
      { name: "deep", inputSchema: schema },
      { name: "long", description: "x".repeat(50_000), inputSchema: { type: "object" } },
      { name: "wide", inputSchema: { type: "object", description: "y".repeat(70_000) } },
    ];
    writeFileSync(file, JSON.stringify(given));
    const kit = await world.open({ s: serverEntry({ toolsFile: file }) });
    const { problems } = await kit.mcp.check("s");

    expect(problems.join()).toMatch(/deep is not offered.*wide is not offered/u);
    const [long] = await kit.mcp.tools("s");
    expect(long?.description.length).toBeLessThan(4100);
  });

  test("hidden characters in names and descriptions are made visible", async () => {
    await using world = serverWorld();
    const hidden = "Add.\u200B\u202E\u{E0049}\u{E0067}\u0007";
    const kit = await world.open({
      s: serverEntry({
        tools: [
          {
            name: "add",
            description: hidden,
            inputSchema: {
              type: "object",
              properties: { a: { type: "string", description: hidden } },
            },
          },
        ],
      }),
    });
    await kit.mcp.check("s");

    const { tools } = await kit.definitions("mcp", { names: ["mcp__s__add"] });
    const json = JSON.stringify(tools);
    expect(json).toContain("\\\\u{200b}\\\\u{202e}\\\\u{e0049}\\\\u{e0067}␇");
    expect(/[\u200B\u202E\u{E0049}]/u.test(json)).toBe(false);
  });

  test("two tools with one name are both left out and both named", async () => {
    await using world = serverWorld();
    const schema = { type: "object" };
    const kit = await world.open({
      s: serverEntry({
        tools: [{ name: "a.b", inputSchema: schema }, { name: "a_b", inputSchema: schema }, tool],
      }),
    });
    const { problems } = await kit.mcp.check("s");

    expect(problems).toEqual(["The tools a.b and a_b would have one name, so neither is offered."]);
    expect((await kit.mcp.tools("s")).map(({ name }) => name)).toEqual(["t"]);
  });

  test("2000 tools are cut", async () => {
    await using world = serverWorld();
    const file = path.join(world.workspace, "tools.json");
    const many = Array.from({ length: 1500 }, (_, index) => ({ ...tool, name: `t${index}` }));
    writeFileSync(file, JSON.stringify(many));
    const kit = await world.open({ s: serverEntry({ toolsFile: file }) });
    const { server, problems } = await kit.mcp.check("s");

    expect(server.tools).toBe(1000);
    expect(problems).toEqual(["500 tools beyond the first 1000 are not offered."]);
  });
});

describe("results that lie", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
  const results = [
    { name: "nothing", result: {}, text: "(The tool returned nothing.)" },
    {
      name: "content that is not a list",
      result: { content: "x" },
      text: "(The tool returned nothing.)",
    },
    {
      name: "structured content alone",
      result: { content: [], structuredContent: { a: 1 } },
      text: '{"a":1}',
    },
    {
      name: "structured content that the text lacks",
      result: { content: [{ type: "text", text: "see" }], structuredContent: { a: [1] } },
      text: 'see\n{"a":[1]}',
    },
    {
      name: "structured content that the text has",
      result: { content: [{ type: "text", text: '{ "a": [1] }' }], structuredContent: { a: [1] } },
      text: '{ "a": [1] }',
    },
    {
      name: "structured content that wraps the text",
      result: { content: [{ type: "text", text: "see" }], structuredContent: { content: "see" } },
      text: "see",
    },
    {
      name: "structured content that wraps a value",
      result: { content: [{ type: "text", text: "true" }], structuredContent: { result: true } },
      text: "true",
    },
    {
      name: "structured content that wraps a list of the texts",
      result: {
        content: [
          { type: "text", text: "see" },
          { type: "text", text: '{"a": 1}' },
        ],
        structuredContent: { result: ["see", { a: 1 }] },
      },
      text: 'see\n{"a": 1}',
    },
    {
      name: "structured content that names its value",
      result: { content: [{ type: "text", text: "7" }], structuredContent: { deleted: 7 } },
      text: '7\n{"deleted":7}',
    },
    {
      name: "structured content that names a long text",
      result: {
        content: [{ type: "text", text: "see".repeat(99) }],
        structuredContent: { page: "see".repeat(99) },
      },
      text: "see".repeat(99),
    },
    {
      name: "structured content that wraps another text",
      result: { content: [{ type: "text", text: "see" }], structuredContent: { content: "sea" } },
      text: 'see\n{"content":"sea"}',
    },
    {
      name: "an unknown part",
      result: { content: [{ type: "hologram" }, 5, null] },
      text: "(left out: a part of the type hologram)\n(left out: a part that is not an object)\n(left out: a part that is not an object)",
    },
    {
      name: "an image that is not one",
      result: { content: [{ type: "image", data: "AAAA", mimeType: "image/png" }] },
      text: "(left out: an image of the type image/png)",
    },
    {
      name: "an image that is not base64",
      result: { content: [{ type: "image", data: "<svg>", mimeType: "image/png" }] },
      text: "(left out: an image that is not base64)",
    },
    {
      name: "an image with a false type",
      result: { content: [{ type: "image", data: png, mimeType: "text/html" }] },
      text: "[image image/png]",
    },
    {
      name: "a resource without content",
      result: { content: [{ type: "resource", resource: { uri: "x:y" } }] },
      text: "(left out: a resource without content)",
    },
    {
      name: "a link",
      result: { content: [{ type: "resource_link", uri: "file:///a", name: "a" }] },
      text: "[resource file:///a]",
    },
  ];

  test.each(results)("$name", async ({ result, text }) => {
    const { outcome } = await callServer({ results: { t: result } });

    expect(outcome).toMatchObject({ status: "ok", text, trust: "untrusted" });
  });

  test("an error is one", async () => {
    const result = { content: [{ type: "text", text: "no such city" }], isError: true };
    const { outcome } = await callServer({ results: { t: result } });

    expect(outcome).toMatchObject({ status: "failed", isError: true });
    expect(outcome.text).toContain("no such city");
  });

  test("many parts are cut", async () => {
    const content = Array.from({ length: 500 }, () => ({ type: "text", text: "x" }));
    const { outcome } = await callServer({ results: { t: { content } } });

    expect(outcome.text).toContain("(left out: 300 more parts)");
  });
});
