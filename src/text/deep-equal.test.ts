import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { deepEqual } from "./deep-equal.ts";

const json = fc
  .jsonValue({ maxDepth: 3 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

test("agrees with the platform on JSON values", () => {
  fc.assert(
    fc.property(json, json, (left, right) => {
      expect(deepEqual(left, right)).toBe(isDeepStrictEqual(left, right));
      expect(deepEqual(left, structuredClone(left))).toBe(true);
    }),
  );
});

test.for([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1, 2], [1], false],
  [[], {}, false],
  [{}, [], false],
  [null, {}, false],
  [{}, null, false],
  [1, "1", false],
] as const)("%j and %j: %s", ([left, right, same]) => {
  expect(deepEqual(left, right)).toBe(same);
});
