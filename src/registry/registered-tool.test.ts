import { expect, test } from "vitest";
import { z } from "zod";
import {
  defineTool,
  ToolError,
  type InitContext,
  type LazyTool,
  type Tool,
  type ToolContext,
} from "../core/index.ts";
import { registeredTool } from "./registered-tool.ts";

const input = { type: "object", properties: { path: { type: "string" } } };
const noContext = {} as ToolContext;
const run = (): { content: string } => ({ content: "ran" });

// Lazy tools in these tests never use their context.
const context: InitContext = {
  get host(): never {
    throw new Error("no host in this test");
  },
  workspace: "/project",
  service: () => {
    throw new Error("no service in this test");
  },
};

function lazy(
  init: () => Promise<Pick<Tool, "description" | "input" | "run">>,
  known?: NonNullable<LazyTool["known"]>,
): LazyTool {
  const tool = defineTool({ name: "Later", touches: ["read"], aliases: ["Soon"], init });
  return known === undefined ? tool : { ...tool, known };
}

test("a static tool is loaded at once and its validator is made once", () => {
  const tool = registeredTool(
    defineTool({ name: "Now", description: "", touches: [], input, run }),
    context,
  );

  expect(tool.loaded).toBe(tool.load());
  expect(tool.compiled).toBeDefined();
  expect(tool.compiled).toBe(tool.compiled);
});

test("changing the object a tool was made from changes nothing that is registered", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } } };
  const tags = ["one"];
  const original = {
    ...defineTool({
      name: "Now",
      description: "Old.",
      touches: ["read"],
      tags,
      input: schema,
      run,
    }),
  };
  const tool = registeredTool(original, context);

  Object.assign(original, {
    description: "New.",
    run: () => ({ content: "other" }),
    touches: ["write"],
  });
  schema.properties.path.type = "number";
  tags.push("two");

  expect(await tool.listing()).toMatchObject({
    description: "Old.",
    tags: ["one"],
    touches: ["read"],
    inputSchema: { properties: { path: { type: "string" } } },
  });
  expect(await tool.loaded?.run({}, noContext)).toEqual({ content: "ran" });
  expect(tool.flags.readOnly).toBe(true);
});

test("a listing states what the tool left out", async () => {
  const tool = registeredTool(
    defineTool({ name: "Now", description: "Does it. Well.", touches: ["connect"], input, run }),
    context,
  );

  expect(tool.known).toBeUndefined();
  const listing = await tool.listing();
  expect(tool.known).toBe(listing);
  expect(listing).toEqual({
    name: "Now",
    enabled: true,
    autoExecute: false,
    kind: "readonly",
    parameters: [{ name: "path", type: "string", description: "", required: false }],
    displayName: "Now",
    summary: "Does it.",
    description: "Does it. Well.",
    version: "1.0.0",
    category: "other",
    tags: [],
    aliases: [],
    searchHint: "",
    source: { id: "option", name: "option", kind: "custom" },
    strict: false,
    touches: ["connect"],
    flags: {
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: true,
      concurrencySafe: true,
    },
    level: 2,
    inputSchema: input,
  });
});

const undo = async () => await Promise.resolve({ content: "" });
const preview = async () => await Promise.resolve({ summary: "" });

test.each([
  { because: "it says nothing of its effects", more: {}, level: 0 },
  { because: "it can be undone", more: { undo }, level: 1 },
  { because: "it can be undone and previewed", more: { undo, preview }, level: 2 },
])("a listing has the level $level: $because", async ({ more, level }) => {
  const stated = { name: "Now", description: "", touches: ["unknown"], input } as const;
  const tool = registeredTool(defineTool({ ...stated, run, ...more }), context);

  expect(await tool.listing()).toMatchObject({ level });
});

test("a listing carries all that the tool states", async () => {
  const stated = {
    name: "Full",
    displayName: "Full tool",
    version: "2.1.0",
    category: "files",
    tags: ["a"],
    aliases: ["Whole"],
    searchHint: "everything",
    icon: "data:,",
    source: { id: "demo", name: "Demo", kind: "mcp" },
    strict: true,
    touches: ["read"],
    flags: { concurrencySafe: false },
  } as const;
  const tool = registeredTool(
    defineTool({
      ...stated,
      description: "Does all.",
      input: z.object({ n: z.number() }),
      output: z.object({ sum: z.number() }),
      run,
    }),
    context,
  );

  const { flags, ...rest } = stated;
  expect(await tool.listing()).toMatchObject({
    ...rest,
    inputSchema: { required: ["n"] },
    outputSchema: { required: ["sum"] },
  });
  expect((await tool.listing()).flags.concurrencySafe).toBe(flags.concurrencySafe);
});

test("a lazy tool is loaded once however many ask at the same time", async () => {
  let loads = 0;
  const tool = registeredTool(
    lazy(async () => {
      loads += 1;
      return { description: "Made.", input, run };
    }),
    context,
  );

  expect([tool.loaded, tool.compiled, loads]).toEqual([undefined, undefined, 0]);
  const [first, second] = await Promise.all([tool.load(), tool.load(), tool.listing()]);
  expect(first).toBe(second);
  expect(tool.loaded).toBe(first);
  expect(tool.compiled).toBe(tool.compiled);
  expect(tool.compiled).toBeDefined();
  expect(loads).toBe(1);
});

test("a lazy tool that says what it will bring is listed without loading", async () => {
  let loads = 0;
  const known = { summary: "Known.", description: "Known before.", inputSchema: input };
  const tool = registeredTool(
    lazy(async () => {
      loads += 1;
      return { description: "Made.", input, run };
    }, known),
    context,
  );

  expect(tool.known).toMatchObject({ name: "Later", ...known });
  expect(tool.listing()).toBe(tool.known);
  expect(loads).toBe(0);
  await tool.load();
  expect(tool.listing()).toMatchObject({ description: "Known before." });
});

test("an init that fails is UNAVAILABLE with its reason, and the next load tries again", async () => {
  let tries = 0;
  const tool = registeredTool(
    lazy(async () => {
      tries += 1;
      if (tries === 1) throw new Error("no such module");
      return { description: "Made.", input, run };
    }),
    context,
  );

  await expect(tool.load()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "The tool Later could not be loaded: no such module",
    hint: "Try again later, or use another tool.",
    data: { tool: "Later" },
    retryable: true,
    cause: { message: "no such module" },
  });
  expect(tool.loaded).toBeUndefined();
  expect(await tool.load()).toMatchObject({ name: "Later", description: "Made." });
});

test("the hint of an init's own error is kept", async () => {
  const tool = registeredTool(
    lazy(async () => {
      throw new ToolError("INTERNAL", "sharp is not installed.", { hint: "Install sharp." });
    }),
    context,
  );

  await expect(tool.load()).rejects.toMatchObject({ code: "UNAVAILABLE", hint: "Install sharp." });
});

test("what was registered holds whatever init brings", async () => {
  const made = defineTool({ name: "Other", description: "Made.", touches: ["write"], input, run });
  const tool = registeredTool(
    { kind: "lazy-tool", name: "Later", touches: ["read"], init: () => made },
    context,
  );

  expect(await tool.load()).toMatchObject({
    name: "Later",
    touches: ["read"],
    description: "Made.",
  });
});

test("without a context a lazy tool says what is missing", async () => {
  const tool = registeredTool(
    lazy(async () => ({ description: "", input, run })),
    undefined,
  );

  await expect(tool.load()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: "Give the registry the context its lazy tools are made with.",
  });
});

test("the context is asked for when the first tool is loaded", async () => {
  let asked = 0;
  const tool = registeredTool(
    lazy(async () => ({ description: "", input, run })),
    () => {
      asked += 1;
      return context;
    },
  );

  expect(asked).toBe(0);
  await tool.load();
  expect(asked).toBe(1);
});

test("an object whose functions are inherited keeps them, bound to it", async () => {
  class Counting {
    readonly kind = "tool";
    readonly touches = [];
    readonly description = "";
    readonly input = input;
    #calls = 0;
    get name(): string {
      return "Now";
    }
    run(): { readonly content: string } {
      this.#calls += 1;
      return { content: String(this.#calls) };
    }
  }
  const lateHeir: LazyTool = Object.setPrototypeOf(
    { kind: "lazy-tool", name: "Now", touches: [] },
    { init: () => new Counting() },
  );

  for (const tool of [new Counting(), lateHeir]) {
    const made = await registeredTool(tool, context).load();
    const none = {} as Parameters<typeof made.run>[1];
    expect([await made.run({}, none), await made.run({}, none)]).toEqual([
      { content: "1" },
      { content: "2" },
    ]);
  }
});
