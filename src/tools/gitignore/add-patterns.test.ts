import * as fc from "fast-check";
import { expect, test } from "vitest";
import { addPatterns } from "./add-patterns.ts";

test.for([
  {
    because: "a new file ends with a line break",
    before: "",
    patterns: ["dist/", "*.log"],
    text: "dist/\n*.log\n",
  },
  {
    because: "what is there stays",
    before: "# built\ndist/\n",
    patterns: ["*.log"],
    text: "# built\ndist/\n*.log\n",
  },
  {
    because: "line endings stay",
    before: "dist/\r\n",
    patterns: ["*.log", "x"],
    text: "dist/\r\n*.log\r\nx\r\n",
  },
  { because: "an open end stays open", before: "dist/", patterns: ["*.log"], text: "dist/\n*.log" },
  {
    because: "an open end stays open with CRLF",
    before: "a\r\nb",
    patterns: ["c"],
    text: "a\r\nb\r\nc",
  },
  {
    because: "what is there is not added",
    before: "dist/\n",
    patterns: ["dist/"],
    text: "dist/\n",
  },
  {
    because: "blanks at its end do not belong to a pattern",
    before: "dist/  \n",
    patterns: ["dist/ "],
    text: "dist/  \n",
  },
  {
    because: "a blank that a backslash keeps is",
    before: "a\n",
    patterns: ["a\\ "],
    text: "a\na\\ \n",
  },
  {
    because: "a carriage return does not belong to a pattern",
    before: "a\r\nb\n",
    patterns: ["a"],
    text: "a\r\nb\n",
  },
  {
    because: "a commented pattern does not count",
    before: "#dist/\n",
    patterns: ["dist/"],
    text: "#dist/\ndist/\n",
  },
  {
    because: "a pattern that a later line negates is added again",
    before: "a\n!a\n",
    patterns: ["a"],
    text: "a\n!a\na\n",
  },
  {
    because: "one that is added again after that is there",
    before: "!a\na\n",
    patterns: ["a"],
    text: "!a\na\n",
  },
  {
    because: "an exception is a pattern too",
    before: "a\n",
    patterns: ["!a", "!a"],
    text: "a\n!a\n",
  },
  { because: "one given twice is added once", before: "", patterns: ["a", "a"], text: "a\n" },
])("$because", ({ before, patterns, text }) => {
  expect(addPatterns(before, patterns).text).toBe(text);
});

test.for(["", "  ", "!", "#x", "a\nb", "a\rb", "a\0"])("%j is not a pattern", (pattern) => {
  expect(() => addPatterns("", [pattern])).toThrow(
    expect.objectContaining({ code: "INVALID_INPUT" }),
  );
});

test("adding twice is adding once, and nothing that was there changes", () => {
  const line = fc.constantFrom("a", "!a", "b/", "#c", "", "d ", "!b/");
  fc.assert(
    fc.property(
      fc.array(line),
      fc.array(fc.constantFrom("a", "!a", "b/", "d", "!b/"), { minLength: 1, maxLength: 4 }),
      fc.record({ ending: fc.constantFrom("\n", "\r\n"), isOpen: fc.boolean() }),
      (lines, patterns, { ending, isOpen }) => {
        const before = lines.join(ending) + (isOpen ? "" : ending);
        const once = addPatterns(before, patterns);
        expect(once.text.startsWith(before)).toBe(true);
        // A pattern and its exception cancel each other.
        fc.pre(!patterns.some((pattern) => new Set<string>(patterns).has(`!${pattern}`)));
        expect(addPatterns(once.text, patterns)).toEqual({ text: once.text, added: [] });
      },
    ),
  );
});
