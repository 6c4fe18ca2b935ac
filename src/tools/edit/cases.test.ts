import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

interface Case {
  readonly name: string;
  readonly file: string;
  readonly old: string;
  readonly new: string;
  /** Expected file; null if the edit is refused. */
  readonly expect: string | null;
  readonly because: string;
  /** Part of the message of the refusal. */
  readonly refused?: string;
}

const folder = path.join(import.meta.dirname, "../../../test/cases/edit");

describe.for(globSync("*.jsonl", { cwd: folder }).toSorted())("%s", (name) => {
  const lines = readFileSync(path.join(folder, name), "utf8").trim().split("\n");
  const cases = lines.map((line): Case => JSON.parse(line));

  test.for(cases)("$name: $because", ({ file, old, new: newText, expect: result, refused }) => {
    const plan = planEdit(file, [{ oldText: old, newText }]);

    expect(plan.kind === "plan" ? plan.text : null).toBe(result);
    expect(plan.kind === "plan" ? "" : plan.message).toContain(refused ?? "");
  });
});
