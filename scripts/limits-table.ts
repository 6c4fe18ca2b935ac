import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { defaultLimits } from "../src/core/index.ts";

// Writes the table of docs/reference/limits.md from src/core/tables/limits.ts:
//   node scripts/limits-table.ts          writes it; format the file afterwards

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "docs/reference/limits.md");

export interface LimitRow {
  /** As written in `limits`: `read.lines`. */
  readonly name: string;
  /** Default that the comment states; undefined if it states none. */
  readonly said: number | undefined;
  readonly value: number;
  readonly meaning: string;
}

/** Each number of `defaultLimits`, with what the comment above its type says of it. */
export function limitRows(): readonly LimitRow[] {
  const source = readFileSync(path.join(root, "src/core/tables/limits.ts"), "utf8");
  return Object.entries(defaultLimits).flatMap(([group, numbers]: [string, object]) =>
    Object.entries(numbers).map(([key, value]: [string, number]) => {
      const of = source.slice(source.indexOf(`readonly ${group}: {`));
      const comment = new RegExp(
        `/\\*\\* (.*?) ?Default ([\\d,]+)\\. \\*/\\s+readonly ${key}:`,
        "u",
      );
      const [, meaning = "", said] = comment.exec(of) ?? [];
      return {
        name: `${group}.${key}`,
        said: said === undefined ? undefined : Number(said.replaceAll(",", "")),
        value,
        meaning,
      };
    }),
  );
}

/** The page as it should be, its table generated again between its comments. */
export function withLimits(document: string): string {
  const rows = limitRows().map(
    ({ name, value, meaning }) => `| \`${name}\` | ${value.toLocaleString("en-US")} | ${meaning} |`,
  );
  const table = ["| name | default | limit |", "| --- | --- | --- |", ...rows].join("\n");
  return document.replace(
    /(<!-- limits -->\n)[\s\S]*(\n<!-- end -->)/u,
    (_all, before: string, after: string) => `${before}\n${table}\n${after}`,
  );
}

export function readLimitsPage(): string {
  return readFileSync(file, "utf8");
}

if (import.meta.main) writeFileSync(file, withLimits(readLimitsPage()));
