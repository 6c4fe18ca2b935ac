import * as fc from "fast-check";
import { expect, test } from "vitest";
import { lineReader } from "./line-reader.ts";

function read(chunks: readonly Buffer[], maxBytes = 1000): readonly string[] {
  const seen: string[] = [];
  const push = lineReader(maxBytes, {
    onLine: (line) => seen.push(line.toString("utf8")),
    onTooLong: () => seen.push("too long"),
  });
  for (const chunk of chunks) push(chunk);
  return seen;
}

const bytes = (text: string): Buffer => Buffer.from(text);

test.for([
  { chunks: ["a\nb\n"], lines: ["a", "b"], because: "a chunk may hold two lines" },
  { chunks: ["a", "b\n"], lines: ["ab"], because: "a line may come in two chunks" },
  { chunks: ["a\n\n\nb\n"], lines: ["a", "b"], because: "an empty line is nothing" },
  { chunks: ["a\nb"], lines: ["a"], because: "a line without its end is not whole" },
  { chunks: ["abcd\n"], lines: ["abcd"], because: "the limit itself is allowed" },
  { chunks: ["abcde\nb\n"], lines: ["too long", "b"], because: "the next line is read" },
  { chunks: ["abc", "de", "fg", "\nb\n"], lines: ["too long", "b"], because: "it is said once" },
])("of $chunks come $lines: $because", ({ chunks, lines }) => {
  expect(read(chunks.map(bytes), 4)).toEqual(lines);
});

test("how bytes are cut into chunks changes nothing", () => {
  const text = fc.array(fc.string({ unit: "grapheme" })).map((lines) => `${lines.join("\n")}\n`);
  fc.assert(
    fc.property(text, fc.array(fc.nat(200)), fc.integer({ min: 1, max: 50 }), (said, cuts, max) => {
      const whole = bytes(said);
      const places = [0, ...cuts.filter((cut) => cut < whole.length), whole.length];
      const sorted = places.toSorted((left, right) => left - right);
      const chunks = sorted.slice(1).map((end, index) => whole.subarray(sorted[index], end));

      expect(read(chunks, max)).toEqual(read([whole], max));
    }),
  );
});
