import * as fc from "fast-check";
import { distance as levenshtein } from "fastest-levenshtein";
import { expect, test } from "vitest";
import { defineTool } from "../../core/index.ts";
import { editDistance, nearestNames } from "./nearest.ts";
import { registeredTool, type RegisteredTool } from "../registered-tool.ts";

function toolNamed(name: string, aliases: readonly string[] = []): RegisteredTool {
  return registeredTool(
    defineTool({
      name,
      aliases,
      description: "",
      touches: [],
      input: { type: "object" },
      run: () => ({ content: "" }),
    }),
    undefined,
  );
}

const tools = [
  toolNamed("Read", ["FileRead"]),
  ...["Write", "Edit", "Grep", "Glob", "TodoWrite", "mcp__github__create_issue"].map((name) =>
    toolNamed(name),
  ),
];

test.for([
  { name: "Raed", near: ["Read"], because: "two letters changed places" },
  { name: "ReadFile", near: ["Read"], because: "the name stands inside" },
  { name: "file_reader", near: ["Read"], because: "an alias is near" },
  { name: "Grpe", near: ["Grep"], because: "close by letters" },
  { name: "Writ", near: ["Write", "Edit", "TodoWrite"], because: "the closest comes first" },
  { name: "todo-write-list", near: ["TodoWrite", "Write"], because: "style does not count" },
  {
    name: "create_issue",
    near: ["mcp__github__create_issue"],
    because: "a server's tool without its server",
  },
  { name: "functions.Raed", near: ["Read"], because: "a namespace does not count" },
  { name: "CompletelyDifferent", near: [], because: "nothing is near" },
  { name: "", near: [], because: "an empty name is near to nothing" },
  { name: "!!", near: [], because: "nor are signs" },
])("near to $name is $near: $because", ({ name, near }) => {
  expect(nearestNames(name, tools)).toEqual(near);
});

test("three names at most, equal ones by name", () => {
  const alike = ["Tool4", "Tool2", "Tool3", "Tool1"].map((name) => toolNamed(name));

  expect(nearestNames("Tool9", alike)).toEqual(["Tool1", "Tool2", "Tool3"]);
});

test("a text of any length is answered", () => {
  expect(nearestNames("Read".repeat(100_000), tools)).toEqual([]);
});

test.for([
  { a: "", b: "", distance: 0, because: "the same" },
  { a: "read", b: "", distance: 4, because: "all left out" },
  { a: "read", b: "raed", distance: 1, because: "two neighbours swapped" },
  { a: "read", b: "red", distance: 1, because: "one left out" },
  { a: "read", b: "rread", distance: 1, because: "one put in" },
  { a: "read", b: "reed", distance: 1, because: "one replaced" },
  { a: "abcd", b: "badc", distance: 2, because: "two swaps" },
  { a: "kitten", b: "sitting", distance: 3, because: "the usual example" },
])("from $a to $b it is $distance: $because", ({ a, b, distance }) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test("it is at most the distance without swaps, which takes two steps for one", () => {
  fc.assert(
    fc.property(letters, letters, (a, b) => {
      const least = editDistance(a, b);
      expect(least).toBeLessThanOrEqual(levenshtein(a, b));
      expect(least * 2).toBeGreaterThanOrEqual(levenshtein(a, b));
    }),
  );
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
