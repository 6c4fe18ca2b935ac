import * as fc from "fast-check";
import { expect, test } from "vitest";
import { headAndTail } from "./head-and-tail.ts";

test.each(["\u{10000}", "\u{1F3FF}", "\u{10FFFF}"])(
  "a cut inside %j leaves it out whole",
  (pair) => {
    const text = pair.repeat(300);

    const { text: shown, cutChars } = headAndTail(text, { limit: 102, tailShare: 0.5 });

    expect(shown.isWellFormed()).toBe(true);
    expect(cutChars).toBe(500);
  },
);

test("both ends are those of the text, and what is missing is counted", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 300, maxLength: 900 }),
      fc.integer({ min: 20, max: 200 }),
      fc.constantFrom(0.2, 0.5, 0.8),
      (text, limit, tailShare) => {
        const { text: shown, cutChars } = headAndTail(text, { limit, tailShare });
        const mark = `\n[… ${cutChars} characters left out …]\n`;
        const at = shown.indexOf(mark);
        const head = shown.slice(0, at);
        const tail = shown.slice(at + mark.length);

        expect(text.startsWith(head)).toBe(true);
        expect(text.endsWith(tail)).toBe(true);
        expect(head.length + tail.length + cutChars).toBe(text.length);
        expect(head.length + tail.length).toBeLessThanOrEqual(limit);
        expect(shown.isWellFormed()).toBe(true);
      },
    ),
  );
});
