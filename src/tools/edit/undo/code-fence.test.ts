import { expect, test } from "vitest";
import { edited, type EditCase } from "../../../../test/support/edit-case.ts";

function check(each: EditCase): void {
  expect(edited(each)).toBe(each.result);
}

const two = "\tone();\n\ttwo();\n\tthree();\n";

test.for<EditCase>([
  {
    because: "a fence around both is taken off",
    text: two,
    old: "```ts\n\ttwo();\n```",
    new: "```ts\n\t2();\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "a fence around the old text alone is taken off",
    text: two,
    old: "~~~\n\ttwo();\n~~~",
    new: "\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "blocks inside the new text stay",
    text: "# One\n\n# Two\n",
    old: "```md\n# Two\n```",
    new: "```md\n```sh\nls\n```\n\n# Two\n```",
    result: "# One\n\n```sh\nls\n```\n\n# Two\n",
  },
  {
    because: "one half of a fence is taken off where the file has none",
    text: two,
    old: "\ttwo();\n```",
    new: "\t2();\n```",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "the other half is, too",
    text: two,
    old: "```ts\n\ttwo();",
    new: "```ts\n\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "a stray closing fence of the new text may be its own",
    text: two,
    old: "```ts\n\ttwo();\n```",
    new: "\t2();\n```",
    result: undefined,
  },
  {
    because: "a new text that opens otherwise may have a block of its own",
    text: two,
    old: "```\n\ttwo();\n```",
    new: "```sh\n\t2();\n```",
    result: undefined,
  },
  {
    because: "a fence that is left alone inside shows that the outer ones are no pair",
    text: two,
    old: "```\n\ttwo();\n```",
    new: "```\n\t2();\n```\ntext\n```",
    result: undefined,
  },
  {
    because: "a fence of both texts changes nothing about one of the file beside it",
    text: "```js\nrun()\n```\n",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: "```js\nstop()\n```\n",
  },
  {
    because: "the end of a fence of both texts leaves that of the file as it is",
    text: "text\nrun()\n~~~\n",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: "text\nstop()\n~~~\n",
  },
  {
    because: "the beginning of a fence of both texts leaves that of the file as it is",
    text: "```js\nrun()\nstop()\n```\n",
    old: "```ts\nrun()\n```",
    new: "```ts\ngo()\n```",
    result: "```js\ngo()\nstop()\n```\n",
  },
  {
    because: "an empty block takes the text away",
    text: two,
    old: "```ts\n\ttwo();\n```",
    new: "```ts\n```",
    result: "\tone();\n\n\tthree();\n",
  },
  {
    because: "an empty block is a place nowhere",
    text: two,
    old: "```\n```",
    new: "```\nx\n```",
    result: undefined,
  },
  {
    because: "nor is a block of blanks, though they stand at the end of one line",
    text: "one() \ntwo()\n",
    old: "```\n \n```",
    new: "```\n;\n```",
    result: undefined,
  },
  {
    because: "a new text that only opens otherwise may have a block of its own, too",
    text: "one();\ntwo();\n",
    old: "```\ntwo();\n```",
    new: "```sh\n2();",
    result: undefined,
  },
  {
    because: "a fence far above the last line of a file is not beside it",
    text: "```js\nx\n```\ntext\nrun()",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: "```js\nx\n```\ntext\nstop()",
  },
  {
    because: "a blank line stands between the place and a fence",
    text: "```js\n\nrun()\n\n```\n",
    old: "```ts\nrun()\n```",
    new: "```ts\nstop()\n```",
    result: "```js\n\nstop()\n\n```\n",
  },
  {
    because: "a space around both texts may be no part of the new one",
    text: two,
    old: " ```\n\ttwo();\n``` ",
    new: " \t2(); ",
    result: undefined,
  },
  {
    because: "a space around the fence alone is none of the text",
    text: two,
    old: " ```\n\ttwo();\n``` ",
    new: "\t2();",
    result: "\tone();\n\t2();\n\tthree();\n",
  },
  {
    because: "a block of its own in a longer fence begins with a fence that is not beside it",
    text: "```js\nrun()\n```\n",
    old: "````\n```js\nrun()\n```\n````",
    new: "````\n```js\nstop()\n```\n````",
    result: "```js\nstop()\n```\n",
  },
  {
    because: "a fence below ends a line, so its text does too",
    text: "run() now\n",
    old: "```\nrun()\n```",
    new: "```\nstop()\n```",
    result: undefined,
  },
])("code fences: $because", check);
