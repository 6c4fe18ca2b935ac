import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planEdit, type TextEdit } from "./plan-edit.ts";

const only = (oldText: string, newText: string, more: Partial<TextEdit> = {}): TextEdit[] => [
  { oldText, newText, ...more },
];

test.for([
  { text: "a b a", edits: only("b", "c"), result: "a c a", because: "one exact place" },
  {
    text: "a\r\nb\r\n",
    edits: only("a", "a\nx"),
    result: "a\r\nx\r\nb\r\n",
    because: "new lines end as those of the place",
  },
  {
    text: "a\nb\r\nc\n",
    edits: only("b", "b\nx"),
    result: "a\nb\r\nx\r\nc\n",
    because: "in a mixed file the place decides, not the file",
  },
  {
    text: "a\nb",
    edits: only("b", "b\r\nc"),
    result: "a\nb\nc",
    because: "carriage returns of new text give way to the place's ending",
  },
  {
    text: "a\r\nb",
    edits: only("a\r\nb", "a\nb"),
    result: "a\nb",
    because: "an edit that speaks about carriage returns means them",
  },
  {
    text: "one",
    edits: only("one", "1\r\n2"),
    result: "1\r\n2",
    because: "a text of one line has no ending to follow",
  },
  {
    text: "a\r\nb\r\na\nb\n",
    edits: only("a\nb", "x"),
    result: "a\r\nb\r\nx\n",
    because: "an exact hit wins over a looser one elsewhere",
  },
  {
    text: "aaa",
    edits: only("aa", "b", { replaceAll: true }),
    result: "ba",
    because: "all places are taken from left to right",
  },
  {
    text: "x\ny\nx\nz\nx\n",
    edits: only("x", "w", { nearLine: 4 }),
    result: undefined,
    because: "two places are equally near to line 4",
  },
  {
    text: "x\ny\nx\nz\nq\nx\n",
    edits: only("x", "w", { nearLine: 0 }),
    result: "w\ny\nx\nz\nq\nx\n",
    because: "line 0 is line 1",
  },
  {
    text: "a b c",
    edits: [...only("c", "3"), ...only("a", "1")],
    result: "1 b 3",
    because: "the order of edits does not matter",
  },
  {
    text: "a b c",
    edits: [...only("a", "b"), ...only("b", "c")],
    result: "b c c",
    because: "edits see the original, not each other",
  },
])("$because", ({ text, edits, result }) => {
  const plan = planEdit(text, edits);

  expect(plan.kind === "plan" ? plan.text : undefined).toBe(result);
});

test.for([
  { text: "aaa", edits: only("aa", "b"), code: "AMBIGUOUS_MATCH", because: "overlaps count" },
  { text: "a", edits: only("b", "c"), code: "NO_MATCH", because: "it is not there" },
  { text: "A", edits: only("a", "c"), code: "NO_MATCH", because: "case counts" },
  { text: "a ", edits: only("a  ", "c"), code: "NO_MATCH", because: "white space counts" },
  { text: "a", edits: only("", "c"), code: "INVALID_INPUT", because: "nothing is everywhere" },
  { text: "a", edits: only("a", "a"), code: "NO_CHANGE", because: "both are the same" },
  {
    text: "a\r\nb",
    edits: only("a\nb", "a\r\nb"),
    code: "NO_CHANGE",
    because: "the result would be the same",
  },
  {
    text: "a\r\nb\r\na\r\nb",
    edits: only("a\nb", "x"),
    code: "AMBIGUOUS_MATCH",
    because: "a looser reading must be unique too",
  },
  {
    text: "abc",
    edits: [...only("ab", "x"), ...only("bc", "y")],
    code: "INVALID_INPUT",
    because: "edits overlap",
  },
  {
    text: "abc",
    edits: [...only("abc", "x"), ...only("b", "y")],
    code: "INVALID_INPUT",
    because: "one edit lies inside another",
  },
])("$code where $because", ({ text, edits, code }) => {
  expect(planEdit(text, edits)).toMatchObject({
    kind: "refusal",
    code,
    message: expect.stringMatching(/\.|:/u),
    hint: expect.stringMatching(/\w/u),
  });
});

test("a refusal names the edit it is about", () => {
  expect(planEdit("a", [...only("a", "b"), ...only("z", "y")])).toMatchObject({ edit: 1 });
});

test("splices know the lines they touch", () => {
  const plan = planEdit("one\ntwo\nthree\nfour\n", only("two\nthree\n", "2\n"));

  expect(plan).toMatchObject({ splices: [{ start: 4, end: 14, firstLine: 2, lastLine: 3 }] });
});

test.for([
  {
    because: "line numbers were copied",
    text: "a\nb\n",
    oldText: "     1\ta\n     2\tb",
    message: "begins its lines with the line numbers",
  },
  {
    because: "line breaks were escaped twice",
    text: 'say("a",\n  1)\n',
    oldText: 'say(\\"a\\",\\n  1)',
    message: "escape sequences",
  },
  {
    because: "quotes are curly",
    text: "say('a')\n",
    oldText: "say(\u2018a\u2019)",
    message: "characters that look alike",
  },
  {
    because: "letters have another case",
    text: "const Value = 1;\n",
    oldText: "const value = 1;",
    message: "letter case",
  },
  {
    because: "the block runs past the end",
    text: "a long first line\n",
    oldText: "a long first line\nand more",
    message: "The file ends before line 2",
  },
  {
    because: "a word is wrong",
    text: "const total = first + second;\n",
    oldText: "const total = first - second;",
    message: 'It differs, first at line 1: old_string has "const total = first - second;"',
  },
  {
    because: "nothing is near",
    text: "abc\n",
    oldText: "1234567890",
    message: "no line of it does",
  },
])("a miss says so when $because", ({ text, oldText, message }) => {
  const plan = planEdit(text, only(oldText, "new"));

  expect(plan).toMatchObject({ code: "NO_MATCH", message: expect.stringContaining(message) });
});

test("outside the splices every character is the original's", () => {
  const piece = fc.constantFrom("a", "b", " ", "\n", "\r\n", "\r", "\t", "\u00E9");
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(piece, { minLength: 1, maxLength: 4 }),
      fc.record({ fresh: fc.array(piece, { maxLength: 4 }), replaceAll: fc.boolean() }),
      (parts, old, { fresh, replaceAll }) => {
        const text = parts.join("");
        const plan = planEdit(text, only(old.join(""), fresh.join(""), { replaceAll }));
        if (plan.kind === "refusal") return;
        let rebuilt = "";
        let at = 0;
        for (const { start, end, newText } of plan.splices) {
          expect(text.slice(start, end).replaceAll("\r\n", "\n")).toBe(
            old.join("").replaceAll("\r\n", "\n"),
          );
          rebuilt += text.slice(at, start) + newText;
          at = end;
        }
        expect(plan.text).toBe(rebuilt + text.slice(at));
      },
    ),
  );
});

test("without replaceAll exactly one place changes, and only where there is exactly one", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", "\n"), { maxLength: 30 }),
      fc.array(fc.constantFrom("a", "b", "\n"), { minLength: 1, maxLength: 3 }),
      (parts, old) => {
        const text = parts.join("");
        const wanted = old.join("");
        let places = 0;
        for (let at = 0; at <= text.length - wanted.length; at++) {
          if (text.startsWith(wanted, at)) places++;
        }

        const plan = planEdit(text, only(wanted, "new"));

        expect(plan.kind === "plan").toBe(places === 1);
        expect(plan.kind === "plan" ? plan.splices.length : 1).toBe(1);
      },
    ),
  );
});
