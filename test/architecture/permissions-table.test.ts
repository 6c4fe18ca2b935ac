import { expect, test } from "vitest";
import { readDocument, unformatted, withTables } from "../../scripts/permissions-table.ts";

test("the tables of docs/reference/rules.md are those of the tests", () => {
  const document = readDocument();

  expect(unformatted(withTables(document))).toBe(unformatted(document));
});

test("every kind of rule is shown in both directions", () => {
  const document = readDocument();

  const missing = ["Bash", "Read", "Edit", "WebFetch", "Agent", "Skill", "mcp__github"].filter(
    (name) => {
      const rows = document.split("\n").filter((line) => line.includes(`\`${name}`));
      return (
        !rows.some((row) => row.includes("| yes")) || !rows.some((row) => row.includes("| no"))
      );
    },
  );

  expect(missing).toEqual([]);
});
