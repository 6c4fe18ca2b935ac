import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CapturedOutput, type StreamName } from "./capture.ts";

const roomy = { stdoutChars: 200_000, stderrChars: 56_000 };
const all = { maxChars: 30_000, tailShare: 0.2 };

function captured(
  pieces: readonly (readonly [StreamName, string])[],
  limits = roomy,
): CapturedOutput {
  const output = new CapturedOutput(limits);
  for (const [stream, text] of pieces) output.add(stream, text);
  return output;
}

test("the streams appear in the order they came, marked where the other one continues", () => {
  const output = captured([
    ["stdout", "one\ntwo"],
    ["stderr", "bad\n"],
    ["stderr", "worse\n"],
    ["stdout", "three\n"],
  ]);

  expect(output.shown(all)).toEqual({
    text: "one\ntwo\n[stderr]\nbad\nworse\n[stdout]\nthree",
    leftOut: 0,
  });
});

const numbered = Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join("");

test.each([
  { fate: "success", tailShare: 0.2, head: 8000 },
  { fate: "failure", tailShare: 0.8, head: 2000 },
])("of a $fate a share of $tailShare comes from the end", ({ tailShare, head }) => {
  const { text, leftOut } = captured([["stdout", numbered]]).shown({ maxChars: 10_000, tailShare });
  const [before = "", after = ""] = text.split(/\[… [\d,]+ characters left out here …\]\n/u);

  expect(text.length).toBeLessThanOrEqual(10_100);
  expect(Math.abs(before.length - head)).toBeLessThan(250);
  expect(text).toMatch(/^line 0\n/u);
  expect(after).toMatch(/^line \d+\n/u);
  expect(text).toMatch(/line 19999$/u);
  expect(leftOut).toBe(numbered.length - before.length - after.length - 1);
});

test("a cut never goes through a character", () => {
  const faces = "\u{1F600}".repeat(1000);
  for (let maxChars = 40; maxChars < 50; maxChars += 1) {
    const { text } = captured([["stdout", faces]]).shown({ maxChars, tailShare: 0.5 });
    expect(text).not.toMatch(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/,
    );
  }
});

test("the end of a failure is marked as what it is", () => {
  const output = captured([
    ["stdout", numbered],
    ["stderr", "error: it broke\n"],
  ]);

  expect(output.shown({ maxChars: 1000, tailShare: 0.8 }).text).toMatch(
    /\n\[stderr\]\nerror: it broke$/u,
  );
});

test("what is held is bounded by each stream's limit, however small the pieces", () => {
  const output = new CapturedOutput({ stdoutChars: 1000, stderrChars: 100 });
  for (let at = 0; at < 5000; at += 1) {
    output.add("stdout", `out ${at}\n`);
    output.add("stderr", `err ${at}\n`);
  }
  const whole = output.whole();
  const marks = whole.match(/\[(?:stdout|stderr)\]\n/gu)?.join("").length ?? 0;

  expect(whole.length - marks).toBeLessThan(1250);
  expect(whole).toContain("out 0\n");
  expect(whole).toContain("err 4999");
  expect(output.total).toBe(2 * (4 * 5000 + 38_890 - 20_000 + 5000));
});

test("the characters shown and those left out are all that were printed", () => {
  const piece = fc.tuple(
    fc.constantFrom<StreamName>("stdout", "stderr"),
    fc.stringMatching(/^[a-z]{0,40}\n?$/),
  );
  fc.assert(
    fc.property(fc.array(piece), fc.integer({ min: 1, max: 400 }), (pieces, maxChars) => {
      const output = captured(pieces, { stdoutChars: 100, stderrChars: 50 });
      const { text, leftOut } = output.shown({ maxChars, tailShare: 0.2 });
      const printed = text
        .replaceAll(/\[(?:stdout|stderr)\]|\[… -?[\d,]+ characters left out here …\]/gu, "")
        .replaceAll("\n", "").length;
      const breaks = pieces.reduce((sum, [, each]) => sum + (each.endsWith("\n") ? 1 : 0), 0);
      const total = output.total - breaks;
      expect(printed).toBeLessThanOrEqual(total);
      expect(printed + leftOut).toBeGreaterThanOrEqual(total);
      expect(leftOut > 0 || printed === total).toBe(true);
    }),
  );
});
