import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { accepts, findIssues } from "./check-schema.ts";
import { jsonSchemaValidator } from "./json-schema-validator.ts";
import { nodeAt } from "./schema-node.ts";
import { runs } from "../../../test/support/law-runs.ts";

const verdict = (schema: JsonSchema, value: unknown) => accepts(nodeAt(schema, schema), value);

const small = fc.integer({ min: -3, max: 3 });
const text = fc.constantFrom("", "a", "ab", "A", "1", "true");
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    small,
    fc.constantFrom(0.5, 2.5, null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
  ),
})).value;

const anySchema = fc
  .letrec<{ schema: JsonSchema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<JsonSchema>(
        {},
        { type: "string" },
        { type: "integer" },
        { type: "boolean" },
        { type: ["string", "null"] },
        { type: "string", pattern: "^a" },
        { enum: ["a", 1, null] },
        { const: true },
        { not: { type: "string" } },
        { $ref: "#/$defs/word" },
      ),
      fc.record({ type: fc.constant("number"), minimum: small, maximum: small }),
      fc.record({ type: fc.constant("integer"), exclusiveMinimum: small, exclusiveMaximum: small }),
      fc.record({ type: fc.constant("number"), multipleOf: fc.constantFrom(0.5, 2) }),
      fc.record({ type: fc.constant("string"), minLength: fc.nat(2), maxLength: fc.nat(2) }),
      fc.record({
        type: fc.constant("array"),
        items: tie("schema"),
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
      }),
      fc.record({
        type: fc.constant("array"),
        prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      }),
      fc.record(
        {
          type: fc.constant("object"),
          properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
          required: fc.uniqueArray(fc.constantFrom("a", "b")),
          additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
        },
        { requiredKeys: ["type"] },
      ),
      fc.record({
        patternProperties: fc.record({ "^a": tie("schema") }),
        additionalProperties: fc.constant(false),
      }),
      fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
      fc.record({
        allOf: fc.array(
          fc.constantFrom<JsonSchema>(
            { type: "object", properties: { a: { type: "string" } } },
            { required: ["b"] },
            { properties: { a: { minLength: 1 } } },
          ),
          { minLength: 1, maxLength: 3 },
        ),
      }),
    ),
  }))
  .schema.map((schema) => ({ ...schema, $defs: { word: { type: "string", minLength: 1 } } }));

test("agrees with a full validator on the keywords that shape an input", () => {
  fc.assert(
    fc.property(
      anySchema,
      fc.array(anyValue, { minLength: 1, maxLength: 20 }),
      (schema, values) => {
        const validate = jsonSchemaValidator(schema);
        for (const value of values) {
          const isFine = !("issues" in validate(value));
          expect({ schema, value, isFine: verdict(schema, value) }).toEqual({
            schema,
            value,
            isFine,
          });
          expect(findIssues(nodeAt(schema, schema), value).length === 0).toBe(isFine);
        }
      },
    ),
    { numRuns: runs(50) },
  );
});

test("what it does not know it accepts", () => {
  expect(verdict({ $ref: "https://example.com/other" }, 1)).toBe(true);
  expect(verdict({ $ref: "#/nowhere" }, 1)).toBe(true);
  expect(verdict({ type: "string", pattern: "(" }, "x")).toBe(true);
  expect(verdict({ type: "string", format: "date" }, "x")).toBe(true);
  expect(verdict({ type: "odd" }, 1)).toBe(true);
});

const withA = (schema: JsonSchema): JsonSchema => ({
  properties: { a: schema, same: { type: "null" } },
});

test("what several parts say of one property holds together", () => {
  const both = {
    allOf: [withA({ type: "string" }), withA({ minLength: 2 }), { properties: { b: false } }],
  };

  expect(verdict(both, { a: "xx", same: null })).toBe(true);
  expect(verdict(both, { a: "x" })).toBe(false);
  expect(verdict(both, { a: 22 })).toBe(false);
  expect(verdict(both, { same: 1 })).toBe(false);
  expect(verdict(both, { b: 1 })).toBe(false);
  expect(
    verdict({ allOf: [{ type: ["string", "null"] }, { type: ["null", "integer"] }] }, "x"),
  ).toBe(false);
});

test("nullable and references with escaped names are followed", () => {
  const root = { $defs: { "a/b~c": { type: "string" } } };

  expect(accepts(nodeAt(root, { $ref: "#/$defs/a~1b~0c" }), 1)).toBe(false);
  expect(accepts(nodeAt(root, { $ref: "#/$defs/a~1b~0c" }), "x")).toBe(true);
  expect(verdict({ type: "string", nullable: true }, null)).toBe(true);
  expect(verdict({ type: "string", nullable: false }, null)).toBe(false);
});

const kind = (name: string) => ({
  type: "object",
  properties: { kind: { const: name }, n: { type: "integer" } },
  required: ["kind", "n"],
});
const paths = (of: JsonSchema, value: unknown) =>
  findIssues(nodeAt(of, of), value).map(({ path, expected }) => `${path} ${expected}`);

test("of a union, the intended alternative is reported", () => {
  const schema = { oneOf: [kind("a"), kind("b")] };
  const nullable = { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] };
  expect(paths(schema, { kind: "b", n: "x" })).toEqual(["/n integer"]);
  expect(paths(schema, { kind: "c", n: 1 })).toEqual([" object with kind, n"]);
  expect(paths(nullable, 0)).toEqual([" integer (>= 1)"]);
  expect(paths(nullable, "x")).toEqual([" integer (>= 1) or null"]);
});
