import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HeadAndTail } from "./head-and-tail.ts";

const kept = (limit: number, parts: readonly string[]): HeadAndTail => {
  const text = new HeadAndTail(limit);
  for (const part of parts) text.add(part);
  return text;
};

test("a text within the limit is kept as it is", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 9 }), { maxLength: 20 }), (parts) => {
      const whole = parts.join("");
      const text = kept(Math.max(1, whole.length), parts);

      expect(text.text()).toBe(whole);
      expect(text.total).toBe(whole.length);
    }),
  );
});

test("a longer one keeps its beginning and end, however it arrives, and counts the rest", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 9 }), {
        minLength: 10,
        maxLength: 40,
      }),
      (parts) => {
        const whole = parts.join("");
        fc.pre(whole.length > 10);
        const text = kept(10, parts).text();

        expect(text).toBe(
          `${whole.slice(0, 5)}\n[… ${whole.length - 10} characters left out here …]\n${whole.slice(-5)}`,
        );
      },
    ),
  );
});

test("the end begins with a whole line", () => {
  const text = kept(20, ["0123456789", "x".repeat(50), "\nlast"]).text();

  expect(text).toBe("0123456789\n[… 51 characters left out here …]\nlast");
});
