import { expect, test } from "vitest";
import { placesIn, replacementsIn, symbolsIn } from "./read-answers.ts";
import { pathOf, uriOf } from "./uri.ts";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };

test("an address with parts that are not names is not a path", () => {
  const refused = [
    "file:///work/../etc/passwd",
    "file:///work/%2e%2e/etc/passwd",
    "file:///work/..%2fetc/passwd",
    "file:///work/./a",
    "file:////etc/passwd",
    "file:///work/a/..",
    "file:///work/a%00",
    "http://work/a",
  ];

  expect(refused.filter((uri) => pathOf(uri) !== undefined)).toEqual([]);
  expect(pathOf(uriOf("/work/..a/b../c d#?%2e"))).toBe("/work/..a/b../c d#?%2e");
});

test("a place that is reached by .. is left out, and a rename of it is refused", () => {
  const uri = "file:///work/src/../secret.txt";

  expect(placesIn([{ uri, range }])).toEqual([]);
  expect(() => replacementsIn({ changes: { [uri]: [{ range, newText: "x" }] } })).toThrow(
    "changes that haft cannot make",
  );
});

test("symbols nested without end are read to a bounded depth", () => {
  let symbol: object = { name: "last", range };
  for (let depth = 0; depth < 50_000; depth += 1)
    symbol = { name: `s${depth}`, range, children: [symbol] };

  const found = symbolsIn([symbol, { name: "next", range }], "/work/a");

  expect(found).toHaveLength(101);
  expect(found.at(-1)?.name).toBe("next");
});
