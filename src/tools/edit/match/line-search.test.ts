import { expect, test } from "vitest";
import { LineSearch } from "./line-search.ts";

const text = "key a key\n\nb\n key c\nkey a\r\nd\nkey e";
const any = (): boolean => true;
const isAlone = (line: string): boolean => line.trim() === "key a";

test("lines are found by a piece of theirs, each once, from the first to the last", () => {
  expect(new LineSearch(text).find({ piece: "key", isMeant: any })).toEqual([0, 3, 4, 6]);
});

test("of those with the piece only the ones that are meant count", () => {
  expect(new LineSearch(text).find({ piece: "a", isMeant: isAlone })).toEqual([4]);
});

test("no more are looked for than are enough", () => {
  expect(new LineSearch(text).find({ piece: "key", isMeant: any, most: 2 })).toEqual([0, 3]);
});

test.for([
  { looks: 3, found: undefined },
  { looks: 4, found: [0, 3, 4, 6] },
])("with $looks looks it finds $found", ({ looks, found }) => {
  expect(new LineSearch(text).find({ piece: "key", isMeant: any, looks })).toEqual(found);
});

test.for([
  { index: -1, line: undefined },
  { index: 0, line: "key a key" },
  { index: 1, line: "" },
  { index: 4, line: "key a\r" },
  { index: 6, line: "key e" },
  { index: 7, line: undefined },
])("line $index is $line", ({ index, line }) => {
  expect(new LineSearch(text).line(index)).toBe(line);
});

test("a text that ends with a line break has an empty last line", () => {
  expect(new LineSearch("a\n").line(1)).toBe("");
});
