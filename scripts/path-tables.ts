import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import {
  everydayParts,
  protectedFamilies,
  runningParts,
} from "../src/core/tables/protected-paths.ts";
import { secretVariables } from "../src/core/tables/secret-variables.ts";
import { secretFamilyNames, secretRows } from "../src/core/tables/secret-rows.ts";
import { familyReasons } from "../src/core/tables/family-reasons.ts";

// Writes the tables of protected and secret paths in docs/safety.md from src/core/tables:
//   node scripts/path-tables.ts          writes them; format the file afterwards

const file = path.join(import.meta.dirname, "../docs/safety.md");

/** The page as it should be, its tables generated again between their comments. */
export function withPathTables(document: string): string {
  const tables = {
    protected: table(
      Object.entries(protectedFamilies).map(([family, names]) => [family, names.split(" ")]),
    ),
    parts: partsTable(),
    secrets: table(secretFamilyNames.map((family) => [family, secretRows(family)])),
    variables: Object.keys(secretVariables).map(code).join(", "),
  };
  return Object.entries(tables).reduce(
    (text, [name, content]) => between(text, name, content),
    document,
  );
}

export function readSafetyPage(): string {
  return readFileSync(file, "utf8");
}

function table(rows: readonly (readonly [string, readonly string[]])[]): string {
  const reasons = new Map(Object.entries(familyReasons));
  const lines = rows.map(
    ([family, names]) =>
      `| ${family} | ${reasons.get(family) ?? ""} | ${names.map(code).join(", ")} |`,
  );
  return ["| family | why | paths |", "| --- | --- | --- |", ...lines].join("\n");
}

function partsTable(): string {
  const lines = [
    ...Object.entries(runningParts).map(
      ([name, parts]) => `| ${code(name)} | only ${parts.map(code).join(", ")} |`,
    ),
    ...Object.entries(everydayParts).map(
      ([name, parts]) => `| ${code(name)} | everything except ${parts.map(code).join(", ")} |`,
    ),
  ];
  return ["| path | protected from programs |", "| --- | --- |", ...lines].join("\n");
}

function code(name: string): string {
  return `\`${name}\``;
}

function between(document: string, name: string, content: string): string {
  const open = `<!-- ${name} -->`;
  const close = `<!-- /${name} -->`;
  const start = document.indexOf(open);
  const end = document.indexOf(close);
  if (start === -1 || end === -1) throw new TypeError(`docs/safety.md has no ${open}.`);
  return `${document.slice(0, start + open.length)}\n\n${content}\n\n${document.slice(end)}`;
}

if (import.meta.main) writeFileSync(file, withPathTables(readSafetyPage()));
