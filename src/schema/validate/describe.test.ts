import { expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { describeNode } from "./describe.ts";
import { nodeAt } from "./schema-node.ts";

const text: JsonSchema = { type: "string" };
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });

test.each<[JsonSchema, string]>([
  [listOf(text), "array of string"],
  [listOf(listOf(text)), "array of array of string"],
  [listOf(listOf(listOf(text))), "array of array of array"],
  [{ type: "array" }, "array"],
  [{ ...listOf(text), minItems: 1, maxItems: 3 }, "array of string (at least 1, at most 3)"],
  [listOf({ anyOf: [text, { type: "null" }] }), "array of string or null"],
])("%j is described as %s", (schema, words) => {
  expect(describeNode(nodeAt(schema, schema))).toBe(words);
});
