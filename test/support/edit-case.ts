import { planEdit } from "../../src/tools/edit/plan-edit.ts";

/** One edit of a text, and what comes of it. */
export interface EditCase {
  readonly because: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** The text afterwards; undefined where the edit is refused. */
  readonly result: string | undefined;
}

/** The text after the edit; undefined where it is refused. */
export function edited({ text, old, new: newText }: Omit<EditCase, "result">): string | undefined {
  const plan = planEdit(text, [{ oldText: old, newText }]);
  return plan.kind === "plan" ? plan.text : undefined;
}
