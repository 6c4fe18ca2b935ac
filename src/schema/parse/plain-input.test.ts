import { expect, test } from "vitest";
import { plainInput } from "./plain-input.ts";

function withFields(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
}

test.each([
  ["an object", withFields(20_001)],
  ["an object within", { list: [withFields(20_001)] }],
])("%s of more fields than any tool knows is refused by name", (_, input) => {
  expect(plainInput(input)).toEqual({
    ok: false,
    because: "one of its objects has more than 20000 fields",
  });
});

test("an object of many fields is taken", () => {
  expect(plainInput(withFields(20_000))).toEqual({ ok: true, value: withFields(20_000) });
});

test("bytes in place of fields are refused by name", () => {
  expect(plainInput(new Uint8Array(1_000_000))).toEqual({
    ok: false,
    because: "it is bytes, not fields",
  });
});
