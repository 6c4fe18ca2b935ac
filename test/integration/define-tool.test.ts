import * as valibot from "valibot";
import { type } from "arktype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool, type InputSchema, type LazyTool, type Tool } from "../../src/index.ts";
import { world } from "./world.ts";

/** The same input five ways: a required text and a whole number with a default. */
const inputs: readonly (readonly [string, InputSchema])[] = [
  ["zod", z.object({ name: z.string(), count: z.int().default(2) })],
  ["arktype", type({ name: "string", count: "number.integer = 2" })],
  [
    "valibot",
    valibot.object({
      name: valibot.string(),
      count: valibot.optional(valibot.pipe(valibot.number(), valibot.integer()), 2),
    }),
  ],
  [
    "JSON Schema",
    {
      type: "object",
      properties: { name: { type: "string" }, count: { type: "integer", default: 2 } },
      required: ["name"],
    },
  ],
  [
    "a validator with its JSON Schema",
    {
      schema: z.object({ name: z.string(), count: z.int().default(2) }),
      jsonSchema: {
        type: "object",
        properties: { name: { type: "string" }, count: { type: "integer", default: 2 } },
        required: ["name"],
      },
    },
  ],
];

describe.each(inputs)("input as %s", (_, input) => {
  const echo = defineTool({
    name: "Echo",
    description: "Says it.",
    touches: [],
    input,
    inputAliases: { name: ["title"] },
    run: (given) => ({ content: JSON.stringify(given) }),
  });

  test("is published, validated, filled in, and near misses are repaired and reported", async () => {
    const { kit } = await world({ tools: { include: ["Echo"], extra: [echo] } });

    const [definition] = (await kit.definitions("mcp")).tools;
    const plain = await kit.call({ name: "Echo", input: { name: "n" } });
    const repaired = await kit.call({ name: "Echo", input: '{"title":"n","count":"7"}' });

    expect(definition?.["inputSchema"]).toMatchObject({
      type: "object",
      properties: { name: { type: "string" }, count: { type: "integer" } },
      required: ["name"],
    });
    expect(plain).toMatchObject({ status: "ok", repairs: [] });
    expect(JSON.parse(plain.text)).toEqual({ name: "n", count: 2 });
    expect(JSON.parse(repaired.text)).toEqual({ name: "n", count: 7 });
    expect(repaired.repairs.map(({ path }) => path).toSorted()).toEqual(["/count", "/name"]);
  });

  test.for([
    ["a missing field", {}, "/name"],
    ["a wrong type", { name: "n", count: "many" }, "/count"],
    ["no object", ["n"], ""],
  ] as const)("%s is refused with its path and a next step", async ([, given, path]) => {
    const { kit } = await world({ tools: { extra: [echo] } });

    const { error, text } = await kit.call({ name: "Echo", input: given });

    expect(error).toMatchObject({
      code: "INVALID_INPUT",
      type: "validation",
      hint: expect.any(String),
    });
    const issues = error?.data?.["issues"] as {
      path: string;
      expected?: string;
      received?: string;
    }[];
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(text).toContain(path.slice(1));
  });
});

const everything = {
  name: "Every.thing",
  displayName: "Everything",
  description: {
    short: "Does everything.",
    long: "At length.",
    usageNotes: ["Use it well."],
    examples: [{ input: { a: 1 }, note: "a first one" }],
    important: ["Never twice."],
  },
  version: "2.1.0",
  category: "trial",
  tags: ["one", "two"],
  aliases: ["All"],
  searchHint: "kitchen sink",
  icon: "https://example.com/i.png",
  source: { id: "srv", name: "Server", kind: "mcp" },
  strict: true,
  touches: ["read", "write"],
  input: z.object({ a: z.number() }),
  inputAliases: { a: ["b"] },
  output: z.object({ sum: z.number() }),
  timeoutMs: 5000,
  maxChars: 1000,
  effects: () => [{ kind: "write", path: "f", scope: "file", change: "any" }] as const,
  signature: ({ a }: { a: number }) => `Everything of ${a}`,
  suggestRule: () => "Every.thing",
  run: ({ a }: { a: number }) => ({ content: String(a), structuredContent: { sum: a } }),
  preview: async ({ a }: { a: number }) => ({ summary: `would do ${a}`, diff: `+${a}` }),
  undo: async () => ({ content: "undone" }),
  reconcile: async () => "unknown" as const,
  formatIssues: () => "Give a number as a.",
} as const;

/** The static form and the form that makes itself on first use. */
const forms: readonly (readonly [string, Tool | LazyTool])[] = [
  ["static", defineTool(everything)],
  [
    "init",
    defineTool({
      name: everything.name,
      displayName: everything.displayName,
      version: everything.version,
      category: everything.category,
      tags: everything.tags,
      aliases: everything.aliases,
      searchHint: everything.searchHint,
      icon: everything.icon,
      source: everything.source,
      strict: everything.strict,
      touches: everything.touches,
      timeoutMs: everything.timeoutMs,
      maxChars: everything.maxChars,
      init: async (context) => {
        await context.host.fs.stat(context.workspace);
        const { description, input, inputAliases, output } = everything;
        const { effects, signature, suggestRule, run, preview, formatIssues } = everything;
        return {
          description,
          input,
          inputAliases,
          output,
          effects,
          signature,
          suggestRule,
          run,
          preview,
          formatIssues,
        };
      },
    }),
  ],
];

describe.each(forms)("a tool in %s form", (_, made) => {
  test("every field it states is published, and works", async () => {
    const { kit, asked } = await world({
      tools: { extra: [made] },
      answers: [{ kind: "save", rule: "Every.thing", scope: "session" }],
    });

    const listing = kit.listings().find(({ name }) => name === "Every.thing");
    const outcome = await kit.call({ name: "all", input: { b: 3 } });
    const wrong = await kit.call({ name: "All", input: { a: "x" } });
    const repeated = await kit.call({ name: "All", input: { a: 3 } });

    expect(listing).toMatchObject({
      displayName: "Everything",
      summary: "Does everything.",
      version: "2.1.0",
      category: "trial",
      tags: ["one", "two"],
      aliases: ["All"],
      searchHint: "kitchen sink",
      icon: "https://example.com/i.png",
      strict: true,
      touches: ["read", "write"],
      source: { id: "srv", name: "Server", kind: "mcp" },
      flags: { readOnly: false, destructive: true },
      inputSchema: { type: "object", required: ["a"] },
      outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    });
    for (const part of ["At length.", "Use it well.", "a first one", "Never twice."])
      expect(listing?.description).toContain(part);
    expect(outcome).toMatchObject({
      tool: "Every.thing",
      status: "ok",
      title: "Everything of 3",
      text: "3",
      structuredContent: { sum: 3 },
    });
    expect(asked[0]).toMatchObject({
      displayName: "Everything",
      suggestion: "Every.thing",
      preview: "+3",
    });
    expect(wrong.text).toContain("Give a number as a.");
    expect([repeated.status, asked.length]).toEqual(["ok", 1]);
    const [found] = await kit.registry.search("kitchen sink");
    expect(found?.name).toBe("Every.thing");
    const [definition] = (await kit.definitions("mcp", { names: ["All"] })).tools;
    expect(definition).toMatchObject({ title: "Everything", outputSchema: { type: "object" } });
  });
});

describe("init", () => {
  test("runs once, however many calls come first", async () => {
    let runs = 0;
    const lazy = defineTool({
      name: "Late",
      touches: [],
      init: async () => {
        runs += 1;
        return { description: "Late.", input: z.object({}), run: () => ({ content: "here" }) };
      },
    });
    const { kit } = await world({ tools: { extra: [lazy] } });

    const outcomes = await kit.callAll(Array.from({ length: 5 }, () => ({ name: "Late" })));

    expect(outcomes.every(({ text }) => text === "here")).toBe(true);
    expect(runs).toBe(1);
  });

  test("that fails costs its own tool only, and says what to do", async () => {
    const { kit } = await world(
      {
        tools: {
          extra: [
            defineTool({
              name: "Late",
              touches: [],
              init: async (): Promise<never> => {
                throw new Error("server gone");
              },
            }),
          ],
        },
      },
      { files: { "a.txt": "x" } },
    );

    const outcome = await kit.call({ name: "Late" });

    expect(outcome.error).toMatchObject({
      code: "UNAVAILABLE",
      hint: expect.any(String),
      retryable: true,
    });
    expect(outcome.text).toContain("server gone");
    expect((await kit.call({ name: "Read", input: { file_path: "a.txt" } })).status).toBe("ok");
    const { tools } = await kit.definitions("mcp");
    expect(tools.map(({ name }) => name)).not.toContain("Late");
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["Read", "Write"]));
  });
});
