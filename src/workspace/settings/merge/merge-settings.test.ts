import { expect, test } from "vitest";
import { mergeModels } from "./merge-settings.ts";

const info = { contextTokens: 200_000, maxOutputTokens: 64_000 };

test("of two sources the more specific counts, entry by entry", () => {
  const user = { default: "fast", aliases: { fast: "a:m", slow: "a:l" }, catalog: { "a:m": info } };
  const local = { aliases: { fast: "b:m" }, catalog: { "b:m": {} } };

  expect(mergeModels([user, local])).toEqual({
    default: "fast",
    aliases: { fast: "b:m", slow: "a:l" },
    catalog: { "a:m": info, "b:m": {} },
  });
});
