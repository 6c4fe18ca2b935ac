import { expect, test } from "vitest";
import { similarWords } from "./similar-words.ts";

const known = ["temperature", "temperament", "template", "light", "lights", "cat"];

test.for([
  { word: "tempreature", similar: ["temperature"], because: "two letters are swapped" },
  { word: "lightz", similar: ["light", "lights"], because: "the end differs" },
  { word: "cart", similar: [], because: "known words of three letters are not compared" },
  { word: "cat", similar: [], because: "nor are such words asked for" },
  { word: "x".repeat(33), similar: [], because: "it is too long to be a word" },
  { word: "qqqqqq", similar: [], because: "it is like none" },
])("$word is like $similar: $because", ({ word, similar }) => {
  const found = similarWords(known)
    .of(word)
    .map((each) => each.word);

  expect(found.slice(0, 2).toSorted()).toEqual(similar);
});

test("an answer does not depend on the words asked for before", () => {
  const words = similarWords(known);
  const first = words.of("tempreature");
  const others = Array.from({ length: 600 }, (_, index) => `template${index}`);
  for (const other of others) words.of(other);

  expect(words.of("tempreature")).toEqual(first);
  expect(words.of("tempreature")).toEqual(similarWords(known).of("tempreature"));
});
