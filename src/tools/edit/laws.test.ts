import * as fc from "fast-check";
import { expect, test } from "vitest";
import { planEdit } from "./plan-edit.ts";
import { areLawsFull, runs } from "../../../test/support/law-runs.ts";

const piece = fc.constantFrom(
  "a",
  "b",
  " ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "  ",
  "\u00E9",
  "\u0301",
  "\u2018",
  "\u00A0",
  "1\t",
  "```",
  "\\n",
  "&lt;",
);
const textOf = (bounds: fc.ArrayConstraints): fc.Arbitrary<string> =>
  fc.array(piece, bounds).map((parts) => parts.join(""));

test("outside of its splices a text keeps every character, and an exact match is taken as it stands", () => {
  fc.assert(
    fc.property(
      textOf({ maxLength: 40 }),
      textOf({ minLength: 1, maxLength: 5 }),
      fc.record({ fresh: textOf({ maxLength: 5 }), replaceAll: fc.boolean() }),
      (text, oldText, { fresh, replaceAll }) => {
        const plan = planEdit(text, [{ oldText, newText: fresh, replaceAll }]);
        if (plan.kind === "refusal") return;
        let rebuilt = "";
        let at = 0;
        for (const { start, end, newText } of plan.splices) {
          expect(start).toBeGreaterThanOrEqual(at);
          const isLiteral = plan.interpretations.length === 0;
          expect(isLiteral ? text.slice(start, end) : oldText).toBe(oldText);
          rebuilt += text.slice(at, start) + newText;
          at = end;
        }
        expect(plan.text).toBe(rebuilt + text.slice(at));
        const isLiteral = plan.interpretations.every((each) => each.startsWith("line endings"));
        expect(oldText.trim() !== "" || isLiteral).toBe(true);
      },
    ),
    { numRuns: runs(2000) },
  );
});

test("without replaceAll at most one match changes, and never where the text occurs more than once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", " ", "\n"), { maxLength: 30 }),
      fc.array(fc.constantFrom("a", "b", " ", "\n"), { minLength: 1, maxLength: 3 }),
      (parts, old) => {
        const text = parts.join("");
        const oldText = old.join("");
        let places = 0;
        for (let at = 0; at <= text.length - oldText.length; at++) {
          if (text.startsWith(oldText, at)) places++;
        }

        const plan = planEdit(text, [{ oldText, newText: "new" }]);

        expect(plan).toMatchObject([{}, { interpretations: [] }][places] ?? ambiguous);
        expect(plan.kind === "plan" ? plan.splices.length : 1).toBe(1);
      },
    ),
    { numRuns: runs(1000) },
  );
});

const ambiguous = { code: "AMBIGUOUS_MATCH" };

test("the order of edits does not matter", () => {
  fc.assert(
    fc.property(
      textOf({ minLength: 3, maxLength: 30 }),
      fc.array(fc.tuple(textOf({ minLength: 1, maxLength: 3 }), textOf({ maxLength: 3 })), {
        minLength: 2,
        maxLength: 3,
      }),
      (text, pairs) => {
        const edits = pairs.map(([oldText, newText]) => ({ oldText, newText }));

        const one = planEdit(text, edits);
        const other = planEdit(text, edits.toReversed());

        expect(one.kind).toBe(other.kind);
        expect(other).toMatchObject(one.kind === "plan" ? { text: one.text } : { kind: "refusal" });
      },
    ),
  );
});

interface Change {
  readonly text: string;
  readonly result: string;
  readonly oldText: string;
  readonly newText: string;
  readonly from: number;
  readonly unit: string;
}

/** A file of distinct lines, one block of it, and the result of an edit of the block. */
const changes = fc
  .record({
    depths: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 6, maxLength: 14 }),
    unit: fc.constantFrom("\t", "  ", "    "),
    from: fc.nat({ max: 5 }),
    count: fc.integer({ min: 1, max: 4 }),
    edits: fc.array(fc.constantFrom("keep", "rename", "insert", "remove"), {
      minLength: 4,
      maxLength: 4,
    }),
  })
  .map(({ depths, unit, from, count, edits }) => {
    const lines = depths.map(
      (depth, index) => `${unit.repeat(depth)}call_${index}("x", 'y') - z && w;`,
    );
    const block = lines.slice(from, from + count);
    const fresh = block.flatMap((line, index) => {
      const kind = edits[index] ?? "keep";
      if (kind === "rename") return [line.replace("call", "renamed")];
      if (kind === "insert") return [line, line.replace("call", "added")];
      return kind === "remove" ? [] : [line];
    });
    const before = lines
      .slice(0, from)
      .map((line) => `${line}\n`)
      .join("");
    const after = lines
      .slice(from + count)
      .map((line) => `\n${line}`)
      .join("");
    const oldText = block.join("\n");
    const newText = fresh.join("\n");
    return {
      text: before + oldText + after,
      result: before + newText + after,
      oldText,
      newText,
      from,
      unit,
    };
  })
  .filter(({ oldText, newText }) => oldText !== newText && newText !== "");

type Planted = Pick<Change, "oldText" | "newText">;

const eachLine = (text: string, of: (line: string, index: number) => string): string =>
  text
    .split("\n")
    .map((line, index) => of(line, index))
    .join("\n");
const both =
  (of: (text: string, change: Change) => string) =>
  (change: Change): Planted => ({
    oldText: of(change.oldText, change),
    newText: of(change.newText, change),
  });
const oldOnly =
  (of: (text: string, change: Change) => string) =>
  (change: Change): Planted => ({
    oldText: of(change.oldText, change),
    newText: change.newText,
  });

const artifacts: Readonly<Record<string, (change: Change) => Planted>> = {
  lineNumbers: both((text, { from }) =>
    eachLine(text, (line, index) => `${String(from + 1 + index).padStart(6)}\t${line}`),
  ),
  lineNumbersInOld: oldOnly((text, { from }) =>
    eachLine(text, (line, index) => `${from + 1 + index} | ${line}`),
  ),
  fence: both((text) => `\`\`\`ts\n${text}\n\`\`\``),
  fenceInOld: oldOnly((text) => `\`\`\`\n${text}\n\`\`\``),
  json: both((text) => JSON.stringify(text).slice(1, -1)),
  jsonInOld: oldOnly((text) => JSON.stringify(text).slice(1, -1)),
  quotes: both((text) => text.replaceAll('"', '\\"')),
  entities: both((text) => text.replaceAll("&", "&amp;")),
  edges: both((text) => `\n${text}\n\n`),
  carriageReturns: both((text) => text.replaceAll("\n", "\r\n")),
  deeper: both((text, { unit }) => eachLine(text, (line) => unit + line)),
  deeperInOld: oldOnly((text, { unit }) => eachLine(text, (line) => unit + line)),
  curly: both((text) => text.replaceAll("'", "\u2019").replaceAll('"', "\u201D")),
  curlyInOld: oldOnly((text) => text.replaceAll("'", "\u2019")),
  dashInOld: oldOnly((text) => text.replaceAll("-", "\u2013")),
  noBreak: both((text) => text.replaceAll(" ", "\u00A0")),
  blanksInOld: oldOnly((text) => eachLine(text, (line) => `${line}  `)),
};

test.for(Object.keys(artifacts))("with %s an edit is right or refused", (name) => {
  const plant = artifacts[name] ?? nothing;
  fc.assert(
    fc.property(changes, (each) => {
      const plan = planEdit(each.text, [plant(each)]);
      expect([undefined, each.result]).toContain(plan.kind === "refusal" ? undefined : plan.text);
    }),
    { numRuns: runs(300) },
  );
});

// A share is a measurement, not a law: it is taken from the same edits each time.
test.for(Object.keys(artifacts))("with %s nearly every edit is right", (name) => {
  const plant = artifacts[name] ?? nothing;
  const samples = fc.sample(changes, { seed: 1, numRuns: areLawsFull ? 1000 : 300 });
  const right = samples.filter(
    (each) => planEdit(each.text, [plant(each)]).kind !== "refusal",
  ).length;

  expect(right / samples.length).toBeGreaterThan(0.9);
});

function nothing({ oldText, newText }: Change): Planted {
  return { oldText, newText };
}

test("with two artifacts an edit is right or refused, and mostly right", () => {
  let right = 0;
  let all = 0;
  // Order in which such artifacts arise; the last ones apply to the text of those before.
  const chains = [
    ["deeper", "lineNumbers"],
    ["deeper", "fence"],
    ["curlyInOld", "json"],
    ["quotes", "fence"],
    ["entities", "edges"],
    ["noBreak", "fence"],
    ["curly", "carriageReturns"],
    ["lineNumbers", "fence"],
    ["json", "edges"],
    ["dashInOld", "lineNumbersInOld"],
  ];
  fc.assert(
    fc.property(changes, fc.constantFrom(...chains), (each, chain) => {
      let planted: Change = each;
      for (const name of chain) planted = { ...planted, ...artifacts[name]?.(planted) };
      const plan = planEdit(each.text, [planted]);
      all++;
      if (plan.kind === "refusal") return;
      right++;
      expect(plan.text).toBe(each.result);
    }),
    { numRuns: runs(1500) },
  );
  expect(right / all).toBeGreaterThan(0.9);
});

test("with any artifact nothing is changed where the block occurs twice", () => {
  fc.assert(
    fc.property(changes, fc.constantFrom(...Object.keys(artifacts)), (each, name) => {
      const planted = artifacts[name]?.(each);
      if (planted === undefined) return;
      const plan = planEdit(`${each.text}\nbetween\n${each.text}`, [planted]);
      expect(plan.kind).toBe("refusal");
    }),
    { numRuns: runs(500) },
  );
});

test("with any artifact nothing is changed where one word of the block is another one", () => {
  fc.assert(
    fc.property(changes, fc.constantFrom(...Object.keys(artifacts)), (each, name) => {
      const planted = artifacts[name]?.(each);
      if (planted === undefined) return;
      const stale = each.text.replaceAll(/call_(\d+)/gu, "other_$1");
      expect(planEdit(stale, [planted]).kind).toBe("refusal");
    }),
    { numRuns: runs(500) },
  );
});
