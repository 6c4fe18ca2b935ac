import { applyPatch } from "diff";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readableText } from "./decode-sides.ts";
import { textDiff } from "./staged-diff.ts";
import { runs } from "../../../test/support/law-runs.ts";

const many = (word: string): string =>
  Array.from({ length: 5000 }, (_, index) => `${word} ${index}\n`).join("");

describe("a difference of texts", () => {
  const line = fc.constantFrom("a", "b", "", "\tx", "é", "-", "+", "@@ -1 +1 @@", "\r");
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom("", "\n", "\r\n"))
    .map(([lines, end]) => lines.join(end === "\r\n" ? end : "\n") + end);

  test("applied to the one it gives the other, and counts its lines", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const found = await textDiff({ path: "f", before, after });

        expect(
          applyPatch(before, found?.diff ?? "", { autoConvertLineEndings: false, fuzzFactor: 0 }),
        ).toBe(after);
        const lines = (found?.diff ?? "").split("\n").slice(2);
        expect(found?.added).toBe(lines.filter((each) => each.startsWith("+")).length);
        expect(found?.removed).toBe(lines.filter((each) => each.startsWith("-")).length);
      }),
      { numRuns: runs(500) },
    );
  });

  test("a change far down names its lines", async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`);
    const before = lines.join("\n");
    const after = lines.with(5000, "other").join("\n");

    expect((await textDiff({ path: "f", before, after }))?.diff).toContain("@@ -4998,7 +4998,7 @@");
  });

  test("the search for matches in texts that share nothing ends", async () => {
    expect(await textDiff({ path: "f", before: many("a"), after: many("b") })).toBeUndefined();
  });
});

test.for<readonly [string, readonly number[], string | undefined]>([
  ["plain text is UTF-8", [0x61], "UTF-8"],
  ["nothing is text", [], "UTF-8"],
  ["a mark says UTF-16LE", [0xff, 0xfe, 0x61, 0], "UTF-16LE"],
  ["a mark says UTF-16BE", [0xfe, 0xff, 0, 0x61], "UTF-16BE"],
  ["a truncated one is not text", [0xff, 0xfe, 0x61], undefined],
  ["a zero byte is not text", [0x61, 0, 0x62], undefined],
  ["bytes that are not UTF-8 are not text", [0xc3, 0x28], undefined],
])("%s", ([, bytes, encoding]) => {
  expect(readableText(new Uint8Array(bytes))?.encoding).toBe(encoding);
});
