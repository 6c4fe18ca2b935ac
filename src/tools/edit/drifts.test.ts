import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DriftText } from "../../../test/support/drift-text.ts";
import { codeTexts } from "../../../test/support/drift-texts-code.ts";
import { dataTexts } from "../../../test/support/drift-texts-data.ts";
import { planEdit } from "./plan-edit.ts";
import { withPlainEndings } from "./text.ts";
import { runs } from "../../../test/support/law-runs.ts";

/** An edit of a file as intended, and as sent after mistakes were made in it. */
interface Sent {
  readonly file: string;
  readonly oldText: string;
  readonly newText: string;
  /** Old text before any mistake. */
  readonly meant: string;
  /** File after the intended edit. */
  readonly result: string;
  /** Line of the file on which the old text begins, from 1. */
  readonly line: number;
  readonly unit: string;
}

type Mistake = (sent: Sent) => Sent;

const eachLine = (text: string, of: (line: string, index: number) => string): string =>
  text
    .split("\n")
    .map((line, index) => of(line, index))
    .join("\n");
const full = (of: (line: string) => string) => (line: string) =>
  line.trim() === "" ? line : of(line);
const inBoth =
  (of: (text: string, sent: Sent) => string): Mistake =>
  (sent) => ({ ...sent, oldText: of(sent.oldText, sent), newText: of(sent.newText, sent) });
const inOld =
  (of: (text: string, sent: Sent) => string): Mistake =>
  (sent) => ({ ...sent, oldText: of(sent.oldText, sent) });

const numbers =
  (format: (number: number) => string) =>
  (text: string, { line }: Sent): string =>
    eachLine(text, (each, index) => format(line + index) + each);
const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
const withEntities = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const curly = (text: string): string =>
  text.replaceAll(/"([^"\n]*)"/gu, "\u201C$1\u201D").replaceAll("'", "\u2019");
const commonIndent = (texts: readonly string[]): string =>
  texts
    .flatMap((text) => text.split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => /^[ \t]*/u.exec(line)?.[0] ?? "")
    .reduce((one, other) =>
      other.startsWith(one) ? one : other.slice(0, sharedLength(one, other)),
    );
const sharedLength = (one: string, other: string): number => {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
};

/** Mistakes in the order in which they arise: each stage applies to the result of the previous ones. */
const stages: readonly Readonly<Record<string, Mistake>>[] = [
  {
    carriageReturnsInFile: (sent) => ({
      ...sent,
      file: sent.file.replaceAll(/\r?\n/gu, "\r\n"),
      result: sent.result.replaceAll(/\r?\n/gu, "\r\n"),
    }),
  },
  {
    deeper: inBoth((text, { unit }) =>
      eachLine(
        text,
        full((line) => unit + line),
      ),
    ),
    deeperInOld: inOld((text, { unit }) =>
      eachLine(
        text,
        full((line) => unit + line),
      ),
    ),
    dedented: (sent) => {
      const { length } = commonIndent([sent.oldText, sent.newText]);
      return inBoth((text) =>
        eachLine(
          text,
          full((line) => line.slice(length)),
        ),
      )(sent);
    },
    otherBlanks: inBoth((text, { unit }) =>
      eachLine(text, (line) =>
        line.replace(/^[ \t]+/u, (indent) =>
          unit === "\t" ? indent.replaceAll("\t", "    ") : indent.replaceAll(unit, "\t"),
        ),
      ),
    ),
  },
  {
    blanksInOld: inOld((text) =>
      eachLine(
        text,
        full((line) => `${line} `),
      ),
    ),
    blankLinesInOld: inOld((text) => text.replaceAll(/(?<=\n)(?=\n)/gu, "    ")),
  },
  {
    curly: inBoth(curly),
    curlyInOld: inOld(curly),
    dashInOld: inOld((text) => text.replaceAll("-", "\u2013")),
    noBreak: inBoth((text) => text.replaceAll(" ", "\u00A0")),
    noBreakInOld: inOld((text) => text.replaceAll(/(?<=\S) (?=\S)/gu, "\u00A0")),
  },
  {
    entities: inBoth(withEntities),
    entitiesInOld: inOld(withEntities),
    quotes: inBoth((text) => text.replaceAll('"', '\\"')),
  },
  {
    json: inBoth(escaped),
    jsonInOld: inOld(escaped),
    numbers: inBoth(numbers((number) => `${String(number).padStart(6)}\t`)),
    numbersInOld: inOld(numbers((number) => `${String(number).padStart(5)}\u2192`)),
    colonNumbers: inBoth(numbers((number) => `${number}: `)),
    barNumbers: inBoth(numbers((number) => `${number} | `)),
  },
  { carriageReturns: inBoth((text) => text.replaceAll("\n", "\r\n")) },
  {
    fence: inBoth((text) => `\`\`\`ts\n${text}\n\`\`\``),
    fenceInOld: inOld((text) => `\`\`\`\n${text}\n\`\`\``),
  },
  { edges: inBoth((text) => `\n${text}\n\n`), edgesAfter: inBoth((text) => `${text}\n\n`) },
];

/** Start of a separate kind of text: a generated file in which every line is unique. */
const generated = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 16 })
  .chain((depths) =>
    fc.constantFrom("\t", "  ", "    ").map((unit) => ({
      unit,
      text: depths
        .map((depth, index) =>
          index % 7 === 6 ? "" : `${unit.repeat(depth)}call_${index}("x-${index}", 'y') < z && w;`,
        )
        .join("\n"),
    })),
  );

interface Shape {
  readonly from: number;
  readonly count: number;
  readonly kinds: readonly string[];
  readonly endsWithBreak: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  from: fc.nat({ max: 400 }),
  count: fc.integer({ min: 1, max: 6 }),
  kinds: fc.array(fc.constantFrom("keep", "rename", "insert", "block", "remove"), {
    minLength: 6,
    maxLength: 6,
  }),
  endsWithBreak: fc.boolean(),
});

function meant(
  { text, unit, isWindows = false }: Pick<DriftText, "text" | "unit" | "isWindows">,
  { from, count, kinds, ...rest }: Shape,
): Sent | undefined {
  const lines = text.split("\n");
  const first = from % Math.max(1, lines.length - count);
  const block = lines.slice(first, first + count);
  const updated = block.flatMap((line, index) => {
    const kind = line.trim() === "" ? "keep" : kinds[index];
    const indent = /^[ \t]*/u.exec(line)?.[0] ?? "";
    if (kind === "rename") return [line.replace(/[a-z]{3,}/u, "renamed")];
    if (kind === "insert") return [line, `${indent}added_${index}("p", q);`];
    if (kind === "block") return [line, `${indent}if (x) {`, `${unit}${indent}y();`, `${indent}}`];
    return kind === "remove" ? [] : [line];
  });
  const end = rest.endsWithBreak && first + count < lines.length ? "\n" : "";
  const oldText = block.join("\n") + end;
  const newText = updated.length === 0 ? "" : updated.join("\n") + end;
  const isUsable = block.some((line) => line.trim().length > 6) && newText.trim() !== "";
  if (!isUsable || oldText === newText || text.split(oldText).length !== 2) return undefined;
  const asFile = (each: string): string => (isWindows ? each.replaceAll("\n", "\r\n") : each);
  const result = asFile(text.replace(oldText, () => newText));
  return { file: asFile(text), oldText, newText, meant: oldText, result, line: first + 1, unit };
}

type Order = "as they come about" | "any";

const mistakes = (count: number, order: Order): fc.Arbitrary<readonly Mistake[]> => {
  const pick = order === "any" ? fc.shuffledSubarray<number> : fc.subarray<number>;
  return pick(Array.from(stages.keys()), { minLength: count, maxLength: count }).chain((chosen) =>
    fc.tuple(...chosen.map((stage) => fc.constantFrom(...Object.values(stages[stage] ?? {})))),
  );
};

/** Every mistake shows in the old text or is in the file: a mistake in the new text alone could not be detected. */
function sendWith(sent: Sent, made: readonly Mistake[]): Sent | undefined {
  let current = sent;
  for (const mistake of made) {
    const next = mistake(current);
    if (next.oldText === current.oldText && next.file === current.file) return undefined;
    current = next;
  }
  return current;
}

/** Every choice of fewer mistakes than all, in their order. */
const fewer = (made: readonly Mistake[]): Mistake[][] =>
  made
    .reduce<Mistake[][]>((all, each) => all.flatMap((some) => [some, [...some, each]]), [[]])
    .filter((some) => some.length < made.length);

const withoutBlanks = (text: string): string => text.replaceAll(/[ \t]/gu, "");

/**
 * Whether another block of the file is sent as the same old text after only some of the mistakes. Nothing in that text
 * tells the two apart, and the block with fewer mistakes is meant.
 */
function isThatOfAnother(plain: Sent, sent: Sent, made: readonly Mistake[]): boolean {
  const lines = withPlainEndings(plain.file).split("\n");
  const end = plain.oldText.endsWith("\n") ? "\n" : "";
  const count = plain.oldText.split("\n").length - end.length;
  return lines.some((_line, index) => {
    const oldText = lines.slice(index, index + count).join("\n") + end;
    if (withoutBlanks(oldText) !== withoutBlanks(plain.oldText)) return false;
    const other = { ...plain, oldText, newText: oldText, line: index + 1 };
    return (
      other.line !== plain.line &&
      fewer(made).some(
        (some) => some.reduce((each, of) => of(each), other).oldText === sent.oldText,
      )
    );
  });
}

const sentWith = (count: number, order: Order = "as they come about"): fc.Arbitrary<Sent> =>
  fc
    .tuple(
      fc.oneof(generated, fc.constantFrom(...codeTexts, ...dataTexts)),
      shape,
      mistakes(count, order),
    )
    .map(([source, block, made]) => {
      const plain = meant(source, block);
      if (plain === undefined) return undefined;
      const sent = sendWith(plain, made);
      return sent === undefined || isThatOfAnother(plain, sent, made) ? undefined : sent;
    })
    .filter((sent) => sent !== undefined)
    // A text that the file has, whatever its line endings, is meant as it was sent.
    .filter(({ file, oldText }) => !withPlainEndings(file).includes(withPlainEndings(oldText)));

const settings = { numRuns: runs(1200) };

test.for([
  { count: 1, least: 0.97 },
  { count: 2, least: 0.93 },
  { count: 3, least: 0.87 },
])("with $count mistakes an edit is exactly right or refused", ({ count, least }) => {
  let right = 0;
  fc.assert(
    fc.property(sentWith(count), (sent) => {
      const plan = planEdit(sent.file, [sent]);
      if (plan.kind === "refusal") return;
      right++;
      expect(plan.text).toBe(sent.result);
    }),
    settings,
  );
  expect(right / settings.numRuns).toBeGreaterThan(least);
});

test.for([
  { seeds: "the seed of the run", options: settings },
  { seeds: "seed 7", options: { ...settings, seed: 7 } },
])("two mistakes in any order are undone exactly or refused: $seeds", ({ options }) => {
  let right = 0;
  fc.assert(
    fc.property(sentWith(2, "any"), (sent) => {
      const plan = planEdit(sent.file, [sent]);
      if (plan.kind === "refusal") return;
      right++;
      expect(plan.text).toBe(sent.result);
    }),
    options,
  );
  expect(right / settings.numRuns).toBeGreaterThan(0.85);
});

const wordsOf = (text: string): string => text.replaceAll(/\W+/gu, "");

test.for([1, 2, 3])("with %d mistakes nothing is written into a file that has changed", (count) => {
  fc.assert(
    fc.property(
      sentWith(count),
      fc.constantFrom("if", "call", "the", "name", "return"),
      (sent, word) => {
        const file = sent.file.replaceAll(new RegExp(`\\b${word}\\w*`, "gu"), (each) => `${each}s`);
        fc.pre(file !== sent.file && !wordsOf(file).includes(wordsOf(sent.meant)));
        expect(planEdit(file, [sent])).toMatchObject({ kind: "refusal" });
      },
    ),
    { ...settings, numRuns: runs(400), maxSkipsPerRun: 1000 },
  );
});

test.for([1, 2, 3])(
  "with %d mistakes nothing is written where two places may be meant",
  (count) => {
    fc.assert(
      fc.property(sentWith(count), (sent) => {
        const ending = sent.file.includes("\r\n") ? "\r\n" : "\n";
        const file = ["between", sent.file, "between", sent.file, "between"].join(ending);
        expect(planEdit(file, [sent])).toMatchObject({ kind: "refusal" });
      }),
      { ...settings, numRuns: runs(400) },
    );
  },
);
