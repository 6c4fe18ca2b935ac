import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";

// Old texts without a trailing blank that the file has are compared line by line.
test.for([
  {
    because: "the line that is now the last one leaves its ending to the file",
    text: "a1 \r\nb1\r\nc1\r\n",
    old: "a1\nb1",
    new: "a1",
    result: "a1 \r\nc1\r\n",
  },
  {
    because: "a carriage return alone is no ending, and stays",
    text: "a1 \nb1\rc1\n",
    old: "a1\nb1\r",
    new: "a2\nb1\r",
    result: "a2\nb1\rc1\n",
  },
  {
    because: "the last line but one keeps the ending it has",
    text: "a1 \r\nb1\nc1\r\n",
    old: "a1\nb1\nc1",
    new: "a1\nb1\nc2",
    result: "a1 \r\nb1\nc2\r\n",
  },
  {
    because: "what was sent as the file has it is replaced in the endings of the file",
    text: "a1\r\nb1\r\n",
    old: "a1\r\nb1",
    new: "a1\nb2",
    result: "a1\r\nb2\r\n",
  },
])("$because", ({ text, old, new: newText, result }) => {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : plan).toBe(result);
});
