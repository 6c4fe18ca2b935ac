import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseInput } from "./parse-input.ts";
import { runs } from "../../../test/support/law-runs.ts";
import { codePoint } from "../../../test/support/code-point.ts";

const kindsOf = (text: string) => {
  const parsed = parseInput(text);
  return parsed.kind === "ok" ? parsed.repairs.map(({ kind }) => kind) : parsed.kind;
};

describe("text with one possible reading is repaired, and the repair is reported", () => {
  const cases: readonly { text: string; value: unknown; kinds: readonly string[] }[] = [
    { text: '```json\n{"a": 1}\n```', value: { a: 1 }, kinds: ["code-fence"] },
    { text: '~~~\n{"a": "```"}\n~~~', value: { a: "```" }, kinds: ["code-fence"] },
    { text: '```json\n{"a": 1}', value: { a: 1 }, kinds: ["code-fence"] },
    {
      text: 'Sure:\n```json\n{"a": "x"}\n```\nDone!',
      value: { a: "x" },
      kinds: ["surrounding-text", "code-fence"],
    },
    { text: "{'a': 'x', 'b': [1]}", value: { a: "x", b: [1] }, kinds: ["single-quotes"] },
    { text: "{'a': \"it's\"}", value: { a: "it's" }, kinds: ["single-quotes"] },
    { text: "{'a': 'it\\'s \"so\"'}", value: { a: 'it\'s "so"' }, kinds: ["single-quotes"] },
    { text: "{'a': 'x\\xa0y'}", value: { a: "x\u00a0y" }, kinds: ["single-quotes"] },
    {
      text: "{'a': True, 'b': False, 'c': None}",
      value: { a: true, b: false, c: null },
      kinds: ["single-quotes", "python-literal"],
    },
    {
      text: "{a: 1, b_c: 2, $d: 3, e-f: 4, 5: 6}",
      value: { a: 1, b_c: 2, $d: 3, "e-f": 4, "5": 6 },
      kinds: ["unquoted-key"],
    },
    { text: '{"a": [1, 2,], }', value: { a: [1, 2] }, kinds: ["trailing-comma"] },
    { text: '{"a": 1},', value: { a: 1 }, kinds: ["trailing-comma"] },
    { text: '{"a": 1\n"b": 2}', value: { a: 1, b: 2 }, kinds: ["missing-comma"] },
    { text: '{"a": {"x": 1}\n "b": 2}', value: { a: { x: 1 }, b: 2 }, kinds: ["missing-comma"] },
    {
      text: '{"a": "x\ny\tz\r\n\\"q\\""}',
      value: { a: 'x\ny\tz\r\n"q"' },
      kinds: ["raw-control-character"],
    },
    {
      text: '{"a": "C:\\\\new\\\\dir \\d+ \\$x \\( \\."}',
      value: { a: "C:\\new\\dir \\d+ \\$x \\( \\." },
      kinds: ["invalid-escape"],
    },
    {
      text: '{"a": 1, /* one */ "b": 2, // two\n "c": 3}',
      value: { a: 1, b: 2, c: 3 },
      kinds: ["comment"],
    },
    { text: '{"a": "x"', value: { a: "x" }, kinds: ["missing-closer"] },
    { text: '{"a": [{"b": "x"', value: { a: [{ b: "x" }] }, kinds: ["missing-closer"] },
    { text: '{"a": true', value: { a: true }, kinds: ["missing-closer"] },
    { text: '{"a": [1, 2]', value: { a: [1, 2] }, kinds: ["missing-closer"] },
    { text: '{"a": 12\n', value: { a: 12 }, kinds: ["missing-closer"] },
    { text: '{"a": 1}}', value: { a: 1 }, kinds: ["extra-closer"] },
    { text: '{"a": 1}\n]}', value: { a: 1 }, kinds: ["extra-closer"] },
    { text: '"a": 1, "b": "x"}', value: { a: 1, b: "x" }, kinds: ["missing-opener"] },
    { text: `'a': 1}`, value: { a: 1 }, kinds: ["missing-opener", "single-quotes"] },
    { text: '{"a": 1}{"a": 1}', value: { a: 1 }, kinds: ["repeated-object"] },
    { text: '{"a": 1},\n{ "a": 1 }\n{"a": 1.0}', value: { a: 1 }, kinds: ["repeated-object"] },
    { text: '<think>{"a": 2}?</think>\n{"a": 1}', value: { a: 1 }, kinds: ["surrounding-tags"] },
    { text: '<tool_call>\n{"a": 1}\n</tool_call>', value: { a: 1 }, kinds: ["surrounding-tags"] },
    { text: 'Read({"a": 1});', value: { a: 1 }, kinds: ["surrounding-text"] },
    { text: '\uFEFF {"a": 1,}', value: { a: 1 }, kinds: ["trailing-comma"] },
    { text: '"{\\"a\\": \\"x\\"}"', value: { a: "x" }, kinds: ["double-encoded"] },
    {
      text: JSON.stringify(JSON.stringify('{"a": 1}')),
      value: { a: 1 },
      kinds: ["double-encoded", "double-encoded"],
    },
    { text: "\"{'a': 1}\"", value: { a: 1 }, kinds: ["double-encoded", "single-quotes"] },
    { text: '{\\"a\\": \\"x\\"}', value: { a: "x" }, kinds: ["double-encoded"] },
    { text: "", value: {}, kinds: ["empty-input"] },
    { text: " \n", value: {}, kinds: ["empty-input"] },
  ];

  test.for(cases)("$text", ({ text, value, kinds }) => {
    const parsed = parseInput(text);

    expect(parsed).toMatchObject({ kind: "ok", value });
    expect(kindsOf(text)).toEqual(kinds);
  });
});

describe("text that may mean two things, or nothing, is invalid", () => {
  const cases = [
    { text: "I will call the tool now.", because: "there is no object in it" },
    { text: "undefined", because: "there is no object in it" },
    { text: "<tool_call>", because: "the tag holds nothing" },
    { text: "<think>never closed {}", because: "the object may be a thought" },
    { text: "{{}}", because: "a doubled brace is not a key" },
    { text: '{"a": "say "hi" now"}', because: "an unescaped quote may end the string or not" },
    { text: "{'a': 'it's'}", because: "the same with an apostrophe" },
    { text: '{"a": "x" "b": 1}', because: "a comma or an escaped quote may be missing" },
    { text: '{"a": "x"\n"b": 1}', because: "the same behind a string, also between lines" },
    { text: '{"a": 1 "b": 2}', because: "only a line break shows that a comma is missing" },
    { text: '["a"\n"b"]', because: "list items need their commas" },
    { text: '{"a": "C:\\new \\d"}', because: "the line break may have been meant as a backslash" },
    { text: '{"a": "\\u0041 \\d"}', because: "a neighbour shows that escapes were meant" },
    { text: '{"a": "it\\\'s"}', because: "other languages read this escape, JSON does not" },
    { text: '{"a": "\\x41"}', because: "other languages read this escape, JSON does not" },
    { text: '{"a": "\\0"}', because: "other languages read this escape, JSON does not" },
    { text: '{"a": "x\\\ny"}', because: "a shell or Python would join the lines" },
    { text: '{"a": "x\\\ty"}', because: "a tab behind a backslash may be meant either way" },
    { text: '{"a": word}', because: "a bare word may be text or a name" },
    { text: '{"a": NaN}', because: "JSON has no such number" },
    { text: '{"a": -x}', because: "no number" },
    { text: '{"a": 1x}', because: "may be text or a number" },
    { text: '{"a": 05}', because: "may be text or a number" },
    { text: '{"a": 1.}', because: "no JSON number" },
    { text: '{"a": 1_000}', because: "no JSON number" },
    { text: '{"a": 1/3}', because: "a calculation" },
    { text: '{"a": }', because: "the value is missing" },
    { text: '{"a": [1, 2}', because: "what stood behind the list may be lost" },
    { text: '{"a": [1,, 2]}', because: "an item may be missing" },
    { text: '{, "a": 1}', because: "a member may be missing" },
    { text: '{"a": 1, "a": 2, }', because: "the key has two values" },
    { text: '{"a": {"b": 1 // why }, "c": 2}', because: "the comment swallows the rest" },
    { text: '{"a": 1, "b": 1}{"a": 1, "b": 2}', because: "two different objects" },
    { text: '{"a": 1}{"a": 2}', because: "two different objects" },
    { text: 'First {"a": 1} then {"b": 2}', because: "two different objects" },
    { text: '{"a": 1}, "b": 2}', because: "a part of the arguments stands outside" },
    { text: '{"a": 1}: 2', because: "a part of the arguments stands outside" },
    { text: '{"a": "echo "} done', because: "the quote may belong to the command" },
    { text: '{"a": 1} "b"', because: "a string behind the object may belong to it" },
    { text: '1, {"a": 1}', because: "the object may be a part of something" },
    { text: 'the "x" {"a": 1}', because: "quoted text in front may be arguments" },
    { text: `${"[".repeat(500)}1,${"]".repeat(500)}`, because: "deeper than any real input" },
  ];

  test.for(cases)("$text: $because", ({ text }) => {
    expect(parseInput(text)).toMatchObject({ kind: "invalid" });
  });
});

describe("text that breaks off is incomplete, with what had arrived", () => {
  const cases = [
    {
      text: '{"a": "rm -rf /tmp/',
      because: "its arguments end inside a string.",
      value: { a: "rm -rf /tmp/" },
    },
    { text: '{"a": "x\\', because: "its arguments end inside a string.", value: { a: "x" } },
    { text: '{"a": "x\\u00', because: "its arguments end inside a string.", value: { a: "x" } },
    { text: "{'a': 'x", because: "its arguments end inside a string.", value: { a: "x" } },
    { text: '{"a": 1, "b', because: "its arguments end inside a key.", value: { a: 1 } },
    { text: '{"a": 1, "b"', because: "its arguments end inside a key.", value: { a: 1 } },
    { text: '{"a": 1, "b":', because: "its arguments end before a value.", value: { a: 1 } },
    { text: '{"a": 1,', because: "its arguments end after a comma.", value: { a: 1 } },
    { text: '{"a": [', because: "its arguments end after an opening bracket.", value: { a: [] } },
    { text: "{", because: "its arguments end after an opening bracket.", value: {} },
    { text: '{"a": 12', because: "its arguments end inside a number.", value: { a: 12 } },
    { text: '{"a": -', because: "its arguments end inside a number.", value: {} },
    { text: '{"a": 1.', because: "its arguments end inside a number.", value: { a: 1 } },
    { text: '{"a": 1e', because: "its arguments end inside a number.", value: { a: 1 } },
    { text: '{"a": tr', because: "its arguments end inside a word.", value: {} },
    { text: '{"a": 1}{"a', because: "its arguments end inside a key.", value: { a: 1 } },
    { text: '"{\\"a\\": \\"x', because: "its arguments end inside a string." },
    { text: '"{\\"a\\": \\"x"', because: "its arguments end inside a string.", value: { a: "x" } },
    { text: '{\\"a\\": \\"x', because: "its arguments end inside a string.", value: { a: "x" } },
    { text: '"a": "x', because: "its arguments end inside a string.", value: { a: "x" } },
    { text: '```json\n{"a": "x', because: "its arguments end inside a string.", value: { a: "x" } },
  ];

  test.for(cases)("$text", ({ text, ...expected }) => {
    expect(parseInput(text)).toMatchObject({ kind: "incomplete", ...expected });
  });
});

test("a stream that ended early makes also whole text incomplete, and never ok", () => {
  const because = "the model's stream ended before the call did.";

  expect(parseInput('{"a": 1}', { incomplete: true })).toEqual({
    kind: "incomplete",
    value: { a: 1 },
    repairs: [],
    because,
  });
  expect(parseInput('{"a": 1,}', { incomplete: true })).toMatchObject({
    kind: "incomplete",
    value: { a: 1 },
    because,
  });
  expect(parseInput("no", { incomplete: true })).toEqual({
    kind: "incomplete",
    repairs: [],
    because,
  });
  expect(parseInput("", { incomplete: true })).toMatchObject({ kind: "incomplete", because });
  expect(parseInput('{"a": 1}', { incomplete: false })).toMatchObject({ kind: "ok" });
  expect(parseInput('{"a": 1', { incomplete: true })).toMatchObject({
    because: "its arguments end inside a number.",
  });
});

test("valid JSON of any kind is passed on, and text inside a string is not searched for arguments", () => {
  for (const value of [1, true, null, [], [{ a: 1 }], "", "plain", "say {no", { a: '{"b": 1}' }]) {
    expect(parseInput(JSON.stringify(value))).toEqual({ kind: "ok", value, repairs: [] });
  }
});

test("a key named __proto__ is a key like any other", () => {
  const parsed = parseInput('{"__proto__": {"x": 1},}');

  expect(parsed.kind === "ok" && Object.keys(Object(parsed.value))).toEqual(["__proto__"]);
});

test("an error says what is wrong and where", () => {
  expect(parseInput('{"a": 1,\n "b": nope}')).toMatchInlineSnapshot(`
    {
      "hint": "Send the arguments as one JSON object: keys and strings in double quotes, with \\", \\\\ and \\n escaped inside strings, and nothing around it.",
      "kind": "invalid",
      "message": "The arguments are not valid JSON: expected a value at line 2, column 7, found "nope}".",
    }
  `);
  expect(parseInput("Let me think")).toMatchInlineSnapshot(`
    {
      "hint": "Send the arguments as one JSON object: keys and strings in double quotes, with \\", \\\\ and \\n escaped inside strings, and nothing around it.",
      "kind": "invalid",
      "message": "The arguments are not valid JSON: expected a JSON object at line 1, column 1, found "Let me think".",
    }
  `);
  expect(parseInput('{"a": 1}{"b": 2}')).toMatchInlineSnapshot(`
    {
      "hint": "Send the arguments as one JSON object: keys and strings in double quotes, with \\", \\\\ and \\n escaped inside strings, and nothing around it.",
      "kind": "invalid",
      "message": "The arguments are not valid JSON: expected one object, not two different ones at line 1, column 9, found "{\\"b\\": 2}".",
    }
  `);
});

const anyKey = fc.string().filter((key) => key !== "__proto__");
const anyText = fc.oneof(
  fc.string({ unit: codePoint }),
  fc.string({
    unit: fc.constantFrom(
      "\\",
      '"',
      "'",
      "\n",
      "\t",
      "`",
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      "a",
      "/",
      "é",
    ),
  }),
  fc.constantFrom(
    "```json\n{}\n```",
    "{'a': None}",
    "<think>x</think>",
    '{"a": 1,}',
    "C:\\new\\dir \\d+",
    "// x",
    "/* x */",
  ),
);
const anyValue = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(anyKey, tie("value"), { maxKeys: 4 }),
}));
const anyObject = anyValue.object.map((value): unknown => JSON.parse(JSON.stringify(value)));

const quote = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

describe("laws", () => {
  test("valid JSON is returned unchanged with no repairs", () => {
    fc.assert(
      fc.property(anyObject, (value) => {
        expect(parseInput(JSON.stringify(value, undefined, 1))).toEqual({
          kind: "ok",
          value,
          repairs: [],
        });
      }),
    );
  });

  test("whatever stands around the arguments, their text survives to the byte", () => {
    const packaging: readonly ((json: string) => string)[] = [
      (json) => `\`\`\`json\n${json}\n\`\`\``,
      (json) => `Here are the arguments:\n${json}\nLet me know!`,
      (json) => `<think>why {not}</think>\n${json}`,
      (json) => `<tool_call>${json}</tool_call>`,
      (json) => `${json}${json}`,
      (json) => `${json}}`,
      (json) => JSON.stringify(json),
      (json) => `"${JSON.stringify(json).slice(1, -1)}"\n`,
      (json) => JSON.stringify(json).slice(1, -1),
      (json) => json.slice(1),
      (json) => `${json.slice(0, -1)},}`,
      (json) => `${json.slice(0, -1)} `,
      (json) => `/* note */ ${json}`,
    ];
    fc.assert(
      fc.property(anyObject, fc.constantFrom(...packaging), (value, wrap) => {
        fc.pre(Object.keys(Object(value)).length > 0);
        expect(parseInput(wrap(JSON.stringify(value)))).toMatchObject({ kind: "ok" });
        expect(parseInput(wrap(JSON.stringify(value)))).toHaveProperty("value", value);
      }),
      { numRuns: runs(500) },
    );
  });

  test("a string keeps its characters in single quotes and with raw line breaks", () => {
    fc.assert(
      fc.property(anyText, anyText, (key, text) => {
        const parsed = parseInput(`{${quote(key)}: [${quote(text)}, None]}`);
        expect(parsed).toMatchObject({ kind: "ok" });
        expect(parsed).toHaveProperty("value", Object.fromEntries([[key, [text, null]]]));
      }),
    );
  });

  test("a prefix of valid JSON that ends inside a string is never ok", () => {
    fc.assert(
      fc.property(anyObject, anyText, fc.nat(), (value, text, cut) => {
        const json = JSON.stringify({ ...Object(value), last: text });
        const from = json.length - 1 - JSON.stringify(text).length;
        const at = from + 1 + (cut % (json.length - 2 - from));
        expect(parseInput(json.slice(0, at))).toMatchObject({ kind: "incomplete" });
      }),
      { numRuns: runs(500) },
    );
  });

  test("a prefix that is ok has lost nothing but closers", () => {
    fc.assert(
      fc.property(anyObject, fc.nat(), (value, cut) => {
        const json = JSON.stringify(value);
        const prefix = json.slice(0, 1 + (cut % json.length));
        const parsed = parseInput(prefix);
        if (parsed.kind !== "ok") return;
        const whole = JSON.stringify(parsed.value);
        expect(whole.startsWith(prefix)).toBe(true);
        expect(whole.slice(prefix.length)).toMatch(/^[}\]]*$/u);
      }),
      { numRuns: runs(500) },
    );
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), anyText), (text) => {
        expect(parseInput(text)).toHaveProperty("kind");
      }),
    );
  });
});

test("words after the arguments are named as what is wrong", () => {
  expect(parseInput('{"a": 1}; rm x')).toMatchObject({
    kind: "invalid",
    message: expect.stringContaining("nothing more after the arguments"),
  });
});
