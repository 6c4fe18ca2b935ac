import { expect, test } from "vitest";
import { planEdit } from "../plan-edit.ts";

interface Case {
  readonly because: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  /** The text afterwards; undefined where the edit is refused. */
  readonly result: string | undefined;
}

function check({ text, old, new: newText, result }: Case): void {
  const plan = planEdit(text, [{ oldText: old, newText }]);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
}

test.for<Case>([
  {
    because: "blank lines around both leave those of the file",
    text: "a1\n\nb1\nc1\n",
    old: "\n\n\nb1\nc1\n\n\n",
    new: "\n\n\nb2\nc1\n\n\n",
    result: "a1\n\nb2\nc1\n",
  },
  {
    because: "what the new text has more is its own",
    text: "a1\nb1\nc1\n",
    old: "\nb1\n\n",
    new: "\n\nb2\n\n\n",
    result: "a1\n\nb2\n\nc1\n",
  },
  {
    because: "blanks on them do not count",
    text: "a1\nb1\nc1\n",
    old: "  \nb1\n\t\n",
    new: "  \nb2\n\t\n",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "a last line without a line break keeps that",
    text: "a1\nb1",
    old: "b1\n",
    new: "b2\n",
    result: "a1\nb2",
  },
  {
    because: "the new text has fewer, which may be wanted",
    text: "a1\nb1\nc1\n",
    old: "\nb1\n\n",
    new: "\nb2\n",
    result: undefined,
  },
  {
    because: "a text between blank lines is a whole line",
    text: "subname\n",
    old: "\nname\n",
    new: "\nother\n",
    result: undefined,
  },
  {
    because: "and at its end, too",
    text: "name_of\n",
    old: "name\n\n",
    new: "other\n\n",
    result: undefined,
  },
  {
    because: "nothing would be left",
    text: "a1\nb1\nc1\n",
    old: "b1\n\n",
    new: "\n\n",
    result: undefined,
  },
  {
    because: "the new text has none of those that the file has not either",
    text: "a1\nb1\nc1\n",
    old: "\n\nb1\n\n",
    new: "b2",
    result: "a1\nb2\nc1\n",
  },
  {
    because: "the next line has one character",
    text: "a1\nb1\nc\n",
    old: "b1\n\n\n",
    new: "b2",
    result: "a1\nb2\nc\n",
  },
  {
    because: "the file ends without a line break, and begins with an empty line",
    text: "\na1\nb1",
    old: "b1\n\n\n",
    new: "b2",
    result: "\na1\nb2",
  },
  {
    because: "only those before are left out, at the start of a file",
    text: "b1\nc1\n",
    old: "\n\nb1",
    new: "b2",
    result: "b2\nc1\n",
  },
  {
    because: "only those after are left out, at the end of a file",
    text: "a1\nb1\n",
    old: "b1\n\n\n",
    new: "b2",
    result: "a1\nb2\n",
  },
  {
    because: "a blank line before the place may be one that is to go",
    text: "a1\n\nb1\nc1\n",
    old: "\n\n\nb1",
    new: "b2",
    result: undefined,
  },
  {
    because: "a blank line that begins the file may be to go, too",
    text: "\nb1\nc1\n",
    old: "\n\nb1",
    new: "b2",
    result: undefined,
  },
  {
    because: "a line of blanks after the place may be to go, too",
    text: "a1\nb1\n  \nc1\n",
    old: "b1\n\n\n",
    new: "b2",
    result: undefined,
  },
  {
    because: "a blank line on the side where nothing was left out stays",
    text: "a1\nb1\n\nc1\n",
    old: "\n\nb1",
    new: "b2",
    result: "a1\nb2\n\nc1\n",
  },
  {
    because: "a blank line on the other side where nothing was left out stays",
    text: "a1\n\nb1\nc1\n",
    old: "b1\n\n\n",
    new: "b2",
    result: "a1\n\nb2\nc1\n",
  },
  {
    because: "blank lines after it say nothing about where it starts",
    text: "x = b();\ny\n",
    old: "b();\n\n",
    new: "c();\n\n",
    result: "x = c();\ny\n",
  },
  {
    because: "blank lines before it say nothing about where it ends",
    text: "a\nx = b;\n",
    old: "\n\nx = b",
    new: "\n\nx = c",
    result: "a\nx = c;\n",
  },
  {
    because: "blanks behind the last line break belong to it",
    text: "b();",
    old: "b();\n  ",
    new: "c();\n  ",
    result: "c();",
  },
])("blank lines around: $because", check);
