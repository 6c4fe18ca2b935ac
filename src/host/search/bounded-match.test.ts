import { expect, test } from "vitest";
import type { GrepEvent } from "../../core/index.ts";
import { memoryHost } from "../memory/memory-host.ts";
import { boundedMatches, boundedMatchesOf } from "./bounded-match.ts";

async function every(events: AsyncIterable<GrepEvent>): Promise<readonly GrepEvent[]> {
  const found: GrepEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

test.each([
  { multiline: false, pattern: "(a+)+$" },
  { multiline: true, pattern: "(a|aa)+$" },
])("$pattern that backtracks without end is stopped by name", async ({ multiline, pattern }) => {
  const host = memoryHost({ files: { "a.txt": `${"a".repeat(60)}!` } });
  const query = { root: "/project", pattern, multiline };

  const search = every(host.search.grep(query));

  await expect(search).rejects.toMatchObject({
    code: "TIMEOUT",
    hint: expect.stringContaining("repetitions"),
    retryable: false,
  });
});

test("matches are those of the expression, also after one that was stopped", () => {
  expect(() => boundedMatches(`${"a".repeat(60)}!`, /(?:a+)+$/gu)).toThrow("was stopped");

  expect(boundedMatches("one two", /o/gu)).toEqual([
    { start: 0, end: 1 },
    { start: 6, end: 7 },
  ]);
  expect(boundedMatchesOf(["ab", "b", ""], /b/gu)).toEqual([
    [{ start: 1, end: 2 }],
    [{ start: 0, end: 1 }],
    [],
  ]);
});

test("lines of many pieces keep their numbers", async () => {
  const lines = Array.from({ length: 9000 }, (_, index) => `line ${index} ${"x".repeat(20)}`);
  const host = memoryHost({ files: { "a.txt": lines.join("\n") } });

  const found = await every(host.search.grep({ root: "/project", pattern: "line (3000|8999) " }));

  expect(found.flatMap((event) => (event.kind === "match" ? [event.line] : []))).toEqual([
    3001, 9000,
  ]);
});
