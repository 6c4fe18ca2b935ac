import { expect, test } from "vitest";
import { limitRows, readLimitsPage, withLimits } from "../../scripts/limits-table.ts";

/** Without what a formatter may change. */
function plain(text: string): string {
  return text.replaceAll(/ +/gu, " ").replaceAll(/-+/gu, "-");
}

test("docs/reference/limits.md has every limit with its default", () => {
  expect(plain(withLimits(readLimitsPage()))).toBe(plain(readLimitsPage()));
  expect(limitRows().length).toBeGreaterThan(30);
});

test("what a comment calls the default of a limit is its default", () => {
  expect(limitRows().filter(({ said, value }) => said !== value)).toEqual([]);
});
