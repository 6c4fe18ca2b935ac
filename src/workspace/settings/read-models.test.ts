import { expect, test } from "vitest";
import { mergeModels, readModels } from "./read-models.ts";

const info = { contextTokens: 200_000, maxOutputTokens: 64_000 };
const usdPerMTok = { input: 1, output: 5, cacheRead: 0.1 };

test("models are read as they are", () => {
  const given = {
    default: "fast",
    background: "a:small",
    aliases: { fast: "a:m" },
    catalog: { "a:m": { ...info, usdPerMTok } },
  };

  expect(readModels(given)).toEqual({ values: given, problems: [] });
});

test("without models nothing is read", () => {
  expect(readModels(undefined)).toEqual({ values: {}, problems: [] });
});

test.each([
  { given: [], path: [], says: "`models` is an object." },
  { given: { defaults: "a:m" }, path: ["defaults"], says: "there are default, background" },
  { given: { default: 1 }, path: ["default"], says: "`models.default` is a model" },
  { given: { background: "" }, path: ["background"], says: "`models.background` is a model" },
  { given: { aliases: ["a:m"] }, path: ["aliases"], says: "`models.aliases` is an object" },
  { given: { aliases: { fast: 1 } }, path: ["aliases", "fast"], says: "is a model" },
  { given: { catalog: "a:m" }, path: ["catalog"], says: "`models.catalog` is an object" },
  { given: { catalog: { "a:m": 1 } }, path: ["catalog", "a:m"], says: "is an object with" },
  {
    given: { catalog: { "a:m": { contextTokens: 0.5 } } },
    path: ["catalog", "a:m", "contextTokens"],
    says: "is a whole number above 0",
  },
  {
    given: { catalog: { "a:m": { price: 1 } } },
    path: ["catalog", "a:m", "price"],
    says: "there are contextTokens, maxOutputTokens, usdPerMTok",
  },
  {
    given: { catalog: { "a:m": { usdPerMTok: { input: 1 } } } },
    path: ["catalog", "a:m", "usdPerMTok"],
    says: "has at least input and output",
  },
  {
    given: { catalog: { "a:m": { usdPerMTok: { input: 1, output: -5 } } } },
    path: ["catalog", "a:m", "usdPerMTok", "output"],
    says: "is a number of at least 0",
  },
])("$given is reported at $path", ({ given, path, says }) => {
  const { problems } = readModels(given);

  expect(problems).toEqual([
    { path, message: expect.stringContaining(says), hint: "It is ignored." },
  ]);
});

test("a price list with one wrong price is left out, so that no tokens count as free", () => {
  const wrong = { ...usdPerMTok, cacheRead: "cheap" };

  const { values } = readModels({ catalog: { "a:m": { ...info, usdPerMTok: wrong } } });

  expect(values).toEqual({ catalog: { "a:m": info } });
});

test("a name such as __proto__ is an entry like any other", () => {
  const given: unknown = JSON.parse('{"aliases":{"__proto__":"a:m"}}');

  expect(Object.keys(readModels(given).values.aliases ?? {})).toEqual(["__proto__"]);
});

test("of two sources the more specific counts, entry by entry", () => {
  const user = { default: "fast", aliases: { fast: "a:m", slow: "a:l" }, catalog: { "a:m": info } };
  const local = { aliases: { fast: "b:m" }, catalog: { "b:m": {} } };

  expect(mergeModels([user, local])).toEqual({
    default: "fast",
    aliases: { fast: "b:m", slow: "a:l" },
    catalog: { "a:m": info, "b:m": {} },
  });
});
