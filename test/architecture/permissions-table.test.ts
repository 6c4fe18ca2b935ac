import { expect, test } from "vitest";
import { readDocument, unformatted, withTables } from "../../scripts/permissions-table.ts";

test("the tables of docs/reference/rules.md are those of the tests", () => {
  const document = readDocument();

  expect(unformatted(withTables(document))).toBe(unformatted(document));
});

test.each(["Bash", "Read", "Edit", "WebFetch", "Agent", "Skill", "mcp__github"])(
  "%s is shown in both directions",
  (name) => {
    const rows = readDocument()
      .split("\n")
      .filter((line) => line.includes(`\`${name}`));

    expect(rows.some((row) => row.includes("| yes"))).toBe(true);
    expect(rows.some((row) => row.includes("| no"))).toBe(true);
  },
);
