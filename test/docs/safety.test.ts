import { expect, test } from "vitest";
import { drivers } from "../../src/sandbox/index.ts";
import type { GapId } from "../../src/sandbox/policy/gaps.ts";
import { unformatted } from "../../scripts/permissions-table.ts";
import { readSafetyPage, withPathTables } from "../../scripts/path-tables.ts";
import { codeWords, tableRows, textOf } from "./markdown.ts";

/** Every gap a driver may name: a new one does not compile before it is here, and fails before it is explained. */
const gaps = {
  "missing-protected": true,
  "protected-paths": true,
  "nested-repositories": true,
  "unsearched-protected": true,
  "open-secrets": true,
  attributes: true,
  "hidden-names": true,
  "late-files": true,
  "replaced-paths": true,
  "hidden-inside": true,
  reads: true,
  locks: true,
  writes: true,
  background: true,
  processes: true,
  signals: true,
  "abstract-sockets": true,
  "unix-sockets": true,
  "system-v": true,
  vsock: true,
  network: true,
  loopback: true,
  "proxy-only": true,
  "hosts-unsupported": true,
  "no-filter": true,
  limits: true,
  "denied-patterns": true,
  kernel: true,
  untested: true,
  foreign: true,
} as const satisfies Record<GapId, true>;

/** The first words in code of the rows of the table that begins with this heading. */
function firstCells(heading: string): readonly string[] {
  const text = textOf("docs/safety.md");
  const from = text.search(new RegExp(`^\\| ${heading} +\\|.*\\n\\| -`, "mu"));
  const rows = text.slice(from, text.indexOf("\n\n", from)).split("\n").slice(2);
  return rows.map((row) => codeWords(row.split("|")[1] ?? "")[0] ?? "");
}

test("every gap that a report may name is explained, and no other", () => {
  expect(firstCells("gap")).toEqual(Object.keys(gaps));
  const explained = tableRows("docs/safety.md").filter(([cell = ""]) =>
    Object.hasOwn(gaps, codeWords(cell)[0] ?? ""),
  );
  expect(explained.every(([, means = "", where = ""]) => means.length > 20 && where !== "")).toBe(
    true,
  );
});

test("every driver has a row", () => {
  expect(firstCells("driver")).toEqual(
    expect.arrayContaining(["none", ...drivers.map(({ name }) => name)]),
  );
});

test("the modes of a command are named", () => {
  expect(firstCells("mode")).toEqual(["undo", "preview", "off"]);
});

test("the tables of protected and secret paths are those of the code", () => {
  const page = readSafetyPage();

  expect(unformatted(page)).toBe(unformatted(withPathTables(page)));
});
