import { expect, test } from "vitest";
import { plainJson } from "./map-json-strings.ts";
import { redact } from "../redact/redact-text.ts";

const shout = (text: string): string => (text.startsWith("a") ? text.toUpperCase() : text);

test("what no change touches is the very same value", () => {
  const value = { list: ["b", { c: "d" }], none: null, number: 1 };

  expect(plainJson(value, shout)).toBe(value);
});

test("what is changed is a copy, and only along the way to it", () => {
  const same = { b: "b" };
  const value = { deep: [same, { a: "abc" }], same };

  const changed = plainJson(value, shout);

  expect(changed).toEqual({ deep: [same, { a: "ABC" }], same });
  expect(changed).toHaveProperty("same", same);
  expect(value.deep[1]).toEqual({ a: "abc" });
});

test("what an object inherits is not made its own", () => {
  const value: object = Object.assign(Object.create({ inherited: "abc" }), { own: "abc" });

  expect(plainJson(value, shout)).toEqual({ own: "ABC" });
});

test("a key that names the prototype stays a key", () => {
  const value: unknown = JSON.parse('{"__proto__":{"a":"abc"},"b":"abc"}');

  expect(JSON.stringify(plainJson(value, shout))).toBe('{"__proto__":{"a":"ABC"},"b":"ABC"}');
});

const circle: Record<string, unknown> = {};
circle["first"] = circle;
circle["second"] = circle;

test.each([
  ["a circle", circle],
  ["a function", { a: () => 1 }],
  ["a big integer", [1n]],
  ["a symbol", Symbol("a")],
  [
    "what throws when it is looked at",
    {
      get a(): string {
        throw new Error("no");
      },
    },
  ],
])("%s is nothing that JSON carries", (_, value) => {
  expect(plainJson(value, shout)).toBeUndefined();
});

test("a secret is found however many texts without one were met before", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  for (let count = 0; count < 3000; count += 1) redact(`text ${count}`);

  expect(redact(secret)).toBe("[redacted: GitHub token]");
  expect(redact("text 1")).toBe("text 1");
  expect(redact(secret)).toBe("[redacted: GitHub token]");
});
