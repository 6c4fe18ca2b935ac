import { expect, test } from "vitest";
import { removeProperty } from "./remove-property.ts";

test.each([
  ['{\n  // a\n  "a": 1, // b\n  "c": 2\n}', ["a"], '{\n  // a\n   // b\n  "c": 2\n}'],
  ['{\n  "a": 1,\n  "c": 2\n}', ["a"], '{\n  "c": 2\n}'],
  ['{\n  "a": 1, // b\n  "c": 2 /* d */\n}', ["c"], '{\n  "a": 1 // b\n   /* d */\n}'],
  ['{ "a": { "b": 1 } }', ["a", "b"], '{ "a": {  } }'],
  ['{ "a": 1 }', ["b"], '{ "a": 1 }'],
])("%s without %j", (text, path, left) => {
  expect(removeProperty(text, path)).toBe(left);
});
