import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Effect } from "../core/index.ts";
import { explainCommand, type CommandVerdict } from "../explain/index.ts";
import { runs } from "../../test/support/law-runs.ts";
import { codePoint } from "../../test/support/code-point.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };
const explain = (text: string) => explainCommand(text, place);

const severity: readonly CommandVerdict[] = ["allow", "ask", "deny"];
const isMilder = (one: CommandVerdict, other: CommandVerdict): boolean =>
  severity.indexOf(one) < severity.indexOf(other);

/** Commands of every kind, from which texts are composed. */
const samples: readonly string[] = [
  "ls -la",
  "cat a.txt",
  "cat /etc/passwd",
  "grep -rn x src",
  "sed -n 1,5p f",
  "sed -i s/a/b/ f",
  "git status",
  "git push",
  "rm a.txt",
  "rm -rf /",
  "npm test",
  "echo hi",
  "cp a b",
  "curl https://x.example",
  "find . -name x",
  "find . -delete",
  "sort -o out f",
  "shutdown now",
];
const sample = fc.constantFrom(...samples);

/** Effects of a text without their positions in it. */
function essence(text: string): readonly string[] {
  return explain(text).effects.map((effect: Effect) => {
    const { span: _span, by: _by, ...rest } = { span: undefined, by: undefined, ...effect };
    return JSON.stringify(rest);
  });
}

test("appending rm never leaves a command read-only", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), sample),
      fc.constantFrom("; rm x", "\nrm x", " && rm x", " | rm x"),
      (text, tail) => {
        const { readOnly, verdict } = explain(`${text}${tail}`);
        // A comment, an open quote or a backslash may absorb the appended text.
        fc.pre(!/[#'"`\\<]/u.test(text));
        expect(readOnly).toBe(false);
        expect(verdict).not.toBe("allow");
      },
    ),
  );
});

test("any text is explained without a throw, and the same text twice the same way", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
      expect(explain(text)).toEqual(explain(text));
    }),
  );
});

const shellish = fc
  .array(
    fc.constantFrom(
      "ls",
      "rm",
      "x",
      " ",
      "$(",
      ")",
      "`",
      '"',
      "'",
      "\\",
      "{",
      "}",
      ";",
      "|",
      "&",
      "<",
      ">",
      "<<E",
      "\n",
      "E",
      "((",
      "$",
      "[",
      "]",
      "*",
      "~",
      "=",
      "if",
      "then",
      "fi",
      "case",
      "esac",
      "for",
      "do",
      "done",
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(""));

test("text made of shell syntax never throws, and what is refused is never allowed", () => {
  fc.assert(
    fc.property(shellish, (text) => {
      const { verdict, reasons, readOnly } = explain(text);
      const refused = reasons.some(({ rule }) => rule === "refused");
      expect(refused && (readOnly || verdict === "allow")).toBe(false);
    }),
    { numRuns: runs(500) },
  );
});

test("a list is never milder than its worst part", () => {
  fc.assert(
    fc.property(
      fc.array(sample, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("; ", " && ", " || ", " | ", " & ", "\n"),
      (parts, joint) => {
        const whole = explain(parts.join(joint));
        for (const part of parts)
          expect(isMilder(whole.verdict, explain(part).verdict)).toBe(false);
        expect(whole.readOnly && !parts.every((part) => explain(part).readOnly)).toBe(false);
      },
    ),
  );
});

const wrappings: readonly ((text: string) => string)[] = [
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `if true; then ${text}; fi`,
  (text) => `while true; do ${text}; done`,
  // With a space, because "$((" would begin arithmetic.
  (text) => `echo "$( ${text} )"`,
  (text) => `cat <( ${text} )`,
  (text) => `f() { ${text}; }; f`,
  (text) => `! ${text}`,
  (text) => `time ${text}`,
  (text) => `env ${text}`,
  (text) => `nice -n 3 ${text}`,
  (text) => `timeout 5 ${text}`,
  (text) => `command ${text}`,
  (text) => `sudo ${text}`,
  (text) => `xargs ${text}`,
  (text) => `bash -c '${text}'`,
  (text) => `eval '${text}'`,
  (text) => `bash <<E\n${text}\nE`,
];

test("wrapping a command never makes it milder", () => {
  fc.assert(
    fc.property(
      sample,
      fc.array(fc.constantFrom(...wrappings), { minLength: 1, maxLength: 2 }),
      (text, wraps) => {
        fc.pre(!text.includes("'"));
        const wrapped = wraps.reduce(
          (inner, wrap) => (inner.includes("'") || inner.includes("\n") ? inner : wrap(inner)),
          text,
        );
        const whole = explain(wrapped);
        // Two wrappers may produce text that bash rejects, and then nothing runs.
        fc.pre(!whole.reasons.some(({ rule }) => rule === "refused"));
        expect(isMilder(whole.verdict, explain(text).verdict)).toBe(false);
        expect(whole.readOnly && !explain(text).readOnly).toBe(false);
      },
    ),
  );
});

const quotings: readonly ((word: string) => string)[] = [
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => word.replaceAll(/([a-z])/gu, "\\$1"),
  (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}"${word.slice(1)}"`,
  (word) =>
    `$'${Array.from(word)
      .map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
      .join("")}'`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
];

test("how a word is quoted changes nothing about what a command does", () => {
  fc.assert(
    fc.property(sample, fc.infiniteStream(fc.constantFrom(...quotings)), (text, styles) => {
      const rewritten = text
        .split(" ")
        .map((word) => styles.next().value(word))
        .join(" ");
      expect(essence(rewritten)).toEqual(essence(text));
      expect(explain(rewritten).verdict).toBe(explain(text).verdict);
    }),
  );
});
