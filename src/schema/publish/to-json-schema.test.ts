import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import { toJsonSchema } from "./to-json-schema.ts";

const expected = {
  type: "object",
  properties: { a: { type: "string" }, n: { type: "integer" } },
  required: ["a"],
};

test.for([
  { vendor: "zod", input: z.object({ a: z.string(), n: z.int().optional() }) },
  { vendor: "arktype", input: type({ a: "string", "n?": "number.integer" }) },
  {
    vendor: "valibot",
    input: v.object({ a: v.string(), n: v.optional(v.pipe(v.number(), v.integer())) }),
  },
  { vendor: "JSON Schema", input: expected },
  { vendor: "a pair", input: { schema: z.object({ a: z.string() }), jsonSchema: expected } },
])("$vendor gives the same JSON Schema, and the same object each time", async ({ input }) => {
  const schema = await toJsonSchema(input);

  expect(schema).toEqual(expected);
  expect(await toJsonSchema(input)).toBe(schema);
});

test("the input side is published: defaults are optional, transformed values come as they are sent", async () => {
  const input = z.object({ n: z.int().default(3), t: z.string().transform(Number), d: z.date() });

  expect(await toJsonSchema(input)).toEqual({
    type: "object",
    properties: { n: { type: "integer", default: 3 }, t: { type: "string" }, d: {} },
    required: ["t", "d"],
  });
});

test("limits that are meant stay, the limits of a double do not", async () => {
  const input = z.object({
    n: z.int().min(1),
    at: z.object({ m: z.int().max(9) }),
    list: z.array(z.int()),
    both: z.union([z.int(), z.null()]),
  });

  expect(await toJsonSchema(input)).toEqual({
    type: "object",
    properties: {
      n: { type: "integer", minimum: 1 },
      at: { type: "object", properties: { m: { type: "integer", maximum: 9 } }, required: ["m"] },
      list: { type: "array", items: { type: "integer" } },
      both: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
    required: ["n", "at", "list", "both"],
  });
});

test("a default that looks like a schema is data", async () => {
  const input = z.object({
    o: z.record(z.string(), z.number()).default({ minimum: Number.MAX_SAFE_INTEGER }),
  });

  expect(await toJsonSchema(input)).toMatchObject({
    properties: { o: { default: { minimum: Number.MAX_SAFE_INTEGER } } },
  });
});

test("a bare JSON Schema is told to be an object", async () => {
  expect(await toJsonSchema({})).toEqual({ type: "object" });
  expect(await toJsonSchema({ properties: {} })).toEqual({ type: "object", properties: {} });
  expect(await toJsonSchema({ anyOf: [] })).toEqual({ anyOf: [] });
});

test("a schema that cannot say what it takes fails with what to do", async () => {
  const silent = {
    "~standard": { version: 1, vendor: "silent", validate: (value: unknown) => ({ value }) },
  } as const;

  await expect(toJsonSchema(silent)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: "Pass {schema, jsonSchema}, or for Valibot install @valibot/to-json-schema.",
  });
});

test("a schema is published at once where nothing has to be loaded for it", async () => {
  await toJsonSchema({ type: "object" });
  const [zod, valibot] = [z.object({ a: z.string() }), v.object({})];

  expect(toJsonSchema(zod)).toEqual({
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
  });
  expect(toJsonSchema(valibot)).toBeInstanceOf(Promise);
});
