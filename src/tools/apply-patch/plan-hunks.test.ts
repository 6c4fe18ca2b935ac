import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePatch } from "./parse-patch.ts";
import { planHunks } from "./plan-hunks.ts";
import { runs } from "../../../test/support/law-runs.ts";

function planned(text: string, ...lines: readonly string[]) {
  const body = ["*** Begin Patch", "*** Update File: a", ...lines, "*** End Patch"].join("\n");
  const [change] = parsePatch(body);
  return planHunks(text, change?.kind === "update" ? change.hunks : []);
}

interface Case {
  readonly because: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** Expected text, or part of the reason why a hunk is refused. */
  readonly result?: string;
  readonly refused?: string;
}

const twice = "one {\n  a\n}\ntwo {\n  a\n}\n";

test.for<Case>([
  {
    because: "a line is replaced",
    text: "a\nb\nc\n",
    lines: ["@@", " a", "-b", "+B", " c"],
    result: "a\nB\nc\n",
  },
  { because: "the first line is one", text: "a\nb\n", lines: ["@@", "-a", "+A"], result: "A\nb\n" },
  {
    because: "a byte order mark stays",
    text: "\uFEFFa\nb\n",
    lines: ["@@", "-a", "+A"],
    result: "\uFEFFA\nb\n",
  },
  {
    because: "the last line without an end gets no half of one in a file of both kinds",
    text: "a\nb\r\nc",
    lines: ["@@", "-c", "+C"],
    result: "a\nb\r\nC",
  },
  {
    because: "a carriage return at the end of the file is its own",
    text: "a\nb\r",
    lines: ["@@", "-a", "+A"],
    result: "A\nb\r",
  },
  {
    because: "the last line without an end stays so",
    text: "a\nb",
    lines: ["@@", "-b", "+B", "+c"],
    result: "a\nB\nc",
  },
  { because: "all lines go", text: "a\nb", lines: ["@@", "-a", "-b"], result: "" },
  {
    because: "an empty line that begins a new text in a fence is its own",
    text: "a\nb1\nc\n",
    lines: ["@@", "-```", "-b1", "-```", "+```", "+", "+b2", "+```"],
    result: "a\n\nb2\nc\n",
  },
  {
    because: "lines are whole",
    text: "ab\nb\nbc\n",
    lines: ["@@", "-b", "+x"],
    result: "ab\nx\nbc\n",
  },
  {
    because: "no line is a part of another",
    text: "ab\nbc\n",
    lines: ["@@", "-b", "+x"],
    refused: "does not occur",
  },
  {
    because: "line endings are those of the place",
    text: "a\r\nb\r\n",
    lines: ["@@", " a", "-b", "+B", "+c"],
    result: "a\r\nB\r\nc\r\n",
  },
  {
    because: "an open CRLF file stays open",
    text: "a\r\nb",
    lines: ["@@", "-b", "+B", "+c"],
    result: "a\r\nB\r\nc",
  },
  {
    because: "the indentation is that of the file",
    text: "if\n\ta\n\tb\n",
    lines: ["@@", " a", "-b", "+c"],
    result: "if\n\ta\n\tc\n",
  },
  {
    because: "hunks may touch",
    text: "a\nb\nc\n",
    lines: ["@@", "-a", "+A", "@@", "-b", "+B", "@@", "-c", "+C"],
    result: "A\nB\nC\n",
  },
  {
    because: "hunks come in any order",
    text: "a\nb\nc\n",
    lines: ["@@", "-c", "+C", "@@", "-a", "+A"],
    result: "A\nb\nC\n",
  },
  {
    because: "a hunk sees the file as it was",
    text: "a\nb\n",
    lines: ["@@", "-a", "+b", "@@", "-b", "+c"],
    result: "b\nc\n",
  },
  {
    because: "a hunk comes after that of the next line",
    text: "a\nb\n",
    lines: ["@@", "-b", "+c", "@@", "-a", "+b"],
    result: "b\nc\n",
  },
  {
    because: "hunks overlap",
    text: "a\nb\nc\n",
    lines: ["@@", "-a", " b", "@@", " b", "-c"],
    refused: "same lines as another hunk, at line 2",
  },
  {
    because: "one hunk is sent twice",
    text: "a\nb\n",
    lines: ["@@", "-a", "+x", "@@", "-a", "+x"],
    refused: "same lines",
  },
  {
    because: "added lines alone go to the end",
    text: "a\n",
    lines: ["@@", "+b", "+c"],
    result: "a\nb\nc\n",
  },
  { because: "added lines go behind an open end", text: "a", lines: ["@@", "+b"], result: "a\nb" },
  { because: "an empty file gets its first lines", text: "", lines: ["@@", "+b"], result: "b\n" },
  {
    because: "added lines under a mark have no place",
    text: "a\nb\n",
    lines: ["@@ a", "+x"],
    refused: "give a line that is there",
  },
  {
    because: "nothing changes",
    text: "a\nb\n",
    lines: ["@@", " a", " b"],
    refused: "changes nothing",
  },
  {
    because: "the lines occur twice",
    text: twice,
    lines: ["@@", "-  a", "+  b"],
    refused: "may be at lines 2, 5",
  },
  {
    because: "a mark chooses",
    text: twice,
    lines: ["@@ two {", "-  a", "+  b"],
    result: "one {\n  a\n}\ntwo {\n  b\n}\n",
  },
  {
    because: "the first place below the mark is it",
    text: twice,
    lines: ["@@ one {", "-  a", "+  b"],
    result: "one {\n  b\n}\ntwo {\n  a\n}\n",
  },
  {
    because: "a part of a line is a mark too",
    text: twice,
    lines: ["@@ two", "-  a", "+  b"],
    result: "one {\n  a\n}\ntwo {\n  b\n}\n",
  },
  {
    because: "marks go down",
    text: `${twice}two {\n  a\n`,
    lines: ["@@ one {", "@@ two {", "-  a", "+  b"],
    refused: "is at lines 4, 7",
  },
  {
    because: "a mark that is given twice is not found below itself",
    text: twice,
    lines: ["@@ one {", "@@ one {", "-  a", "+  b"],
    refused: 'no line "one {"',
  },
  {
    because: "the mark is nowhere",
    text: twice,
    lines: ["@@ three {", "-  a", "+  b"],
    refused: 'no line "three {"',
  },
  {
    because: "the only place is above the mark",
    text: "a\nb\n",
    lines: ["@@ b", "-a", "+x"],
    refused: "at line 1, above",
  },
  {
    because: "the end of the file chooses",
    text: "a\nb\na\n",
    lines: ["@@", "-a", "+x", "*** End of File"],
    result: "a\nb\nx\n",
  },
  {
    because: "the only place is not at the end",
    text: "a\nb\n",
    lines: ["@@", "-a", "+x", "*** End of File"],
    refused: "not the end of the file",
  },
  {
    because: "none of two places is at the end",
    text: "a\na\nb\n",
    lines: ["@@", "-a", "+x", "*** End of File"],
    refused: "lines 1, 2",
  },
  {
    because: "a line is missing",
    text: "a\nc\n",
    lines: ["@@", " a", "-b", "+x"],
    refused: "lines 1 to 2",
  },
  {
    because: "the new text is not clear",
    text: "\ta1\n\tb1\n",
    lines: ["@@", "-a1", "-b1", "+  x", "+     y"],
    refused: "its old text matches only when read differently",
  },
])("$because", ({ text, lines, result, refused }) => {
  const plan = planned(text, ...lines);

  expect(plan.text).toBe(result);
  const reasons = plan.statuses.flatMap((status) =>
    status.kind === "refused" ? [status.because] : [],
  );
  expect(reasons.join("\n")).toContain(refused ?? "");
  expect(reasons.length > 0).toBe(refused !== undefined);
});

test("what is known of the file afterwards follows from the lines that change", () => {
  const plan = planned("a\nb\nc\nd\n", "@@", " a", "-b", "@@", "-d", "+D", "+e", "@@", "+f");

  expect(plan.text).toBe("a\nc\nD\ne\nf\n");
  expect(plan.changes).toEqual([
    { first: 1, last: 2, lines: 1 },
    { first: 4, last: 4, lines: 2 },
    { first: 5, last: 4, lines: 1 },
  ]);
  expect(plan.statuses).toEqual([
    { kind: "applied", line: 1, interpretations: [] },
    { kind: "applied", line: 4, interpretations: [] },
    { kind: "applied", line: 5, interpretations: [] },
  ]);
});

test("a difference as a patch makes the one text of the other", () => {
  const line = fc.constantFrom("a", "b", "  a", "", "\tb", "c = 1;");
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.array(line, { maxLength: 4 }),
      fc.nat({ max: 11 }),
      (lines, fresh, at) => {
        const from = Math.min(at, lines.length - 1);
        const updated = lines.toSpliced(from, 1, ...fresh);
        const text = lines.map((each) => `${each}\n`).join("");
        const hunk = [
          ...lines.slice(0, from).map((each) => ` ${each}`),
          `-${lines[from] ?? ""}`,
          ...fresh.map((each) => `+${each}`),
          ...lines.slice(from + 1).map((each) => ` ${each}`),
        ];
        const plan = planned(text, "@@", ...hunk);
        const result = updated.map((each) => `${each}\n`).join("");
        expect(plan.text).toBe(result === text ? undefined : result);
      },
    ),
    { numRuns: runs(500) },
  );
});
