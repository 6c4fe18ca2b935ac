import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { compileInput, type CompiledInput } from "../validate/compile-input.ts";
import { validateInput } from "../validate/validate-input.ts";

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

describe("a near miss with one reading is taken as meant", () => {
  const cases: readonly { schema: JsonSchema; given: unknown; taken: unknown; kind: string }[] = [
    { schema: integer, given: "6", taken: 6, kind: "number-in-text" },
    { schema: integer, given: " -6 ", taken: -6, kind: "number-in-text" },
    { schema: integer, given: "3.0", taken: 3, kind: "number-in-text" },
    { schema: integer, given: "1e3", taken: 1000, kind: "number-in-text" },
    { schema: number, given: "-9.81", taken: -9.81, kind: "number-in-text" },
    { schema: number, given: "1e+21", taken: 1e21, kind: "number-in-text" },
    { schema: { ...integer, enum: [1, 2] }, given: "2", taken: 2, kind: "number-in-text" },
    { schema: { type: ["integer", "null"] }, given: "5", taken: 5, kind: "number-in-text" },
    {
      schema: { anyOf: [integer, { type: "null" }] },
      given: "5",
      taken: 5,
      kind: "number-in-text",
    },
    { schema: { anyOf: [integer, boolean] }, given: "5", taken: 5, kind: "number-in-text" },
    {
      schema: { oneOf: [integer, boolean] },
      given: "false",
      taken: false,
      kind: "boolean-in-text",
    },
    { schema: { anyOf: [integers, integer] }, given: "5", taken: 5, kind: "number-in-text" },
    { schema: boolean, given: "true", taken: true, kind: "boolean-in-text" },
    { schema: boolean, given: "False", taken: false, kind: "boolean-in-text" },
    { schema: boolean, given: " TRUE", taken: true, kind: "boolean-in-text" },
    { schema: { type: ["integer", "null"] }, given: "null", taken: null, kind: "null-in-text" },
    { schema: { type: ["integer", "null"] }, given: "None", taken: null, kind: "null-in-text" },
    { schema: string, given: 12345, taken: "12345", kind: "number-as-text" },
    { schema: string, given: -0.5, taken: "-0.5", kind: "number-as-text" },
    { schema: { ...string, enum: ["1", "2"] }, given: 2, taken: "2", kind: "number-as-text" },
    { schema: genre, given: "DRAMA", taken: "Drama", kind: "choice-spelling" },
    { schema: genre, given: " drama", taken: "Drama", kind: "choice-spelling" },
    { schema: genre, given: "sci_fi", taken: "Sci-fi", kind: "choice-spelling" },
    {
      schema: { ...string, enum: ["True", "False"] },
      given: true,
      taken: "True",
      kind: "choice-spelling",
    },
    { schema: { const: "On" }, given: "on", taken: "On", kind: "choice-spelling" },
    { schema: strings, given: '["a","b"]', taken: ["a", "b"], kind: "json-in-text" },
    { schema: strings, given: " ['a', \"it's\"]", taken: ["a", "it's"], kind: "json-in-text" },
    { schema: strings, given: "[]", taken: [], kind: "json-in-text" },
    { schema: integers, given: "[1,2]", taken: [1, 2], kind: "json-in-text" },
    { schema: integers, given: '["1","2"]', taken: [1, 2], kind: "json-in-text" },
    {
      schema: point,
      given: '{"lat": 1, "lon": 2}',
      taken: { lat: 1, lon: 2 },
      kind: "json-in-text",
    },
    {
      schema: point,
      given: "{'lat': '1', 'lon': 2}",
      taken: { lat: 1, lon: 2 },
      kind: "json-in-text",
    },
    {
      schema: { type: "object" },
      given: '{"a": {"b": "c"}}',
      taken: { a: { b: "c" } },
      kind: "json-in-text",
    },
    {
      schema: { type: "array", items: point },
      given: '{"lat": 1, "lon": 2}',
      taken: [{ lat: 1, lon: 2 }],
      kind: "json-in-text",
    },
    {
      schema: { type: "array", items: point },
      given: { lat: 1, lon: 2 },
      taken: [{ lat: 1, lon: 2 }],
      kind: "single-for-list",
    },
    {
      schema: { type: "array", items: point },
      given: { 0: { lat: 1, lon: 2 } },
      taken: [{ lat: 1, lon: 2 }],
      kind: "indexed-object",
    },
    { schema: strings, given: { 0: "a", 1: "b" }, taken: ["a", "b"], kind: "indexed-object" },
    { schema: strings, given: "L", taken: ["L"], kind: "single-for-list" },
    { schema: strings, given: "two words", taken: ["two words"], kind: "single-for-list" },
    { schema: strings, given: 7, taken: ["7"], kind: "single-for-list" },
    { schema: integers, given: 7, taken: [7], kind: "single-for-list" },
    { schema: integers, given: "7", taken: [7], kind: "single-for-list" },
    {
      schema: { type: "array", items: boolean },
      given: true,
      taken: [true],
      kind: "single-for-list",
    },
    {
      schema: { type: "array", items: genre },
      given: "war",
      taken: ["War"],
      kind: "single-for-list",
    },
    {
      schema: { anyOf: [strings, { type: "null" }] },
      given: "a",
      taken: ["a"],
      kind: "single-for-list",
    },
    {
      schema: { type: "array", items: { type: "string", enum: ["a, b", "c"] } },
      given: "a, b",
      taken: ["a, b"],
      kind: "single-for-list",
    },
    {
      schema: { type: "array", items: genre },
      given: "war, DRAMA",
      taken: ["War", "Drama"],
      kind: "comma-list",
    },
    { schema: integers, given: "1, 2,3", taken: [1, 2, 3], kind: "comma-list" },
    { schema: integers, given: "1, 234", taken: [1, 234], kind: "comma-list" },
    {
      schema: { type: "array", items: number },
      given: "0.5,-2",
      taken: [0.5, -2],
      kind: "comma-list",
    },
    { schema: string, given: ["a"], taken: "a", kind: "unwrapped-item" },
    {
      schema: point,
      given: [{ lat: 1, lon: 2 }],
      taken: { lat: 1, lon: 2 },
      kind: "unwrapped-item",
    },
  ];

  test.for(cases)("$given as $taken ($kind)", ({ schema, given, taken, kind }) => {
    const before = structuredClone(given);
    const validated = run(schema, given);

    expect(validated).toMatchObject({ ok: true, value: { x: taken } });
    expect(validated).toHaveProperty(["repairs", "0", "kind"], kind);
    expect(validated).toHaveProperty(["repairs", "0", "path"], "/x");
    expect(given).toEqual(before);
  });
});

describe("an ambiguous input, or one that is not a near miss, is refused", () => {
  const cases: readonly { schema: JsonSchema; given: unknown; because: string }[] = [
    { schema: integer, given: "6.5", because: "a fraction is not an integer" },
    { schema: integer, given: 6.5, because: "a fraction is not an integer" },
    { schema: integer, given: "abc", because: "no number" },
    { schema: integer, given: "", because: "nothing is not 0" },
    { schema: integer, given: "007", because: "an identifier rather than a number" },
    { schema: integer, given: "1,000", because: "a point in some languages" },
    { schema: integer, given: "1,000 units", because: "no number" },
    { schema: integer, given: "0x10", because: "not JSON's way to write numbers" },
    { schema: integer, given: "12345678901234567890", because: "a double would change its digits" },
    { schema: number, given: "NaN", because: "no number" },
    { schema: number, given: "Infinity", because: "no JSON number" },
    { schema: number, given: "1e999", because: "too large for a number" },
    { schema: number, given: "twelve", because: "a word" },
    { schema: integer, given: true, because: "not a number" },
    { schema: integer, given: null, because: "null for a required input is not 0" },
    { schema: string, given: null, because: "null for a required input is not empty text" },
    { schema: boolean, given: "yes", because: "a word, not a boolean" },
    { schema: boolean, given: "maybe", because: "a word, not a boolean" },
    { schema: boolean, given: "1", because: "a number, not a boolean" },
    { schema: boolean, given: "", because: "nothing is not false" },
    { schema: boolean, given: 1, because: "a number, not a boolean" },
    { schema: string, given: true, because: "how to write it is not said" },
    { schema: string, given: { a: 1 }, because: "how to write it is not said" },
    { schema: string, given: ["a", "b"], because: "one of two" },
    { schema: string, given: [null], because: "null is not a text" },
    { schema: string, given: 1e21, because: "the digits are not all there" },
    {
      schema: string,
      given: Number("12345678901234567890"),
      because: "the digits were lost in parsing",
    },
    { schema: genre, given: "Comedy", because: "no choice" },
    { schema: genre, given: "", because: "no choice" },
    { schema: { ...string, enum: ["asc", "ASC"] }, given: "Asc", because: "two choices" },
    { schema: { ...string, enum: ["a-b", "ab"] }, given: "a b", because: "two choices" },
    {
      schema: { ...string, enum: ["--", "x"] },
      given: "_",
      because: "nothing of it is left to compare",
    },
    { schema: strings, given: "", because: "an empty list or a list with empty text" },
    { schema: strings, given: "Age, Income", because: "one text with a comma or two" },
    { schema: strings, given: "a\nb", because: "one text or two lines" },
    { schema: strings, given: "a;b", because: "one text or two" },
    { schema: strings, given: "[a-z]", because: "looks like a list, but is not one" },
    { schema: strings, given: '["a"', because: "a list that was cut off" },
    { schema: strings, given: '["a", {}]', because: "an item that is not a text" },
    { schema: strings, given: "('a', 'b')", because: "a Python tuple is not JSON" },
    { schema: strings, given: {}, because: "nothing to tell a list by" },
    { schema: strings, given: { 1: "a", 2: "b" }, because: "a list does not start at 1" },
    { schema: strings, given: { 0: "a", 2: "b" }, because: "an item is missing" },
    { schema: strings, given: { a: "b" }, because: "no list" },
    { schema: strings, given: ["a", null], because: "null is not a text" },
    { schema: strings, given: null, because: "null for a required list is not empty" },
    {
      schema: { type: "array", items: point },
      given: {},
      because: "an empty list or an empty point",
    },
    {
      schema: { type: "array", items: { type: "object" } },
      given: {},
      because: "an empty list or one empty object",
    },
    { schema: integers, given: "1,234", because: "a thousands separator or a list" },
    { schema: integers, given: "1, x", because: "no list of numbers" },
    { schema: integers, given: "1,", because: "an item may be missing" },
    { schema: integers, given: [1, "x"], because: "an item is not a number" },
    {
      schema: { type: "array", items: genre },
      given: "war, peace",
      because: "one is not a choice",
    },
    { schema: { type: "array", items: integers }, given: [1, 2], because: "[[1],[2]] or [[1,2]]" },
    {
      schema: { type: "array", items: { type: "array", items: integers } },
      given: [[1]],
      because: "either level may be missing",
    },
    { schema: point, given: '{"lat": 1', because: "an object that was cut off" },
    { schema: point, given: '{"lat": 1}', because: "a required key is missing" },
    { schema: point, given: "1, 2", because: "no object" },
    {
      schema: {
        anyOf: [
          { type: "array", items: integer, maxItems: 1 },
          { type: "object", required: ["a"] },
        ],
      },
      given: "x",
      because: "fits no branch",
    },
    {
      schema: { anyOf: [integers, strings] },
      given: "7",
      because: "[7] or ['7']",
    },
  ];

  test.for(cases)("$given: $because", ({ schema, given }) => {
    expect(run(schema, given)).toMatchObject({ ok: false });
  });
});
