import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GrepEvent, Host } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { toolBench, type ToolBench } from "../../testing/index.ts";
import { grep } from "./grep.ts";
import { runs } from "../../../test/support/law-runs.ts";

type Mode = "content" | "files_with_matches" | "count";
const modes: readonly Mode[] = ["content", "files_with_matches", "count"];

/** A host whose searches visit the files in another order each time, as searches with several threads do. */
function shufflingHost(files: Readonly<Record<string, string>>, seed: number): Host {
  const host = memoryHost({ files });
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  async function* shuffled(...args: Parameters<Host["search"]["grep"]>): AsyncGenerator<GrepEvent> {
    const byPath = new Map<string, GrepEvent[]>();
    let end: GrepEvent | undefined;
    for await (const event of host.search.grep(...args)) {
      if (event.kind === "end") end = event;
      else byPath.set(event.path, [...(byPath.get(event.path) ?? []), event]);
    }
    const blocks = Array.from(byPath.values(), (block) => ({ block, at: random() }));
    for (const { block } of blocks.toSorted((one, other) => one.at - other.at)) yield* block;
    if (end !== undefined) yield end;
  }
  const search: Host["search"] = {
    grep: shuffled,
    glob: (query, options) => host.search.glob(query, options),
    list: (query, options) => host.search.list(query, options),
  };
  return new Proxy(host, {
    get: (target, key) => (key === "search" ? search : Reflect.get(target, key, target)),
  });
}

/** All pages from the first to the one without a next page, as lines of `path:number` or `path`. */
async function pagesOf(bench: ToolBench, input: object): Promise<string[][]> {
  const pages: string[][] = [];
  for (let offset: unknown = 1; offset !== undefined;) {
    const { text, metadata } = await bench.call(grep, { ...input, offset });
    pages.push(shownIn(text));
    offset = metadata["next"];
  }
  return pages;
}

function shownIn(text: string): string[] {
  const shown: string[] = [];
  let path = "";
  for (const line of text.split("\n")) {
    if (line === "" || line === "--" || line.startsWith("(")) continue;
    const number = /^(\d+)[:-]/u.exec(line)?.[1];
    if (number === undefined) path = line;
    shown.push(number === undefined ? line : `${path}:${number}`);
  }
  return shown;
}

/** Removes headings: in content mode, file names are headings that every page with lines of the file repeats. */
function entries(pages: readonly (readonly string[])[], mode: Mode): string[] {
  return pages.flat().filter((each) => mode !== "content" || /:\d+$/u.test(each));
}

const world = fc.record({
  counts: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 15 }),
  seed: fc.nat(),
  context: fc.constantFrom(0, 0, 1),
});

describe.each(modes)("in mode %s", (mode) => {
  test("the pages of a search are all it finds, each line once, in whatever order it is met", async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ counts, limit, seed, context }) => {
        const files = Object.fromEntries(
          counts.map((count, index) => [`d${index % 3}/f${index}`, "hit\nmiss\n".repeat(count)]),
        );
        const input = { pattern: "hit", output_mode: mode, "-C": context };
        const bench = toolBench({ host: shufflingHost(files, seed) });
        const whole = await bench.call(grep, { ...input, head_limit: 0 });

        const pages = await pagesOf(bench, { ...input, head_limit: limit });

        const found = entries(pages, mode);
        expect(new Set(found).size).toBe(found.length);
        expect(found.toSorted()).toEqual(entries([shownIn(whole.text)], mode).toSorted());
        expect(pages.slice(0, -1).every((page) => entries([page], mode).length === limit)).toBe(
          true,
        );
      }),
      { numRuns: runs(60) },
    );
  });

  test("a page that is asked for again is the same set of lines where the search meets them again", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [`f${index}`, "hit\n"]),
    );
    const bench = toolBench({ files });
    const input = { pattern: "hit", output_mode: mode, head_limit: 3 };
    await bench.call(grep, input);

    const second = await bench.call(grep, { ...input, offset: 4 });
    const again = await bench.call(grep, { ...input, offset: 4 });

    expect(again.text).toBe(second.text);
  });
});

test("what one search has shown is nothing to another, nor to another session", async () => {
  const host = shufflingHost({ "a.txt": "hit\n", "b.txt": "hit\n", "c.txt": "hit\n" }, 7);
  const one = toolBench({ host });
  const other = toolBench({ host });
  const input = { pattern: "hit", output_mode: "content", head_limit: 1 };
  await one.call(grep, input);

  const rest = await one.call(grep, { ...input, pattern: "h.t", head_limit: 5, offset: 2 });
  const unseen = await other.call(grep, { ...input, head_limit: 5, offset: 2 });

  const byPath =
    "b.txt\n1: hit\n\nc.txt\n1: hit\n(3 matching lines in 3 files. In the order of their paths, whatever earlier pages showed.)";
  expect(rest.text).toBe(byPath);
  expect(unseen.text).toBe(byPath);
});

test("a page at an offset that no page led to continues by path from there", async () => {
  const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`f${index}`, "hit\n"]));
  const bench = toolBench({ host: shufflingHost(files, 3) });
  const input = { pattern: "hit", head_limit: 3 };

  const second = await bench.call(grep, { ...input, offset: 4 });
  const third = await bench.call(grep, { ...input, offset: 7 });

  expect(second.text).toBe(
    "f3\nf4\nf5\n(Files 4 to 6 of 9; more with offset 7, or narrow the search. In the order of their paths, whatever earlier pages showed.)",
  );
  expect(shownIn(third.text)).toEqual(["f6", "f7", "f8"]);
});

test("no page is promised beyond the last offset", async () => {
  const bench = toolBench({ files: { "a.txt": "hit\n".repeat(10_005) } });
  const input = { pattern: "hit", output_mode: "content" };

  const { text, metadata } = await bench.call(grep, { ...input, offset: 9_999, head_limit: 2 });

  expect(text.split("\n").at(-1)).toBe(
    "(Lines 9999 to 10000; there are more, so narrow the search. It stopped at 10,000, so another page may repeat or miss some.)",
  );
  expect(metadata).not.toHaveProperty("next");
});
