import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { PageRequest } from "./page.ts";
import { pageOf, takePage } from "./build-page.ts";
import { runs } from "../../../test/support/law-runs.ts";

const everything = Number.MAX_SAFE_INTEGER;
const all: PageRequest = {
  ranges: [{ first: 1, last: everything }],
  maxBytes: 10_000_000,
  window: { column: 1, chars: 2000 },
  countAll: true,
};

test("how the bytes are cut into chunks changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.constantFrom("a", "\n", "\n", "\r\n", "\r", "\u00E9", "\u{1F600}", "\uFFFD", "\xFF"),
        { maxLength: 60 },
      ),
      fc.record({
        size: fc.integer({ min: 1, max: 7 }),
        first: fc.integer({ min: 1, max: 5 }),
        maxBytes: fc.constantFrom(30, 60, 10_000_000),
      }),
      fc.record({ column: fc.integer({ min: 1, max: 4 }), chars: fc.integer({ min: 1, max: 4 }) }),
      async (parts, { size, first, maxBytes }, window) => {
        const bytes = Buffer.concat(
          parts.map((part) => (part === "\xFF" ? Buffer.of(0xff) : Buffer.from(part))),
        );
        const ranges = [
          { first, last: first + 1 },
          { first: first + 4, last: everything },
        ];

        const request = { ...all, ranges, window, maxBytes };

        expect(await takePage(chunksOf(bytes, size), request)).toEqual(pageOf(bytes, request));
      },
    ),
    { numRuns: runs(500) },
  );
});

test("a text read at once gives the same page as in a stream", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("a", "bb", "\n", "\n", "\r\n", "\u00E9", "\uFFFD", "\xFF"), {
        maxLength: 40,
      }),
      fc.record({
        first: fc.integer({ min: 1, max: 8 }),
        lines: fc.constantFrom(1, 2, 5, everything - 10),
        maxBytes: fc.constantFrom(12, 30, 10_000_000),
        chars: fc.constantFrom(3, 2000),
        startLine: fc.constantFrom(1, 4),
        countAll: fc.boolean(),
      }),
      async (parts, { first, lines, chars, ...rest }) => {
        const bytes = Buffer.concat(
          parts.map((part) => (part === "\xFF" ? Buffer.of(0xff) : Buffer.from(part))),
        );
        const ranges = [{ first, last: first + lines - 1 }];
        const request = { ...rest, ranges, window: { column: 1, chars } };

        expect(pageOf(bytes, request)).toEqual(await takePage([bytes], request));
      },
    ),
    { numRuns: runs(2000) },
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
        expect(page.text).toBe(lines.map((line, index) => `${index + 1}\t${line}\n`).join(""));
      },
    ),
  );
});

/** Endless blocks of a hundred lines, counting how many were requested. */
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

  const page = await takePage(endless(given), {
    ...all,
    ranges: [{ first: 150, last: 159 }],
    countAll: false,
  });

  expect(page).toMatchObject({
    shown: [{ first: 150, last: 159 }],
    totalLines: undefined,
    fullBecause: "limit",
    next: 160,
  });
  expect(given.blocks).toBe(2);
});

test("a page that ends with the file is not called full", async () => {
  const page = await takePage([Buffer.from("a\nb\n")], {
    ...all,
    ranges: [{ first: 1, last: 2 }],
    countAll: false,
  });

  expect(page).toMatchObject({ shownLines: 2, totalLines: 2, fullBecause: undefined });
});

test("a line of any length is shown as far as a line may go", async () => {
  const page = await takePage(oneLine(), all);

  expect(page).toMatchObject({ shownLines: 1, cutLines: [1] });
  expect(page.text.length).toBeLessThan(2100);
});

test("an invalid UTF-8 byte after the window counts however the line is split", async () => {
  const line = Buffer.concat([Buffer.from("\uFFFD"), Buffer.alloc(50, "a"), Buffer.of(0xff)]);
  const request = { ...all, window: { column: 1, chars: 1 } };

  expect(pageOf(line, request)).toMatchObject({ lossy: true });
  for (const size of [1, 2, 100]) {
    expect(await takePage(chunksOf(line, size), request)).toMatchObject({ lossy: true });
  }
});

test.for([
  { why: "the file itself has the replacement character", bytes: "\uFFFD\uFFFD", lossy: false },
  { why: "a byte is not UTF-8", bytes: "\uFFFD\xFF", lossy: true },
])("whether text is lossy when $why does not depend on the chunks", async ({ bytes, lossy }) => {
  const line = Buffer.concat([
    Buffer.from(bytes.replace("\xFF", "")),
    Buffer.alloc(bytes.includes("\xFF") ? 1 : 0, 0xff),
  ]);

  for (const size of [1, 2, 3, 100]) {
    expect(await takePage(chunksOf(line, size), all)).toMatchObject({ lossy });
  }
});

test("one line longer than the page is still shown", async () => {
  const page = await takePage([Buffer.from(`${"x".repeat(500)}\nnext\n`)], {
    ...all,
    maxBytes: 100,
  });

  expect(page).toMatchObject({ shownLines: 1, fullBecause: "size", totalLines: 2, next: 2 });
});

test("parts of a file come in one pass, with dots where lines are left out", async () => {
  const bytes = Buffer.from("a\nb\nc\nd\ne\nf\n");
  const ranges = [
    { first: 2, last: 3 },
    { first: 5, last: 5 },
    { first: 9, last: 9 },
  ];

  const page = pageOf(bytes, { ...all, ranges });

  expect(page.text).toBe("2\tb\n3\tc\n...\n5\te\n");
  expect(page).toMatchObject({
    shown: [ranges[0], ranges[1]],
    shownLines: 3,
    totalLines: 6,
    fullBecause: undefined,
    next: undefined,
  });
});

test("where the page is full between two parts, the next line is one that was asked for", () => {
  const bytes = Buffer.from("a\nb\nc\nd\ne\nf\n");
  const ranges = [
    { first: 1, last: 1 },
    { first: 4, last: 5 },
  ];

  const page = pageOf(bytes, { ...all, ranges, maxBytes: 10 });

  expect(page).toMatchObject({ shown: [{ first: 1, last: 1 }], fullBecause: "size", next: 4 });
});

test("a column shows the same part of every line, and tears no character", () => {
  const bytes = Buffer.from("abcdef\nab\n\u{1F600}\u{1F601}z\n");

  const page = pageOf(bytes, { ...all, window: { column: 3, chars: 2 } });

  expect(page.text).toBe(
    [
      "1\t… cd … [line cut here; it has 6 bytes]\n",
      "2\t… \n",
      "3\t… \u{1F601} … [line cut here; it has 9 bytes]\n",
    ].join(""),
  );
  expect(page).toMatchObject({ cutLines: [1, 3], isPartial: true });
});

test("line starts are reported every thousand lines, and a page that begins there is the same", async () => {
  const lines = Array.from({ length: 3500 }, (_, index) => `line ${index + 1}`).join("\n");
  const bytes = Buffer.from(lines);
  const starts: [number, number][] = [];
  const ranges = [{ first: 2990, last: 3003 }];

  const page = await takePage(chunksOf(bytes, 1000), {
    ...all,
    ranges,
    countAll: false,
    onLineStart: (line, offset) => starts.push([line, offset]),
  });

  expect(starts.map(([line]) => line)).toEqual([1001, 2001, 3001]);
  for (const [line, offset] of starts) {
    const again = pageOf(bytes.subarray(offset), {
      ...all,
      ranges: [{ first: line, last: line }],
      startLine: line,
      countAll: false,
    });
    expect(again.text).toContain(`line ${line}\n`);
  }
  const [, second = [0, 0]] = starts;
  expect(pageOf(bytes.subarray(second[1]), { ...all, ranges, startLine: 2001 }).text).toBe(
    page.text,
  );
});

function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
