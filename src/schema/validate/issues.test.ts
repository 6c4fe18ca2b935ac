import { expect, test } from "vitest";
import { z } from "zod";
import type { InputSchema } from "../../core/index.ts";
import { compileInput, type InputSource } from "./compile-input.ts";
import { failureKey, repeatedFailureHint } from "./repeated-failure.ts";
import { validateInput } from "./validate-input.ts";

function failing(input: InputSchema, value: unknown, more: Partial<InputSource> = {}) {
  const compiled = compileInput({ name: "Edit", input, ...more });
  const validated = validateInput(compiled, value);
  if (validated instanceof Promise || validated.ok) throw new TypeError("The input fits.");
  return { compiled, ...validated };
}

const told = (input: InputSchema, value: unknown) => {
  const { message, hint } = failing(input, value);
  return `${message}\n\n${hint}`;
};

const edit = z.object({
  file_path: z.string().min(1),
  mode: z.enum(["insert", "replace"]).default("replace"),
  line: z.int().min(1).optional(),
  edits: z.array(z.object({ old: z.string(), all: z.boolean().optional() })).min(1),
});

test("the model reads what was expected and received, and an input that fits", () => {
  expect(told(edit, { mode: "delete", line: 0, edits: [{ old: "a" }, { all: "yes" }] }))
    .toMatchInlineSnapshot(`
    "The input of Edit does not fit its schema:
    - /file_path: required, but missing; expected non-empty string
    - /mode: expected one of "insert", "replace", received "delete"
    - /line: expected integer (>= 1), received 0
    - /edits/1/old: required, but missing; expected string
    - /edits/1/all: expected boolean, received "yes"

    Correct these inputs and call Edit again. An input that fits: {"file_path":"text","edits":[{"old":"text"}],"mode":"replace","line":1}"
  `);
  expect(told(edit, "nonsense")).toMatchInlineSnapshot(`
    "The input of Edit does not fit its schema:
    - the input: expected object with file_path, edits, received "nonsense"

    Correct these inputs and call Edit again. An input that fits: {"file_path":"text","edits":[{"old":"text"}]}"
  `);
});

test("zod and JSON Schema are described in the same words", () => {
  const schema = {
    type: "object",
    properties: { n: { type: "integer", minimum: 1 }, kind: { enum: ["a", "b"] } },
    required: ["n", "kind"],
    additionalProperties: false,
  };
  const same = z.strictObject({ n: z.int().min(1), kind: z.enum(["a", "b"]) });
  const value = { n: "many", kinds: ["a"] };

  expect(told(schema, value)).toBe(told(same, value));
  expect(told(schema, value)).toMatchInlineSnapshot(`
    "The input of Edit does not fit its schema:
    - /kind: required, but missing; expected one of "a", "b"
    - /n: expected integer (>= 1), received "many"
    - /kinds: unknown key; expected one of the keys n, kind

    Correct these inputs and call Edit again. An input that fits: {"n":1,"kind":"a"}"
  `);
});

test("unions, formats and limits are worded", () => {
  const schema = {
    type: "object",
    properties: {
      when: { type: "string", format: "date" },
      slug: { type: "string", pattern: "^[a-z]+$" },
      short: { type: "string", maxLength: 3 },
      either: {
        anyOf: [
          { type: "integer" },
          { type: "null" },
          { type: "array", items: { type: "string" } },
        ],
      },
      ratio: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
      even: { type: "integer", multipleOf: 2 },
      pair: { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 },
      who: { type: "object", required: ["id"] },
      on: { const: "yes" },
    },
  };
  const value = {
    when: 1e21,
    slug: "A",
    short: "long",
    either: {},
    ratio: 1,
    even: 3,
    pair: [1],
    who: {},
    on: "no",
  };

  expect(failing(schema, value).issues.map(({ path, message }) => `${path}: ${message}`))
    .toMatchInlineSnapshot(`
    [
      "/when: expected string (date), received 1e+21",
      "/slug: expected string matching ^[a-z]+$, received "A"",
      "/short: expected string of at most 3 characters, received "long"",
      "/either: expected integer or null or array of string, received {}",
      "/ratio: expected number (> 0, < 1), received 1",
      "/even: expected integer (a multiple of 2), received 3",
      "/pair: expected array of number (at least 2, at most 2), received [1]",
      "/who/id: required, but missing; expected a value",
      "/on: expected "yes", received "no"",
    ]
  `);
});

test("a check that no schema can express is reported by its own message", () => {
  const input = z
    .object({ from: z.int(), to: z.int() })
    .refine(({ from, to }) => from < to, { message: "from must be before to", path: ["to"] });

  expect(told(input, { from: 2, to: 1 })).toMatchInlineSnapshot(`
    "The input of Edit does not fit its schema:
    - /to: from must be before to (received 1)

    Correct these inputs and call Edit again."
  `);
});

test("many issues and long values are truncated", () => {
  const { message } = failing(
    { type: "object", additionalProperties: { type: "integer" } },
    Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, "x".repeat(200)])),
  );

  expect(message.split("\n")).toHaveLength(10);
  expect(message).toContain("- and 3 more");
  expect(message).toContain("… (202 characters)");
});

const received = (value: unknown) =>
  failing({ type: "object", properties: { a: { type: "integer" } } }, { a: value }).issues[0]
    ?.received;

test("a value is shown whole up to 80 characters, a list up to five items", () => {
  expect(received("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(received("x".repeat(79))).toBe(`"${"x".repeat(79)}… (81 characters)`);
  expect(received([1, 2, 3, 4, 5])).toBe("[1,2,3,4,5]");
  expect(received([1, 2, 3, 4, 5, 6])).toBe("an array of 6");
});

test("the example fits its schema, or is not shown", () => {
  const schema = {
    type: "object",
    properties: {
      id: { type: "string", format: "uuid" },
      name: { type: "string", minLength: 6 },
      size: { type: "integer", minimum: 10 },
      part: { type: "number", exclusiveMinimum: 2.5 },
      tag: { type: "string", pattern: "^x+$", examples: ["xx"] },
      level: { type: "integer", default: 3 },
      many: { type: "array", items: { type: "boolean" }, minItems: 2 },
      tuple: { type: "array", prefixItems: [{ type: "integer" }, { const: "a" }] },
      deep: { type: "object", properties: { n: { type: "null" } }, required: ["n"] },
    },
    required: ["id", "name", "size", "part", "tag", "level", "many", "tuple", "deep"],
  };

  expect(failing(schema, {}).hint).toMatchInlineSnapshot(
    `"Correct these inputs and call Edit again. An input that fits: {"id":"123e4567-e89b-42d3-a456-426614174000","name":"textte","size":10,"part":3,"tag":"xx","level":3,"many":[true,true],"tuple":[1,"a"],"deep":{"n":null}}"`,
  );
  expect(
    failing(
      { type: "object", properties: { p: { type: "string", pattern: "^\\d+$" } }, required: ["p"] },
      {},
    ).hint,
  ).toBe("Correct these inputs and call Edit again.");
});

const formatIssues = (issues: readonly { path: string }[]): string =>
  `Wrong: ${issues.map(({ path }) => path).join(" ")}`;

test("a tool may word its issues itself", () => {
  expect(failing(edit, {}, { formatIssues }).message).toBe("Wrong: /file_path /edits");
});

test("the third failure of a kind gets a stronger hint", () => {
  const { compiled, issues } = failing(edit, { line: 0 });
  const again = failing(edit, { line: 0, mode: "insert" });
  const other = failing(edit, { line: -1 });

  expect(failureKey("Edit", issues)).toBe(failureKey("Edit", again.issues));
  expect(failureKey("Edit", issues)).not.toBe(failureKey("Edit", other.issues));
  expect(failureKey("Edit", issues)).not.toBe(failureKey("Write", issues));
  expect(repeatedFailureHint(compiled, 2)).toBeUndefined();
  expect(repeatedFailureHint(compiled, 3)).toMatchInlineSnapshot(
    `"Edit has now failed 3 times in the same way. Do not send that input again. Its whole schema is {"type":"object","properties":{"file_path":{"type":"string","minLength":1},"mode":{"default":"replace","type":"string","enum":["insert","replace"]},"line":{"type":"integer","minimum":1},"edits":{"minItems":1,"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"all":{"type":"boolean"}},"required":["old"]}}},"required":["file_path","edits"]}. Start from {"file_path":"text","edits":[{"old":"text"}]} and change one value at a time. If the task cannot be done this way, say so or use another tool."`,
  );
  expect(repeatedFailureHint(compiled, 4)).toContain("has now failed 4 times");
});

test("a hint without a schema, or with a huge one, sends the model back to the description", () => {
  const huge = {
    type: "object",
    description: "x".repeat(5000),
    properties: { a: { type: "integer" } },
    required: ["a"],
  };

  expect(repeatedFailureHint(failing(huge, {}).compiled, 3)).toContain(
    "Read the tool's description",
  );
  expect(repeatedFailureHint(compileInput({ name: "Edit", input: edit }), 3)).toContain(
    "Read the tool's description",
  );
});
