import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

test("blanks in the middle of a line are not blanks at its end", () => {
  const edit = { oldText: "say(&quot;hi&quot;);", newText: "say(&quot;bye&quot;);" };

  const plan = planEdit('say("hi"); // greets\n', [edit]);

  expect(plan).toMatchObject({ kind: "plan", text: 'say("bye"); // greets\n' });
  expect(plan.kind === "plan" ? plan.interpretations : []).toHaveLength(1);
});
