import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { commandRules } from "../test/policy/command-rules.ts";
import { ruleForms } from "../test/policy/rule-forms.ts";

// Writes the tables of docs/reference/rules.md from the cases the tests run:
//   node scripts/permissions-table.ts          writes them; format the file afterwards
//   node scripts/permissions-table.ts --check  exits with 1 where they are not current

const file = path.join(import.meta.dirname, "../docs/reference/rules.md");

interface Row {
  readonly list: string;
  readonly rule: string;
  readonly on: string;
  readonly matches: boolean;
  readonly because: string;
}

/** The document as it should be, its tables generated again between their comments. */
export function withTables(document: string): string {
  const commands = commandRules.map((row) => ({ ...row, on: row.command }));
  return between(between(document, "commands", table(commands)), "forms", formTables());
}

export function readDocument(): string {
  return readFileSync(file, "utf8");
}

/** The document without what a formatter may change: runs of spaces and dashes, and space inside double backticks. */
export function unformatted(document: string): string {
  return document
    .replaceAll(/ +/gu, " ")
    .replaceAll(/ ?`` ?/gu, "``")
    .replaceAll(/-+/gu, "-")
    .replaceAll(/ \n/gu, "\n");
}

function formTables(): string {
  const forms = new Map<string, Row[]>();
  for (const { form, list, rule, on, matches, because } of ruleForms) {
    const rows = forms.get(form) ?? [];
    const [first] = on;
    const what =
      first === undefined
        ? ""
        : first.kind === "execute"
          ? first.argv.map((word) => (typeof word === "string" ? word : "$…")).join(" ")
          : "path" in first
            ? `${first.kind} ${first.path}`
            : "host" in first
              ? `connect ${first.host}`
              : first.kind;
    rows.push({ list, rule, on: what, matches, because });
    forms.set(form, rows);
  }
  return [...forms].map(([form, rows]) => `### ${form}\n\n${table(rows)}`).join("\n\n");
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ list, rule, on, matches, because }) =>
      `| ${list} | ${code(rule)} | ${code(on)} | ${matches ? "yes" : "no"} | ${escaped(because)} |`,
  );
  return [
    "| list | rule | on | matches | because |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
  ].join("\n");
}

/** Code in a table cell: a line end is shown as ⏎, and a backtick needs longer quotes. */
function code(text: string): string {
  if (text === "") return "";
  const line = text.replaceAll("\n", "⏎").replaceAll("|", "\\|");
  if (!line.includes("`")) return `\`${line}\``;
  return /^`|`$/u.test(line) ? `\`\` ${line} \`\`` : `\`\`${line}\`\``;
}

function escaped(text: string): string {
  return text.replaceAll(/[|*_<>]/gu, String.raw`\$&`);
}

function between(document: string, name: string, content: string): string {
  const open = `<!-- ${name} -->`;
  const close = `<!-- /${name} -->`;
  const start = document.indexOf(open);
  const end = document.indexOf(close);
  if (start === -1 || end === -1) throw new TypeError(`docs/reference/rules.md has no ${open}.`);
  return `${document.slice(0, start + open.length)}\n\n${content}\n\n${document.slice(end)}`;
}

if (process.argv[1] === import.meta.filename) {
  const document = readDocument();
  if (!process.argv.includes("--check")) writeFileSync(file, withTables(document));
  else if (unformatted(withTables(document)) !== unformatted(document)) {
    process.stderr.write(
      "docs/reference/rules.md is not current; run node scripts/permissions-table.ts\n",
    );
    process.exitCode = 1;
  }
}
