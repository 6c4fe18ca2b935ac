import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

test.for<EditCase>([
  {
    because: "the second of two line breaks is followed by an indentation",
    text: "a1\nb1\nx \\n y\n",
    old: "a1 \nb1",
    new: "a1\nc\\n\\n  d",
    result: undefined,
  },
  {
    because: "typographic quotes that the file has nowhere",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nsay(\u201Cx\u201D)",
    result: undefined,
  },
  {
    because: "full-width forms that the file has nowhere",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nsay\uFF08x\uFF09",
    result: undefined,
  },
  {
    because: "a byte order mark that the file has nowhere",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "\uFEFFa1\nb2",
    result: undefined,
  },
  {
    because: "a dash is written by many",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nb2 \u2014 b3",
    result: "a1\nb2 \u2014 b3\n",
  },
  {
    because: "they are the file's, too",
    text: "a1\nb1\n\u201Cq\u201D\n",
    old: "a1 \nb1",
    new: "a1\nsay(\u201Cx\u201D)",
    result: "a1\nsay(\u201Cx\u201D)\n\u201Cq\u201D\n",
  },
  {
    because: "no-break spaces that the file has nowhere",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nb\u00A02",
    result: undefined,
  },
  {
    because: "backslashes before all quotes",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: 'a1\nsay(\\"it\'s\\")',
    result: undefined,
  },
  {
    because: "backslashes in other quotes are fine",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nsay('\\\"x\\\"')",
    result: "a1\nsay('\\\"x\\\"')\n",
  },
  {
    because: "entities that the file has nowhere",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\nb &lt; 2",
    result: undefined,
  },
  {
    because: "entities beside the plain character are fine",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\n<b>&lt;</b>",
    result: "a1\n<b>&lt;</b>\n",
  },
  {
    because: "an escaped line break outside of quotes",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: "a1\\nb2",
    result: undefined,
  },
  {
    because: "an escaped line break before an indentation, whatever the file has",
    text: "a1\nb1\nx \\n y\n",
    old: "a1 \nb1",
    new: "a1\\n  b2",
    result: undefined,
  },
  {
    because: "one in a pattern or in quotes is fine",
    text: "a1\nb1\n",
    old: "a1 \nb1",
    new: 'a1\nsplit(/\\n/) + "\\n"',
    result: 'a1\nsplit(/\\n/) + "\\n"\n',
  },
  {
    because: "tabs in a file of spaces",
    text: "a1\nb1\n  c1\n",
    old: "a1 \nb1",
    new: "a1\n\tb2",
    result: undefined,
  },
  {
    because: "spaces in a file of tabs",
    text: "a1\nb1\n\tc1\n",
    old: "a1 \nb1",
    new: "a1\n  b2",
    result: undefined,
  },
  {
    because: "an edit of a file with other line endings is not mangled",
    text: "a1\r\nb1\r\n",
    old: "a1\nb1",
    new: "a1\nb &lt; 2",
    result: "a1\r\nb &lt; 2\r\n",
  },
  {
    because: "an edit with other line endings than the file is",
    text: "a1\nb1\n",
    old: "a1\r\nb1",
    new: "a1\r\nb &lt; 2",
    result: undefined,
  },
  {
    because: "what matches literally is meant literally",
    text: "a1\nb1\n",
    old: "a1\nb1",
    new: 'a1\\n\u201C&lt;\\"',
    result: 'a1\\n\u201C&lt;\\"\n',
  },
])("signs of a second artefact: $because", check);
