/**
 * Runs the cases of test/cases/edit: a file for each subject, a case on each line, as one JSON object with the fields of
 * `Case`. A new case, or a new file of cases, needs no code.
 */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { planEdit } from "./plan-edit.ts";

const Case = z.strictObject({
  /** Name, where the reason alone does not say which case it is. */
  name: z.string().min(1).optional(),
  /** Text of the file, and the strings of the edit. */
  file: z.string(),
  old: z.string(),
  new: z.string(),
  replace_all: z.boolean().optional(),
  near_line: z.int().optional(),
  /** Text of the file afterwards; null if the edit is refused. */
  expect: z.string().nullable(),
  /** Reason for what is expected. */
  because: z.string().min(1),
  /** Part of the message of the refusal. */
  refused: z.string().optional(),
});

const folder = path.join(import.meta.dirname, "../../../test/cases/edit");

describe.for(globSync("*.jsonl", { cwd: folder }).toSorted())("%s", (name) => {
  const lines = readFileSync(path.join(folder, name), "utf8").trim().split("\n");
  const cases = lines.map((line) => {
    const each = Case.parse(JSON.parse(line));
    const title = each.name === undefined ? each.because : `${each.name}: ${each.because}`;
    return { ...each, title };
  });

  test.for(cases)("$title", (each) => {
    const edit = { oldText: each.old, newText: each.new };
    const { replace_all: replaceAll, near_line: nearLine } = each;
    const plan = planEdit(each.file, [{ ...edit, replaceAll, nearLine }]);

    expect(plan.kind === "plan" ? plan.text : null).toBe(each.expect);
    expect(plan.kind === "plan" ? "" : plan.message).toContain(each.refused ?? "");
  });
});
