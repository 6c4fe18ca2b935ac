import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { limitRows } from "./limits-table.ts";

// Writes the tables of docs/tools.md, the inputs and limits of each tool, from the catalog and src/core/tables/limits.ts:
//   node scripts/tools-tables.ts          writes them; format the file afterwards

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "docs/tools.md");

interface Property {
  readonly type?: string;
  readonly description?: string;
}

interface CatalogTool {
  readonly name: string;
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, Property>>;
    readonly required?: readonly string[];
  };
}

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  array: "list",
};

/**
 * The page as it should be, with the tables of each tool generated again between its marks; the text around them is
 * prose.
 */
export function withToolTables(document: string): string {
  const catalog: readonly CatalogTool[] = JSON.parse(
    readFileSync(path.join(root, "src/tools/catalog.json"), "utf8"),
  );
  return document.replace(
    /(<!-- tables of (\w+) -->\n)(?:[\s\S]*?\n)??(<!-- end -->)/gu,
    (all, ...[before = "", name = "", after = ""]: string[]) => {
      const tool = catalog.find((each) => each.name === name);
      return tool === undefined ? all : `${before}\n${tablesOf(tool)}\n\n${after}`;
    },
  );
}

export function readToolsPage(): string {
  return readFileSync(file, "utf8");
}

function tablesOf(tool: CatalogTool): string {
  return [inputTable(tool), limitTable(tool)].filter((each) => each !== "").join("\n\n");
}

function inputTable({ inputSchema: { properties = {}, required = [] } }: CatalogTool): string {
  const rows = Object.entries(properties).map(([name, { type = "", description = "" }]) => [
    `\`${name}\``,
    `${words[type] ?? type}${required.includes(name) ? " (required)" : ""}`,
    description.replaceAll(/[|*]/gu, "\\$&"),
  ]);
  return table(["input", "type", ""], rows);
}

function limitTable({ name, timeoutMs, maxChars }: CatalogTool): string {
  const group = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}.`;
  const rows = limitRows()
    .filter((row) => row.name.startsWith(group))
    .map((row) => [`\`limits.${row.name}\``, number(row.value), row.meaning]);
  if (maxChars !== undefined) {
    const shown = "Characters of an answer that are shown.";
    rows.push([`\`limits.shownChars.${name}\``, number(maxChars), shown]);
  }
  if (timeoutMs !== undefined) {
    rows.push(["time", number(timeoutMs), "Milliseconds after which the call is ended."]);
  }
  return table(["limit", "default", ""], rows);
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  return [header, header.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

if (import.meta.main) writeFileSync(file, withToolTables(readToolsPage()));
