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
  for (const text of texts) reader.readProse(text);

  expect(textsRead(reader)).toEqual(texts.flatMap(searchTerms));
  expect(reader.words.get("creat")).toBe(0);
});

test("a text that repeats is read the same each time, however many words there are", () => {
  const reader = new TextReader();
  const repeated = Array.from({ length: 600 }).flatMap(() => [...texts, "x".repeat(300)]);
  for (const text of repeated) reader.readAgain(text);

  expect(textsRead(reader)).toEqual(repeated.flatMap(searchTerms));
});

test.for([
  { name: "airquality", parts: ["air", "quality"], because: "both are words of the prose" },
  { name: "airqualityforecasts", parts: ["air", "quality", "forecast"], because: "three are too" },
  { name: "playlists", parts: undefined, because: "the prose has the word itself in another form" },
  { name: "airport", parts: undefined, because: "the prose has no port" },
  { name: "qualityby", parts: undefined, because: "a part of two letters says little" },
  { name: "air2quality", parts: undefined, because: "only letters are split" },
  { name: "airair".repeat(6), parts: undefined, because: "it is too long to be a word" },
])("$name in a name is made up of $parts: $because", ({ name, parts }) => {
  const reader = new TextReader();
  reader.readNames(name);
  reader.readProse("The quality of the air by play, lists or a playlist. Forecasts.");

  const words = [...reader.words.keys()];
  const [found] = reader.compounds().values();
  expect(found?.map((number) => words[number])).toEqual(parts);
});
