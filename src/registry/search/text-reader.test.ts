import { expect, test } from "vitest";
import { searchTerms } from "./search-text.ts";
import { TextReader } from "./text-reader.ts";

function textsRead(reader: TextReader): readonly (string | undefined)[] {
  const words = [...reader.words.keys()];
  return Array.from(reader.tokens, (number) => words[number]);
}

const texts = ["Creates getHTTPFiles", "created files", "Größe der Datei", ""];

test("texts are read as the numbers of their terms", () => {
  const reader = new TextReader();
  for (const text of texts) reader.read(text);

  expect(textsRead(reader)).toEqual(texts.flatMap(searchTerms));
  expect(reader.words.get("creat")).toBe(0);
});

test("a text that repeats is read the same each time, however many words there are", () => {
  const reader = new TextReader();
  const repeated = Array.from({ length: 600 }).flatMap(() => [...texts, "x".repeat(300)]);
  for (const text of repeated) reader.readAgain(text);

  expect(textsRead(reader)).toEqual(repeated.flatMap(searchTerms));
});
