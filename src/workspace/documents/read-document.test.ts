import { expect, test } from "vitest";
import { maxFieldsLength, readDocument } from "./read-document.ts";

test("fields and body are read, with Windows line ends and a byte order mark too", async () => {
  const text = "\uFEFF---\r\nname: fix\r\nallowed-tools: [Read, Grep]\r\n---\r\nDo it.\r\n";

  expect(await readDocument(text)).toEqual({
    fields: { name: "fix", "allowed-tools": ["Read", "Grep"] },
    body: "Do it.\n",
    bodyLine: 5,
    problems: [],
  });
});

test.for([
  { title: "no fields", text: "Do it.\n", body: "Do it.\n", bodyLine: 1 },
  { title: "empty fields", text: "---\n---\nDo it.\n", body: "Do it.\n", bodyLine: 3 },
  {
    title: "a rule further down",
    text: "Do\n---\nit\n---\n",
    body: "Do\n---\nit\n---\n",
    bodyLine: 1,
  },
])("a file with $title has only a body", async ({ text, body, bodyLine }) => {
  expect(await readDocument(text)).toEqual({ fields: {}, body, bodyLine, problems: [] });
});

test.for([
  { title: "an alias", yaml: "a: &x [1]\nb: *x" },
  { title: "an anchor that nothing uses", yaml: "name: n\na: &x 1" },
  { title: "a tag", yaml: "trusted: !!bool yes" },
  { title: "a tag of its own", yaml: "trusted: !yes no" },
  { title: "a repeated key", yaml: "name: a\nname: b" },
  { title: "a key that is a number", yaml: "1: a" },
  { title: "a key that is a list", yaml: "? [a]\n: b" },
  { title: "a merge key", yaml: "<<: {a: 1}" },
  { title: "broken YAML", yaml: "name: [a" },
  { title: "a list", yaml: "- a" },
  { title: "a text", yaml: "just words" },
  { title: "too many characters", yaml: `a: ${"x".repeat(maxFieldsLength)}` },
])("fields with $title are refused as a whole", async ({ yaml }) => {
  const { fields, problems, body } = await readDocument(`---\nname: whole\n${yaml}\n---\nbody\n`);

  expect(fields).toEqual({});
  expect(body).toBe("body\n");
  expect(problems.length).toBeGreaterThan(0);
});

test("a problem names its line of the file", async () => {
  const { problems } = await readDocument("---\nname: whole\n\nlist: *names\n---\n");

  expect(problems).toContainEqual({
    message: "Anchors and aliases are not allowed in fields; write the value out.",
    line: 4,
  });
});

test("a line with many faults of a kind has one problem", async () => {
  const { problems } = await readDocument("---\na: &x [1]\nb: [*x, *x, *x]\n---\n");

  expect(problems.map(({ line }) => line)).toEqual([3]);
});

test("fields that expand to gigabytes cost nothing", async () => {
  const levels = Array.from({ length: 30 }, (_, level) =>
    level === 0 ? "a0: &a0 [x, x, x]" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]`,
  );

  expect((await readDocument(`---\n${levels.join("\n")}\n---\n`)).fields).toEqual({});
});

test("fields without an end are a problem of the first line", async () => {
  expect(await readDocument("---\nname: a\n")).toMatchObject({
    fields: {},
    problems: [{ message: "The line --- that ends the fields is missing." }],
  });
});
