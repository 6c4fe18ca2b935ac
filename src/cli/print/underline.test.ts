import { expect, test } from "vitest";
import { underlined } from "../verbs/explain/explain.ts";

const spans = (...parts: readonly (readonly [number, number])[]) =>
  parts.map(([start, end]) => ({ span: { start, end } }));

test("parts are numbered where they begin, and overlapping parts get rows of their own", () => {
  expect(underlined("sudo cat a; ls", spans([0, 10], [5, 10], [12, 14]))).toEqual([
    "sudo cat a; ls",
    "1---------  3-",
    "     2----",
  ]);
});

test("each line is followed by its own rows, and a part over two lines is marked on both", () => {
  expect(underlined("ls\nsh <<E\npwd\nE", spans([0, 2], [3, 13]))).toEqual([
    "ls",
    "1-",
    "sh <<E",
    "2-----",
    "pwd",
    "2--",
    "E",
  ]);
});

test("an empty part marks nothing, and a number is never cut", () => {
  const many = Array.from({ length: 10 }, (_, index) => [index * 2, index * 2 + 1] as const);

  expect(underlined("a b c d e f g h i j", spans([0, 0], [2, 3]))).toEqual([
    "a b c d e f g h i j",
    "  2",
  ]);
  expect(underlined("a b c d e f g h i j", spans(...many))).toEqual([
    "a b c d e f g h i j",
    "1 2 3 4 5 6 7 8 9 10",
  ]);
});

test("what a terminal would act on is made visible without moving the marks", () => {
  expect(underlined("a\tb\u001b", spans([2, 3]))).toEqual(["a b␛", "  1"]);
});
