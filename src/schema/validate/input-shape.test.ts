import { expect, test } from "vitest";
import type { JsonSchema } from "../../core/index.ts";
import { hasStrayKey, inputShape } from "./input-shape.ts";
import { nodeAt } from "./schema-node.ts";

const leaf: JsonSchema = { type: "object", properties: { a: { type: "string" } } };

function lists(depth: number): JsonSchema {
  return depth === 0 ? leaf : { type: "array", items: lists(depth - 1) };
}

function inLists(depth: number, value: unknown): unknown {
  return depth === 0 ? value : [inLists(depth - 1, value)];
}

function objects(depth: number): JsonSchema {
  return depth === 0
    ? leaf
    : { type: "object", properties: { a: objects(depth - 1) }, additionalProperties: false };
}

function inObjects(depth: number, value: unknown): unknown {
  return depth === 0 ? value : { a: inObjects(depth - 1, value) };
}

test.each([
  ["lists", lists, inLists],
  ["objects", objects, inObjects],
] as const)("a key nobody reads is noticed in up to six nested %s", (_kind, schema, wrapped) => {
  for (const [depth, isNoticed] of [
    [0, true],
    [3, true],
    [6, true],
    [7, false],
  ] as const) {
    const shape = inputShape(nodeAt(schema(depth), schema(depth)));
    const found = shape !== undefined && hasStrayKey(shape, wrapped(depth, { b: 1 }));
    expect([depth, found]).toEqual([depth, isNoticed]);
    expect(shape !== undefined && hasStrayKey(shape, wrapped(depth, { a: "x" }))).toBe(false);
  }
});
