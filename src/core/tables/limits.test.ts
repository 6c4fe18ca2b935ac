import { expect, test } from "vitest";
import { defaultLimits, limitsWith } from "./limits.ts";

test("without anything given, the defaults hold", () => {
  expect(limitsWith()).toEqual(defaultLimits);
});

const groups = Object.entries(defaultLimits).filter(([name]) => name !== "shownChars");

test.each(groups)("one limit of %s replaces its own default and no other", (name, defaults) => {
  const [key = ""] = Object.keys(defaults);
  const given = { [name]: { [key]: 12_345 } };

  expect(limitsWith(given)).toEqual({
    ...defaultLimits,
    [name]: { ...defaults, [key]: 12_345 },
  });
});

test("what is shown of a tool is copied, so that a later change of it changes nothing", () => {
  const shownChars = { Read: 5 };
  const { shownChars: kept } = limitsWith({ shownChars });
  shownChars.Read = 6;

  expect(kept).toEqual({ Read: 5 });
});
