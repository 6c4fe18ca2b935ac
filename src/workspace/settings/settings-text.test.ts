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
