import { expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

test.for([
  { text: "", tokens: 0, because: "nothing is nothing" },
  { text: "abcd", tokens: 1, because: "four letters are one" },
  { text: "abcde", tokens: 2, because: "a part counts whole" },
  { text: "\u043F\u0440\u0438\u0432", tokens: 1, because: "another alphabet counts like ours" },
  { text: "\u4F60\u597Dab", tokens: 3, because: "a Chinese character is one" },
])("$because", ({ text, tokens }) => {
  expect(estimateTokens(text)).toBe(tokens);
});
