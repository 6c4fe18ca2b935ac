import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asViewed, ViewedText } from "./views.ts";

const all = { trailingSpace: true, lookAlikes: true };
const endings = { trailingSpace: false, lookAlikes: false };

test.for([
  { text: "a\r\nb", options: endings, folded: "a\nb", because: "line endings are the same" },
  { text: "a\rb", options: endings, folded: "a\rb", because: "a lone return is a character" },
  { text: "a \r\nb ", options: endings, folded: "a \nb ", because: "blanks stay unless asked" },
  {
    text: "a \r\n\t\nb\t",
    options: { ...all, lookAlikes: false },
    folded: "a\n\nb",
    because: "blanks at line ends are left out",
  },
  {
    text: "a\u00A0\nb",
    options: { ...all, lookAlikes: false },
    folded: "a\u00A0\nb",
    because: "a no-break space is a character",
  },
  { text: "a\u00A0 \u200B\nb", options: all, folded: "a\nb", because: "unless they look alike" },
  { text: "ab\u00A0", options: all, folded: "ab", because: "at the end of a text, too" },
  { text: "\u201Ca\u201D\u2026", options: all, folded: '"a"...', because: "look-alikes are plain" },
  { text: "e\u0301x", options: all, folded: "\u00E9x", because: "letters are composed" },
  {
    text: "\u0301e\u0301",
    options: all,
    folded: "\u0301\u00E9",
    because: "a mark may precede all letters",
  },
  { text: "\uFF01\uFF5E\uFF5F", options: all, folded: "!~\uFF5F", because: "full width is plain" },
  { text: "", options: all, folded: "", because: "nothing is nothing" },
])("$because", ({ text, options, folded }) => {
  expect(asViewed(text, options)).toBe(folded);
});

test.for([
  { text: "a\r\nb\r\nc", wanted: "a\nb", start: 0, end: 4 },
  { text: "a\r\nb\r\nc", wanted: "\nb\n", start: 1, end: 6 },
  { text: "x  \ny", wanted: "x\ny", start: 0, end: 5 },
  { text: "x  \ny", wanted: "x", start: 0, end: 1 },
  { text: "(\u2026)", wanted: "...", start: 1, end: 2 },
  { text: "(\u2026)", wanted: "(.", start: undefined, end: undefined },
  { text: "(\u2026)", wanted: ".)", start: undefined, end: undefined },
  { text: "ab\u200Bcd", wanted: "bc", start: 1, end: 4 },
  { text: "a\u2013b\u2013c", wanted: "b-c", start: 2, end: 5 },
])("$wanted is found in $text at its place there", ({ text, wanted, start, end }) => {
  const [place] = new ViewedText(text).view(all).find(wanted);

  expect(place).toEqual(start === undefined ? undefined : { start, end });
});

test("whatever is found folds to what was wanted", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", " ", "\n", "\r\n", "\u2019", "\u2026", "e\u0301", "\u200B"), {
      maxLength: 20,
    })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, fc.nat({ max: 20 }), fc.nat({ max: 6 }), (original, from, length) => {
      const options = { ...endings, lookAlikes: true };
      const wanted = asViewed(original, options).slice(from, from + length);
      for (const { start, end } of new ViewedText(original).view(options).find(wanted)) {
        expect(asViewed(original.slice(start, end), options)).toBe(wanted);
      }
    }),
  );
});
