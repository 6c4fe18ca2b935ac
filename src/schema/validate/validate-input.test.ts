import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { InputSchema } from "../../core/index.ts";
import { compileInput, type InputSource } from "./compile-input.ts";
import { validateInput } from "./validate-input.ts";

const jsonSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, default: 10 },
    deep: { type: "boolean" },
  },
  required: ["file_path"],
} as const;
const zodSchema = z.object({
  file_path: z.string().min(1),
  limit: z.int().min(1).default(10),
  deep: z.boolean().optional(),
});
const sources: readonly { vendor: string; input: InputSchema }[] = [
  { vendor: "zod", input: zodSchema },
  {
    vendor: "arktype",
    input: type({ file_path: "string>0", limit: "number.integer>=1 = 10", "deep?": "boolean" }),
  },
  {
    vendor: "valibot",
    input: v.object({
      file_path: v.pipe(v.string(), v.minLength(1)),
      limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 10),
      deep: v.optional(v.boolean()),
    }),
  },
  { vendor: "JSON Schema", input: jsonSchema },
  { vendor: "a validator with its JSON Schema", input: { schema: zodSchema, jsonSchema } },
];

const compiled = (input: InputSchema, more: Partial<InputSource> = {}) =>
  compileInput({ name: "Read", input, ...more });

describe.each(sources)("an input written with $vendor", ({ input }) => {
  const inputAliases = { file_path: ["path", "file"] };

  test("that fits is passed on with its defaults and no repairs", async () => {
    expect(await validateInput(compiled(input), { file_path: "a" })).toEqual({
      ok: true,
      value: { file_path: "a", limit: 10 },
      repairs: [],
    });
  });

  test("is answered at once after the first call", async () => {
    const ready = compiled(input);
    await validateInput(ready, { file_path: "a" });

    expect(validateInput(ready, { file_path: "a" })).toHaveProperty("ok", true);
    expect(validateInput(ready, { file_path: 1 })).toHaveProperty("ok", true);
    expect(validateInput(ready, { file_path: "" })).toHaveProperty("ok", false);
  });

  test("that nearly fits is repaired", async () => {
    const given = { filePath: "007", limit: "5", deep: null };

    expect(await validateInput(compiled(input), given)).toEqual({
      ok: true,
      value: { file_path: "007", limit: 5 },
      repairs: [
        { path: "/file_path", kind: "key-name", message: "filePath was taken as file_path." },
        {
          path: "/limit",
          kind: "number-in-text",
          message: '"5" was text and was taken as a number.',
        },
        {
          path: "/deep",
          kind: "null-for-absent",
          message: "deep was null and was taken as not given.",
        },
      ],
    });
  });

  test("takes an alias, also for an input that could be left out", async () => {
    expect(await validateInput(compiled(input, { inputAliases }), { path: "a" })).toMatchObject({
      ok: true,
      value: { file_path: "a" },
      repairs: [{ path: "/file_path", kind: "key-name" }],
    });
    expect(await validateInput(compiled(input), { file_path: "a", Limit: 3 })).toMatchObject({
      ok: true,
      value: { file_path: "a", limit: 3 },
      repairs: [{ path: "/limit", kind: "key-name" }],
    });
  });

  test("never runs without a value that was sent under another name", async () => {
    expect(await validateInput(compiled(input), { file_path: "a", Limit: "many" })).toMatchObject({
      ok: false,
      issues: [{ path: "/limit", expected: "integer (>= 1)", received: '"many"' }],
    });
  });

  test("that does not fit is reported with path, expected and received", async () => {
    expect(await validateInput(compiled(input), { limit: 0 })).toMatchObject({
      ok: false,
      issues: [
        { path: "/file_path", received: "nothing" },
        { path: "/limit", expected: "integer (>= 1)", received: "0" },
      ],
    });
  });

  test("is not changed itself", async () => {
    const given = Object.freeze({ file_path: "a", limit: "5", deep: null });

    expect(await validateInput(compiled(input), given)).toMatchObject({ ok: true });
    expect(given).toEqual({ file_path: "a", limit: "5", deep: null });
  });
});

describe("free text", () => {
  const input = {
    type: "object",
    properties: {
      content: { type: "string" },
      mode: { type: "string", enum: ["Fast"] },
      n: { type: "integer" },
    },
    required: ["content"],
  };

  test("is passed on untouched while its neighbours are repaired", () => {
    const content = '{"n": "1"}\n```\\d';

    expect(
      validateInput(compiled(input, { freeText: ["content"] }), { content, n: "1" }),
    ).toMatchObject({
      ok: true,
      value: { content, n: 1 },
      repairs: [{ path: "/n" }],
    });
  });

  test("is not made of anything else", () => {
    expect(validateInput(compiled(input), { content: 5 })).toMatchObject({
      ok: true,
      value: { content: "5" },
    });
    expect(validateInput(compiled(input, { freeText: ["content"] }), { content: 5 })).toMatchObject(
      { ok: false },
    );
    expect(
      validateInput(compiled(input, { freeText: ["mode"] }), { content: "a", mode: "fast" }),
    ).toMatchObject({ ok: false });
  });

  test("may still stand under an alias", () => {
    const free = compiled(input, {
      freeText: ["content"],
      inputAliases: { content: ["contents"] },
    });

    expect(validateInput(free, { contents: " x " })).toMatchObject({
      ok: true,
      value: { content: " x " },
    });
  });
});

describe("defaults of a plain JSON Schema", () => {
  test("are filled in where they fit, at the top level, and are not shared between calls", () => {
    const input = {
      type: "object",
      properties: {
        list: { type: "array", items: {}, default: [] },
        text: { type: "string", default: null },
        nothing: { type: ["string", "null"], default: null },
        must: { type: "integer", default: 1 },
        inner: { type: "object", properties: { n: { type: "integer", default: 1 } } },
      },
      required: ["must"],
    };
    const ready = compiled(input);
    const once = validateInput(ready, { must: 2, inner: {} });
    const twice = validateInput(ready, { must: 2, inner: {} });

    expect(once).toEqual({
      ok: true,
      value: { must: 2, inner: {}, list: [], nothing: null },
      repairs: [],
    });
    expect(twice).toEqual(once);
    expect(Reflect.get(Object(Reflect.get(once, "value")), "list")).not.toBe(
      Reflect.get(Object(Reflect.get(twice, "value")), "list"),
    );
    expect(validateInput(ready, { inner: {} })).toMatchObject({ ok: false });
  });

  test("a whole input is passed on as the very same object", () => {
    const given = { file_path: "a", limit: 1 };

    expect(Reflect.get(validateInput(compiled(jsonSchema), given), "value")).toBe(given);
  });
});

const later = (check: (value: unknown) => StandardSchemaV1.Result<unknown>): StandardSchemaV1 => ({
  "~standard": { version: 1, vendor: "test", validate: async (value) => check(value) },
});

describe("a validator that answers later", () => {
  const schema = later((value) =>
    typeof Reflect.get(Object(value), "limit") === "number"
      ? { value }
      : { issues: [{ message: "no limit", path: ["limit"] }] },
  );

  test("is awaited, and its input repaired just the same", async () => {
    const pair = compiled({ schema, jsonSchema });

    expect(await validateInput(pair, { file_path: "a", limit: 1 })).toMatchObject({
      ok: true,
      repairs: [],
    });
    expect(await validateInput(pair, { filePath: "a", limit: "1" })).toMatchObject({
      ok: true,
      value: { file_path: "a", limit: 1 },
    });
    expect(await validateInput(pair, { file_path: "a", limit: "x" })).toMatchObject({ ok: false });
  });

  test("without a JSON Schema its own messages are reported, and nothing is repaired", async () => {
    expect(await validateInput(compiled(schema), { limit: 1 })).toMatchObject({ ok: true });
    expect(await validateInput(compiled(schema), { limit: "1" })).toEqual({
      ok: false,
      issues: [{ path: "/limit", message: "no limit", received: '"1"' }],
      message: 'The input of Read does not fit its schema:\n- /limit: no limit (received "1")',
      hint: "Correct these inputs and call Read again.",
    });
  });
});

test("only a first call that has to load a converter is answered later", async () => {
  const valibot = compiled(v.object({ a: v.string() }));
  const first = validateInput(valibot, { a: "x" });

  expect(first).toBeInstanceOf(Promise);
  expect(await first).toMatchObject({ ok: true });
  expect(validateInput(compiled(z.object({ a: z.string() })), { a: "x" })).toMatchObject({
    ok: true,
  });
  expect(validateInput(compiled(type({ a: "string" })), { a: "x" })).toMatchObject({ ok: true });
});

test("a validator's own coercion is left to it", () => {
  const input = z.object({ n: z.coerce.number(), when: z.date().optional() });

  expect(validateInput(compiled(input), { n: "5" })).toEqual({
    ok: true,
    value: { n: 5 },
    repairs: [],
  });
  expect(validateInput(compiled(input), { n: "five" })).toMatchObject({ ok: false });
});

test("a schema of an older draft, and one with an unknown format or keyword, is understood", () => {
  const old = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      pair: {
        type: "array",
        items: [{ type: "integer" }, { type: "string" }],
        additionalItems: false,
      },
    },
    required: ["pair"],
  };
  const odd = {
    type: "object",
    properties: { a: { type: "string", format: "odd", "x-order": 1 } },
    $id: "https://example.com/a",
  };

  expect(validateInput(compiled(old), { pair: ["1", "b"] })).toMatchObject({
    ok: true,
    value: { pair: [1, "b"] },
  });
  expect(validateInput(compiled(old), { pair: [1, "b", 3] })).toMatchObject({ ok: false });
  expect(validateInput(compiled(odd), { a: "x" })).toMatchObject({ ok: true });
  expect(validateInput(compiled({ ...odd }), { a: "x" })).toMatchObject({ ok: true });
});

test("a tool without a schema is a programmer's mistake, an unusable schema its author's", () => {
  expect(() => Reflect.apply(compileInput, undefined, [{ name: "T", input: "no" }])).toThrow(
    TypeError,
  );
  expect(() => validateInput(compiled({ type: "wrong" }), {})).toThrow("not a usable JSON Schema");
});
