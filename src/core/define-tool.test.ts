import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool, deriveFlags, fromMinimalTool } from "./define-tool.ts";
import type { EffectKind } from "./effects.ts";

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
  expect(fromMinimalTool(shape, { touches: ["read"] }).touches).toEqual(["read"]);
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
