import { expect, test } from "vitest";
import { readToolsPage, withToolTables } from "../../scripts/tools-tables.ts";

/** Without what a formatter may change. */
function plain(text: string): string {
  return text.replaceAll(/ +/gu, " ").replaceAll(/-+/gu, "-").replaceAll("\\", "");
}

test("docs/tools.md has the inputs and limits of each tool as the catalog and the limits say", () => {
  expect(plain(withToolTables(readToolsPage()))).toBe(plain(readToolsPage()));
  expect(readToolsPage()).toContain("| `limits.read.lines`");
});
