import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { InputSchema } from "../../core/index.ts";
import { compileInput, type InputSource } from "../validate/compile-input.ts";
import { validateInput } from "../validate/validate-input.ts";

const jsonSchema = {
  type: "object",
  properties: {
    file_path: { type: "string", minLength: 1 },
    limit: { type: "integer", minimum: 1, default: 10 },
    deep: { type: "boolean" },
  },
  required: ["file_path"],
} as const;
const zodSchema = z.object({
  file_path: z.string().min(1),
  limit: z.int().min(1).default(10),
  deep: z.boolean().optional(),
});
const compiled = (input: InputSchema, more: Partial<InputSource> = {}) =>
  compileInput({ name: "Read", input, ...more });

describe("arguments wrapped once more", () => {
  const optional = { ...jsonSchema, required: [] };
  const cases: readonly { given: unknown; input?: InputSchema }[] = [
    { given: { arguments: { file_path: "a" } } },
    { given: { input: { file_path: "a" } } },
    { given: { parameters: { filePath: "a" } } },
    { given: { args: '{"file_path": "a"}' } },
    { given: { tool_input: "{'file_path': 'a'}" } },
    { given: { Read: { file_path: "a" } } },
    { given: { name: "Read", arguments: { file_path: "a" } } },
    { given: { type: "function", id: "c1", function: "read", arguments: { file_path: "a" } } },
    { given: [{ file_path: "a" }] },
    { given: { input: [{ arguments: { file_path: "a" } }] } },
    { given: { input: { file_path: "a" } }, input: optional },
    {
      given: { arguments: { file_path: "a" } },
      input: { ...jsonSchema, additionalProperties: true },
    },
  ];

  test.for(cases)("$given", ({ given, input = jsonSchema }) => {
    expect(validateInput(compiled(input), given)).toMatchObject({
      ok: true,
      value: { file_path: "a" },
      repairs: expect.arrayContaining([
        expect.objectContaining({ path: "", kind: "wrapped-input" }),
      ]),
    });
  });

  test("an empty wrapping and null count as no arguments, where none are required", () => {
    expect(validateInput(compiled(optional), { arguments: {} })).toMatchObject({
      ok: true,
      value: { limit: 10 },
    });
    expect(validateInput(compiled(optional), null)).toMatchObject({
      ok: true,
      value: { limit: 10 },
    });
    expect(validateInput(compiled(jsonSchema), null)).toMatchObject({ ok: false });
    expect(validateInput(compiled(jsonSchema), { arguments: {} })).toMatchObject({ ok: false });
  });

  const refused: readonly { given: unknown; because: string; input?: InputSchema }[] = [
    {
      given: { name: "Write", arguments: { file_path: "a" } },
      because: "the call names another tool",
    },
    {
      given: { arguments: { file_path: "a" }, input: { file_path: "b" } },
      because: "two wrappings",
    },
    { given: { arguments: { file_path: "a" }, limit: 3 }, because: "a part stands outside" },
    { given: { data: { file_path: "a" } }, because: "data is not a word for arguments" },
    { given: { id: 5, arguments: { file_path: "a" } }, because: "a number may be an input" },
    { given: { arguments: "file_path" }, because: "no object inside" },
    { given: [{ file_path: "a" }, { file_path: "b" }], because: "two sets of arguments" },
    { given: "a", because: "bare text is not an object" },
    { given: {}, because: "nothing was sent" },
  ];

  test.for(refused)("$given is refused: $because", ({ given }) => {
    expect(validateInput(compiled(jsonSchema), given)).toMatchObject({ ok: false });
  });

  test("a declared key is not a wrapping, and neither is one where any key is allowed", () => {
    const declared = {
      type: "object",
      properties: { input: { type: "object" }, n: { type: "integer" } },
    };
    const open = { type: "object" };
    const map = {
      type: "object",
      additionalProperties: true,
      properties: { n: { type: "integer" } },
    };

    for (const input of [declared, open, map]) {
      const given = { input: { n: 1 } };
      expect(validateInput(compiled(input), given)).toEqual({
        ok: true,
        value: given,
        repairs: [],
      });
    }
  });

  test("content that only looks like a wrapping stays where it is", () => {
    const given = { arguments: { elsewhere: 1 } };

    expect(validateInput(compiled(optional), given)).toMatchObject({
      ok: true,
      value: given,
      repairs: [],
    });
  });
});

describe("keys", () => {
  const inputAliases = { file_path: ["path"], limit: ["max"] };

  test("two aliases with the same value are one, with different values two readings", () => {
    const twice = compiled(jsonSchema, { inputAliases: { file_path: ["path", "file"] } });

    expect(validateInput(twice, { path: "a", file: "a" })).toMatchObject({
      ok: true,
      value: { file_path: "a" },
    });
    expect(validateInput(twice, { path: "a", file: "b" })).toMatchObject({ ok: false });
  });

  test("a declared key is not overwritten by an alias", () => {
    const given = { file_path: "a", path: "b" };

    expect(validateInput(compiled(jsonSchema, { inputAliases }), given)).toMatchObject({
      ok: true,
      value: given,
      repairs: [],
    });
    expect(
      validateInput(compiled(jsonSchema, { inputAliases }), { file_path: "a", path: "a" }),
    ).toMatchObject({
      ok: true,
      value: { file_path: "a" },
      repairs: [{ kind: "key-name" }],
    });
  });

  test("an alias that is a declared key of its own keeps its meaning", () => {
    const input = {
      type: "object",
      properties: { path: { type: "string" }, file_path: { type: "string" } },
    };
    const given = { path: "a" };

    expect(validateInput(compiled(input, { inputAliases }), given)).toEqual({
      ok: true,
      value: given,
      repairs: [],
    });
  });

  test("case and separators are folded, but not those of one-letter names, nor into two", () => {
    const input = {
      type: "object",
      properties: {
        "-i": { type: "boolean" },
        "-A": { type: "integer" },
        maxCount: { type: "integer" },
        a_b: { type: "integer" },
        ab: { type: "integer" },
      },
    };
    const taken = (given: object) => validateInput(compiled(input), given);

    expect(taken({ i: true })).toMatchObject({ value: { "-i": true } });
    expect(taken({ A: 1 })).toMatchObject({ value: { "-A": 1 } });
    expect(taken({ a: 1 })).toMatchObject({ value: { a: 1 }, repairs: [] });
    expect(taken({ "MAX-COUNT": 1 })).toMatchObject({ value: { maxCount: 1 } });
    expect(taken({ aB: 1 })).toMatchObject({ value: { aB: 1 }, repairs: [] });
    expect(taken({ "": 1 })).toMatchObject({ value: { "": 1 }, repairs: [] });
  });

  test("where any key is content, only a missing required key takes another name", () => {
    const open = { ...jsonSchema, additionalProperties: { type: ["string", "integer"] } };

    expect(validateInput(compiled(open), { file_path: "a", Limit: 3 })).toMatchObject({
      value: { Limit: 3 },
      repairs: [],
    });
    expect(validateInput(compiled(open), { filePath: "a", Limit: 3 })).toMatchObject({
      value: { file_path: "a", Limit: 3 },
    });
  });

  test("that a pattern declares are content", () => {
    const input = { ...jsonSchema, patternProperties: { "^x-": { type: "integer" } } };
    const given = { file_path: "a", Limit: 3, "x-a": 1 };

    expect(validateInput(compiled(input), given)).toMatchObject({ value: given, repairs: [] });
    expect(validateInput(compiled(input), { ...given, "x-a": "b" })).toMatchObject({ ok: false });
  });

  test("in lists of objects are found too, also in an input that fits", () => {
    const edit = {
      type: "object",
      properties: { old: { type: "string" }, replace_all: { type: "boolean" } },
      required: ["old"],
    };
    const input = {
      type: "object",
      properties: { edits: { anyOf: [{ type: "array", items: edit }, { type: "null" }] } },
    };

    expect(validateInput(compiled(input), { edits: [{ old: "a", replaceAll: true }] })).toEqual({
      ok: true,
      value: { edits: [{ old: "a", replace_all: true }] },
      repairs: [
        {
          path: "/edits/0/replace_all",
          kind: "key-name",
          message: "replaceAll was taken as replace_all.",
        },
      ],
    });
  });

  test("unknown to the tool are kept, told where the validator leaves them out, and refused where it refuses", () => {
    const given = { file_path: "a", explanation: "because" };

    expect(validateInput(compiled(jsonSchema), given)).toMatchObject({ value: given, repairs: [] });
    expect(validateInput(compiled(zodSchema), given)).toMatchObject({
      ok: true,
      value: { file_path: "a" },
      repairs: [{ path: "/explanation", kind: "ignored-key" }],
    });
    expect(validateInput(compiled(z.strictObject(zodSchema.shape)), given)).toMatchObject({
      ok: false,
    });
    expect(
      validateInput(compiled({ ...jsonSchema, additionalProperties: false }), given),
    ).toMatchObject({ ok: false });
  });
});
