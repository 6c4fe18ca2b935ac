import { expect, test } from "vitest";
import { readDocument, unformatted, withTables } from "../../scripts/permissions-table.ts";

test("the tables of docs/reference/rules.md are those of the tests", () => {
  const document = readDocument();

  expect(unformatted(withTables(document))).toBe(unformatted(document));
});

test("every kind of rule is shown in both directions", () => {
  const document = readDocument();

  for (const name of ["Bash", "Read", "Edit", "WebFetch", "Agent", "Skill", "mcp__github"]) {
    const rows = document.split("\n").filter((line) => line.includes(`\`${name}`));
    expect(
      rows.some((row) => row.includes("| yes")),
      name,
    ).toBe(true);
    expect(
      rows.some((row) => row.includes("| no")),
      name,
    ).toBe(true);
  }
});
