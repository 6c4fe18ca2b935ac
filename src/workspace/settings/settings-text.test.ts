import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSettings } from "./read-settings.ts";
import { readSettingsText } from "./settings-text.ts";

test.each([
  { text: "[".repeat(200_000), because: "brackets that nobody closes" },
  {
    text: `${'{"permissions":'.repeat(5000)}1${"}".repeat(5000)}`,
    because: "objects in objects",
  },
])("a text that is nested deeper than any settings is broken: $because", ({ text }) => {
  const read = readSettingsText(`\n${text}`);

  expect(read.value).toBeUndefined();
  expect(read.broken).toEqual({ message: "more than 100 brackets in one another", line: 2 });
  expect(readSettings(read.value, { text: read }).rules.ask).toEqual([{ rule: "*", line: 2 }]);
});

test.each([
  { text: `${"[".repeat(100)}1${"]".repeat(100)}`, because: "a hundred brackets" },
  { text: `[${"[],".repeat(500)}[]]`, because: "many next to one another" },
  { text: `]${"[]".repeat(2)}`, because: "one that closes nothing, which is broken otherwise" },
])("other texts are read: $because", ({ text }) => {
  expect(readSettingsText(text).broken?.message ?? "").not.toContain("brackets");
});

test("a rule is reported with its line number, in a file of any length", () => {
  const rules = Array.from({ length: 3000 }, (_, index) => `${index}`).join(",\n");
  const read = readSettingsText(`{"deny":[\n${rules}]}`);

  const lines = [0, 1, 1499, 2999].map((index) => read.lineOf(["deny", index]));

  expect(lines).toEqual([2, 3, 1501, 3001]);
  expect(read.lineOf([])).toBe(1);
});

/** A comment takes the way of the parser that knows comments. */
const commented = (text: string): string => `${text} // a comment`;

test("plain JSON is read as it is with a comment", () => {
  const blanks = fc.constantFrom(undefined, 2, "\t");
  fc.assert(
    fc.property(fc.jsonValue(), blanks, (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      const plain = readSettingsText(text);
      const other = readSettingsText(commented(text));

      expect(plain.value).toStrictEqual(other.value);
      expect([plain.broken, plain.repeated]).toEqual([other.broken, other.repeated]);
      for (const path of pathsOf(value)) expect(plain.lineOf(path)).toBe(other.lineOf(path));
    }),
  );
});

function pathsOf(value: unknown): readonly (string | number)[][] {
  if (typeof value !== "object" || value === null) return [[]];
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    [],
    ...below.flatMap(([key, each]: [string | number, unknown]) =>
      pathsOf(each).map((path) => [key, ...path]),
    ),
  ];
}

test.each([
  { text: '{"deny":["a"],"deny":[]}', repeated: [{ key: "deny", line: 1 }] },
  { text: '{"a":{"b":1,\n"b":1}}', repeated: [{ key: "b", line: 2 }] },
  { text: String.raw`{"b":1,"\u0062":2}`, repeated: [{ key: "b", line: 1 }] },
  { text: '{"__proto__":1,"__proto__":1}', repeated: [{ key: "__proto__", line: 1 }] },
  { text: '{"a":"{\\"b\\":1,\\"b\\":2}"}', repeated: [] },
])("a key that occurs twice in an object is found: $text", ({ text, repeated }) => {
  expect(readSettingsText(text).repeated).toEqual(repeated);
  expect(readSettingsText(commented(text)).repeated).toEqual(repeated);
});

test("an object has the keys of the text and no others", () => {
  const { value } = readSettingsText('{"hooks":{}}');

  expect(value).toSatisfy((given: object) => !("constructor" in given));
  expect(value).toHaveProperty("hooks", Object.create(null));
});
