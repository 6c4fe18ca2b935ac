import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { compileInput, type CompiledInput } from "../validate/compile-input.ts";
import { validateInput } from "../validate/validate-input.ts";
import { runs } from "../../../test/support/law-runs.ts";
import { codePoint } from "../../../test/support/code-point.ts";

/** Validates `{x: value}` against a schema that requires `x`, or leaves it optional. */
function run(x: JsonSchema, value: unknown, options: { optional?: boolean; text?: string } = {}) {
  const required = options.optional === true ? [] : ["x"];
  const input = { type: "object", properties: { x }, required };
  const key = JSON.stringify(input);
  const compiled = known.get(key) ?? compileInput({ name: "T", input });
  known.set(key, compiled);
  return validateInput(compiled, { x: value }, options.text);
}

/** Compiling is slow, and many cases share a schema. */
const known = new Map<string, CompiledInput>();

const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const boolean = { type: "boolean" };
const strings = { type: "array", items: string };
const integers = { type: "array", items: integer };
const point = {
  type: "object",
  properties: { lat: number, lon: number },
  required: ["lat", "lon"],
};
const genre = { type: "string", enum: ["Sci-fi", "Drama", "War"] };

describe("text that its schema accepts is never changed, whatever it looks like", () => {
  const texts = [
    "007",
    "true",
    "null",
    '{"a": 1}',
    "[1, 2]",
    "undefined",
    " padded ",
    "a,b",
    "```x```",
    "C:\\new",
    'it\'s "so"',
  ];

  test.for(texts)("%s", (text) => {
    const input = {
      type: "object",
      properties: { x: string, n: integer, list: strings, either: { type: ["string", "integer"] } },
      required: ["x", "n"],
    };
    const given = { x: text, n: "5", list: [text], either: text };

    expect(validateInput(compileInput({ name: "T", input }), given)).toMatchObject({
      ok: true,
      value: { x: text, n: 5, list: [text], either: text },
      repairs: [{ path: "/n" }],
    });
  });
});

describe("null for what may be left out", () => {
  test("is taken as not given", () => {
    expect(run(integer, null, { optional: true })).toMatchObject({
      ok: true,
      value: {},
      repairs: [{ path: "/x", kind: "null-for-absent" }],
    });
  });

  test("is kept where null is a value", () => {
    expect(run({ type: ["integer", "null"] }, null, { optional: true })).toEqual({
      ok: true,
      value: { x: null },
      repairs: [],
    });
  });

  test("is left out inside objects, lists of objects and undeclared keys of a closed object", () => {
    const closed = { ...point, required: ["lat"], additionalProperties: false };
    const given = [
      { lat: 1, lon: null },
      { lat: 2, what: null },
    ];

    expect(run({ type: "array", items: closed }, given)).toMatchObject({
      ok: true,
      value: { x: [{ lat: 1 }, { lat: 2 }] },
      repairs: [{ path: "/x/0/lon" }, { path: "/x/1/what" }],
    });
  });

  test("does not carry off a key with content", () => {
    const closed = { ...point, additionalProperties: false };

    expect(run(closed, { lat: 1, lon: 2, what: 0 })).toMatchObject({ ok: false });
  });
});

describe("a number becomes the text the model wrote", () => {
  test.for([
    { text: '{"x": 1.10}', value: 1.1 },
    { text: '{"x": 1.0}', value: 1 },
    { text: '{"x": 1e3}', value: 1000 },
    { text: "{'x': 1.50,}", value: 1.5 },
  ])("$text is refused, its digits are not known any more", ({ text, value }) => {
    expect(run(string, value, { text })).toMatchObject({ ok: false });
  });

  test("and is taken where its digits are plain, other numbers notwithstanding", () => {
    expect(run(string, 12345, { text: '{"x": 12345, "y": 1.0}' })).toMatchObject({
      ok: true,
      value: { x: "12345" },
    });
  });
});

test("a near miss deep inside is found, and reported by its path", () => {
  const input = {
    type: "object",
    properties: {
      edits: {
        type: "array",
        items: {
          type: "object",
          properties: { line: { $ref: "#/$defs/line" }, "a/b": boolean },
          required: ["line"],
        },
      },
    },
    required: ["edits"],
    $defs: { line: { allOf: [integer, { minimum: 1 }] } },
  };
  const compiled = compileInput({ name: "T", input });

  expect(validateInput(compiled, { edits: [{ line: 1 }, { line: "2", "a/b": "true" }] })).toEqual({
    ok: true,
    value: { edits: [{ line: 1 }, { line: 2, "a/b": true }] },
    repairs: [
      {
        path: "/edits/1/line",
        kind: "number-in-text",
        message: '"2" was text and was taken as a number.',
      },
      {
        path: "/edits/1/a~1b",
        kind: "boolean-in-text",
        message: '"true" was text and was taken as a boolean.',
      },
    ],
  });
  expect(validateInput(compiled, { edits: [{ line: "0" }] })).toMatchObject({ ok: false });
});

function tagged(name: string, value: JsonSchema): JsonSchema {
  const properties = { kind: { const: name }, value };
  return { type: "object", properties, required: ["kind", "value"] };
}

test("the alternative with the right tag is repaired", () => {
  const schema = { oneOf: [tagged("count", integer), tagged("flag", boolean)] };

  expect(run(schema, { kind: "count", value: "5" })).toMatchObject({
    ok: true,
    value: { x: { kind: "count", value: 5 } },
  });
  expect(run(schema, { kind: "flag", value: "true" })).toMatchObject({
    ok: true,
    value: { x: { kind: "flag", value: true } },
  });
  expect(run(schema, { kind: "flag", value: "5" })).toMatchObject({ ok: false });
});

test("a schema that contradicts itself ends in a refusal, not in a loop", () => {
  expect(run({ type: ["string", "integer"], enum: [{}] }, 7)).toMatchObject({ ok: false });
  expect(() => run({ $ref: "#/properties/x" }, 7)).toThrow("not a usable JSON Schema");
});

describe("laws", () => {
  const leaf = fc.oneof(
    fc.record({ schema: fc.constant(integer), value: fc.maxSafeInteger() }),
    fc.record({
      schema: fc.constant(number),
      value: fc
        .double({ noNaN: true, noDefaultInfinity: true, max: 1e15, min: -1e15 })
        .map((value) => value + 0),
    }),
    fc.record({ schema: fc.constant(boolean), value: fc.boolean() }),
  );
  const list = leaf.chain(({ schema, value }) =>
    fc.record({
      schema: fc.constant({ type: "array", items: schema }),
      value: fc.array(fc.constant(value), { minLength: 1, maxLength: 3 }),
    }),
  );
  const object = fc.array(fc.oneof(leaf, list), { minLength: 1, maxLength: 4 }).map((members) => ({
    schema: {
      type: "object",
      properties: Object.fromEntries(members.map(({ schema }, index) => [`k${index}`, schema])),
      required: members.map((_, index) => `k${index}`),
    },
    value: Object.fromEntries(members.map(({ value }, index) => [`k${index}`, value])),
  }));

  test("what fits is returned as the very same object, with no repairs", () => {
    fc.assert(
      fc.property(object, ({ schema, value }) => {
        const validated = validateInput(compileInput({ name: "T", input: schema }), value);
        expect(validated).toEqual({ ok: true, value, repairs: [] });
        expect(validated).toHaveProperty("value", value);
      }),
      { numRuns: 12 },
    );
  });

  test("numbers, booleans, lists and objects written into text come back as they were", () => {
    fc.assert(
      fc.property(fc.oneof(leaf, list, object), ({ schema, value }) => {
        expect(run(schema, JSON.stringify(value))).toMatchObject({ ok: true, value: { x: value } });
      }),
      { numRuns: 15 },
    );
  });

  test("text for a text input is the same text after the repair of its neighbour", () => {
    const input = {
      type: "object",
      properties: { x: string, n: integer, o: { type: "object" } },
      required: ["x", "n"],
    };
    const compiled = compileInput({ name: "T", input });
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.string(), (text, inner) => {
        const o = JSON.stringify({ inner });
        expect(validateInput(compiled, { x: text, n: "1", o })).toMatchObject({
          ok: true,
          value: { x: text, n: 1, o: { inner } },
        });
      }),
    );
  });

  test("whatever comes, what is ok fits, and what is given is not changed", () => {
    const input = {
      type: "object",
      properties: { i: integer, b: boolean, s: string, l: integers, e: genre, p: point },
      required: ["i"],
      additionalProperties: false,
    };
    const compiled = compileInput({ name: "T", input });
    const strict = compileInput({ name: "T", input });
    const any = fc.dictionary(
      fc.constantFrom("i", "b", "s", "l", "e", "p", "I", "q"),
      fc.oneof(
        fc.jsonValue(),
        fc.jsonValue().map((value) => JSON.stringify(value)),
        fc.constantFrom("WAR", "1", "true", "1,2"),
      ),
    );
    fc.assert(
      fc.property(any, (given) => {
        const before = JSON.stringify(given);
        const validated = validateInput(compiled, given);
        expect(JSON.stringify(given)).toBe(before);
        if (validated instanceof Promise || !validated.ok) return;
        expect(validateInput(strict, validated.value)).toMatchObject({ ok: true, repairs: [] });
      }),
      { numRuns: runs(120) },
    );
  });
});
