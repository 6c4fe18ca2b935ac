import { Script } from "node:vm";
import { expect, test, vi } from "vitest";
import type { GrepEvent } from "../../core/index.ts";
import { memoryHost } from "../memory/memory-host.ts";
import { BoundedMatch, SlowPiece } from "./bounded-match.ts";

async function every(events: AsyncIterable<GrepEvent>): Promise<readonly GrepEvent[]> {
  const found: GrepEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

test.each([
  { multiline: false, pattern: "(a+)+$" },
  { multiline: true, pattern: "(a|aa)+$" },
])(
  "$pattern that backtracks without end is stopped by name, and timers run meanwhile",
  async (row) => {
    const { multiline, pattern } = row;
    const host = memoryHost({ files: { "a.txt": `${"a".repeat(60)}!` } });
    const query = { root: "/project", pattern, multiline };

    let isDue = false;
    setTimeout(() => (isDue = true), 100);
    const search = every(host.search.grep(query));

    await expect(search).rejects.toMatchObject({
      code: "TIMEOUT",
      hint: expect.stringContaining("repetitions"),
      retryable: false,
    });
    expect(isDue).toBe(true);
  },
);

const endless = { root: "/project", pattern: "(a+)+$" };
const endlessFiles = { "a.txt": `${"a".repeat(60)}!` };

test("a search that is aborted while an expression backtracks ends with that", async () => {
  const host = memoryHost({ files: endlessFiles });
  const abort = new AbortController();
  const search = every(host.search.grep(endless, { signal: abort.signal }));
  setTimeout(() => abort.abort(), 100);

  await expect(search).rejects.toMatchObject({ code: "ABORTED" });
});

test("a piece that is slow but ends has its matches, and those before it are shown once", async () => {
  const slow = `${"a".repeat(19)}!`;
  const lines = ["aa", ...Array.from({ length: 9000 }, () => "x".repeat(20)), slow, "aaa"];
  const host = memoryHost({ files: { "a.txt": lines.join("\n") } });

  const found = await every(host.search.grep({ root: "/project", pattern: "^(a+)+$" }));

  const matched = found.flatMap((event) => (event.kind === "match" ? [event.line] : []));
  expect(matched).toEqual([1, 9003]);
});

test("matches are those of the expression, also after one that was stopped, and each is found once", async () => {
  const stopped = new BoundedMatch(/(?:a+)+$/gu);
  expect(() => stopped.match([`${"a".repeat(60)}!`])).toThrow(SlowPiece);
  const bounded = new BoundedMatch(/[bo]/gu);
  const first = bounded.match(["ab", "b", ""]);

  expect(first).toEqual([[{ start: 1, end: 2 }], [{ start: 0, end: 1 }], []]);
  await bounded.matchElsewhere(new SlowPiece(["one two"], undefined), undefined);
  expect(bounded.match(["ab", "b", ""])).toBe(first);
  expect(bounded.match(["one two"])).toEqual([
    [
      { start: 0, end: 1 },
      { start: 6, end: 7 },
    ],
  ]);
});

test.each([
  { pattern: "b.d", isWatched: false, because: "it looks at each place once" },
  { pattern: "bo+", isWatched: true, because: "a repetition may backtrack" },
  { pattern: "bo|od", isWatched: true, because: "so may alternatives, inside repetitions or many" },
  {
    pattern: "x".repeat(300),
    isWatched: true,
    because: "it compares 300 characters at each place",
  },
])(
  "a match of $pattern has a time limit: $isWatched, because $because",
  ({ pattern, isWatched }) => {
    const watched = vi.spyOn(Script.prototype, "runInContext");

    new BoundedMatch(new RegExp(pattern, "gu")).match(["body"]);

    expect(watched).toHaveBeenCalledTimes(isWatched ? 1 : 0);
  },
);

test("a plain expression has a time limit in a long line, which may have millions of matches", () => {
  const watched = vi.spyOn(Script.prototype, "runInContext");
  const bounded = new BoundedMatch(/[ab][ab]c/gu);

  bounded.match(["a".repeat(1000)]);
  expect(watched).not.toHaveBeenCalled();
  bounded.match(["x".repeat(1_000_000)]);
  expect(watched).toHaveBeenCalledOnce();
});

test("lines of many pieces keep their numbers", async () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `line ${index} ${"x".repeat(20)}`);
  const host = memoryHost({ files: { "a.txt": lines.join("\n") } });

  const found = await every(host.search.grep({ root: "/project", pattern: "line (3000|8999) " }));

  expect(found.flatMap((event) => (event.kind === "match" ? [event.line] : []))).toEqual([
    3001, 9000,
  ]);
});
