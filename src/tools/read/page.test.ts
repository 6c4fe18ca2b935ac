import * as fc from "fast-check";
import { expect, test } from "vitest";
import { takePage } from "./page.ts";

const all = { from: 1, limit: 10_000, maxBytes: 10_000_000, countAll: true };

test("how the bytes are cut into chunks changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "\u00E9", "\u{1F600}", "xyz"), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 5 }),
      async (parts, size, from) => {
        const bytes = Buffer.from(parts.join(""));
        const chunks: Uint8Array[] = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        const request = { ...all, from };

        expect(await takePage(chunks, request)).toEqual(await takePage([bytes], request));
      },
    ),
  );
});

test("the lines are those between line breaks, and only a carriage return before one is dropped", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "\u00E9"), { maxLength: 40 }),
      async (parts) => {
        const text = parts.join("");
        const expected = text.split("\n");
        const last = expected.pop() ?? "";
        const lines = expected.map((line) => line.replace(/\r$/u, ""));
        if (last !== "") lines.push(last);

        const page = await takePage([Buffer.from(text)], all);

        expect(page.totalLines).toBe(lines.length);
        expect(page.text).toBe(
          lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}\n`).join(""),
        );
      },
    ),
  );
});

/** Blocks of a hundred lines without end, telling how many were asked for. */
async function* endless(given: { blocks: number }) {
  for (;;) {
    given.blocks++;
    yield Buffer.from("line\n".repeat(100));
  }
}

/** One line of 131 MB. */
function* oneLine() {
  for (let chunk = 0; chunk < 2000; chunk++) yield Buffer.alloc(65_536, 120);
}

test("reading stops when the page is full and nobody wants the count", async () => {
  const given = { blocks: 0 };

  const page = await takePage(endless(given), { ...all, from: 150, limit: 10, countAll: false });

  expect(page).toMatchObject({ shown: 10, totalLines: undefined, fullBecause: "limit" });
  expect(given.blocks).toBe(2);
});

test("a page that ends with the file is not called full", async () => {
  const page = await takePage([Buffer.from("a\nb\n")], { ...all, limit: 2, countAll: false });

  expect(page).toMatchObject({ shown: 2, totalLines: 2, fullBecause: undefined });
});

test("a line of any length is shown as far as a line may go", async () => {
  const page = await takePage(oneLine(), all);

  expect(page).toMatchObject({ shown: 1, windowed: true });
  expect(page.text.length).toBeLessThan(2100);
});

test("one line longer than the page is still shown", async () => {
  const page = await takePage([Buffer.from(`${"x".repeat(500)}\nnext\n`)], {
    ...all,
    maxBytes: 100,
  });

  expect(page).toMatchObject({ shown: 1, fullBecause: "size", totalLines: 2 });
});
