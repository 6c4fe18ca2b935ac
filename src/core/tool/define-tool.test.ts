import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, fromMinimalTool } from "./define-tool.ts";
import { deriveFlags } from "./flags.ts";
import type { EffectKind } from "../call/effects.ts";

const input = z.object({ seconds: z.coerce.number().default(1) });
const valid = {
  name: "Wait",
  description: "Waits.",
  touches: [],
  input,
  run: () => ({ content: "" }),
} as const;

test.for([
  { change: { name: "" }, says: "Tool name" },
  { change: { name: "1st" }, says: "start with a letter" },
  { change: { name: "a".repeat(65) }, says: "1 to 64" },
  { change: { aliases: ["a b"] }, says: '"a b"' },
  { change: { touches: ["wirte" as EffectKind] }, says: 'not "wirte". Did you mean "write"?' },
  { change: { timeoutMs: 0 }, says: "timeoutMs" },
  { change: { maxChars: 1.5 }, says: "maxChars" },
])("a definition with $change is a TypeError that says $says", ({ change, says }) => {
  expect(() => defineTool({ ...valid, ...change })).toThrow(TypeError);
  expect(() => defineTool({ ...valid, ...change })).toThrow(says);
});

test("a definition without touches, input or run is refused at once", () => {
  for (const key of ["touches", "input", "run"]) {
    const broken: typeof valid = { ...valid };
    Reflect.deleteProperty(broken, key);
    expect(() => defineTool(broken)).toThrow(key);
  }
});

test.for([
  { change: { name: 7 }, says: "Tool name must be 1 to 64" },
  { change: { touches: "read" }, says: "touches must be a list of the effect kinds" },
  { change: { staged: "all" }, says: "staged must be one of files, commands" },
  { change: { timeoutMs: -1 }, says: "timeoutMs must be a whole number above 0" },
  { change: { timeoutMs: "5" }, says: "timeoutMs must be a whole number above 0" },
  { change: { description: 7 }, says: "description must be a text" },
  { change: { description: undefined }, says: "description must be a text" },
  { change: { description: { long: "Waits." } }, says: "description.short must be a text" },
  { change: { input: undefined }, says: "input must be a schema" },
  { change: { input: null }, says: "input must be a schema" },
  { change: { input: "text" }, says: "input must be a schema" },
  { change: { output: "text" }, says: "output must be a schema" },
  { change: { output: null }, says: "output must be a schema" },
  { change: { run: undefined }, says: "run must be a function" },
  { change: { effects: [] }, says: "effects must be a function" },
  { change: { signature: 7 }, says: "signature must be a function" },
  { change: { suggestRule: 7 }, says: "suggestRule must be a function" },
  { change: { preview: true }, says: "preview must be a function" },
  { change: { undo: true }, says: "undo must be a function" },
  { change: { reconcile: true }, says: "reconcile must be a function" },
  { change: { formatIssues: "x" }, says: "formatIssues must be a function" },
])("$change, where no compiler looked, is a TypeError that says $says", ({ change, says }) => {
  const untyped = { ...valid, ...change } as unknown as Parameters<typeof defineTool>[0];

  expect(() => defineTool(untyped)).toThrow(TypeError);
  expect(() => defineTool(untyped)).toThrow(says);
});

test("everything a tool may have is kept", () => {
  const schema = Object.assign(() => undefined, { type: "object" });
  const full = {
    ...valid,
    description: { short: "Waits." },
    aliases: ["Sleep"],
    staged: "commands",
    timeoutMs: 5,
    maxChars: 1,
    input: schema,
    output: { type: "object" },
    effects: () => [],
    undo: () => ({ content: "" }),
  } as unknown as Parameters<typeof defineTool>[0];

  expect(defineTool(full)).toEqual({ ...full, kind: "tool" });
  expect(defineTool({ ...valid, staged: "files" })).toMatchObject({ staged: "files" });
});

test("what an init form brings is checked as well", async () => {
  const brought = { description: 7, input, run: () => ({ content: "" }) } as unknown;
  const init = () => brought as { description: string; input: typeof input; run: typeof valid.run };
  const lazy = defineTool({ name: "Late", touches: [], init });

  await expect(lazy.init({} as Parameters<typeof lazy.init>[0])).rejects.toThrow(
    "Tool Late: description must be a text",
  );
});

test("a name of 64 characters and any effect kind is fine", () => {
  const tool = defineTool({ ...valid, name: "a".repeat(64), touches: ["read", "unknown"] });

  expect(tool.kind).toBe("tool");
});

test("an init form brings behaviour later and keeps its traits", async () => {
  const lazy = defineTool({
    name: "Late",
    touches: ["read"],
    tags: ["slow"],
    init: () => ({ description: "Made late.", input, run: () => ({ content: "late" }) }),
  });

  expect(lazy.kind).toBe("lazy-tool");
  const context = { workspace: "/" } as unknown;
  const tool = await lazy.init(context as Parameters<typeof lazy.init>[0]);
  expect(tool).toMatchObject({
    kind: "tool",
    name: "Late",
    tags: ["slow"],
    description: "Made late.",
  });
});

test("a tool of the minimal shape is unknown in what it touches until it says more", async () => {
  const shape = {
    name: "Echo",
    description: "Echoes.",
    parameters: { type: "object" },
    execute: async (given: Readonly<Record<string, unknown>>) => `heard ${String(given["text"])}`,
  };

  const tool = fromMinimalTool(shape);

  expect(tool.touches).toEqual(["unknown"]);
  expect(tool).toMatchObject({ name: "Echo", description: "Echoes.", input: { type: "object" } });
  expect(fromMinimalTool(shape, { touches: ["read"], tags: ["loud"] })).toMatchObject({
    touches: ["read"],
    tags: ["loud"],
  });
  const broken = { ...shape, execute: "echo" } as unknown as typeof shape;
  expect(() => fromMinimalTool(broken)).toThrow(
    'Tool Echo: execute must be a function, not "echo".',
  );
  const context = {} as Parameters<typeof tool.run>[1];
  expect(await tool.run({ text: "hi" }, context)).toEqual({ content: "heard hi" });
});

test.for([
  {
    touches: [],
    flags: {
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
      concurrencySafe: true,
    },
  },
  {
    touches: ["read"],
    flags: {
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
      concurrencySafe: true,
    },
  },
  {
    touches: ["connect"],
    flags: {
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: true,
      concurrencySafe: true,
    },
  },
  {
    touches: ["read", "write"],
    flags: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: false,
      concurrencySafe: false,
    },
  },
  {
    touches: ["execute"],
    flags: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      concurrencySafe: false,
    },
  },
  {
    touches: ["delegate"],
    flags: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      concurrencySafe: false,
    },
  },
  {
    touches: ["unknown"],
    flags: {
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
      concurrencySafe: false,
    },
  },
] satisfies { touches: EffectKind[]; flags: object }[])(
  "flags of touches $touches",
  ({ touches, flags }) => {
    expect(deriveFlags(touches)).toEqual(flags);
  },
);

test("a tool can make its flags stricter, never looser", () => {
  const looser = {
    readOnly: true,
    destructive: false,
    idempotent: true,
    openWorld: false,
    concurrencySafe: true,
  };
  const stricter = {
    readOnly: false,
    destructive: true,
    idempotent: false,
    openWorld: true,
    concurrencySafe: false,
  };

  expect(deriveFlags(["unknown"], looser)).toEqual(deriveFlags(["unknown"]));
  expect(deriveFlags([], stricter)).toEqual(stricter);
});
