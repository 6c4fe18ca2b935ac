import * as fc from "fast-check";
import { expect, test } from "vitest";
import { termIndex } from "./postings.ts";
import { searchIndex } from "./search.ts";
import { QueryTerms } from "./query-terms.ts";
import { Ranking } from "./ranking.ts";
import { searchTerms } from "./search-text.ts";
import { runs } from "../../../test/support/law-runs.ts";

const words = "amber bronze copper dust ember flint granite hazel iron jade a the of".split(" ");

/** Many documents of few words, of which some are in nearly all of them. */
const texts = fc.array(
  fc.record({
    name: fc.array(fc.nat(words.length - 1), { minLength: 1, maxLength: 3 }),
    description: fc.array(fc.nat(words.length - 1), { maxLength: 12 }),
    server: fc.constantFrom("", "north", "south"),
    isShown: fc.boolean(),
  }),
  { minLength: 30, maxLength: 120 },
);

/** Words by how often they are wanted: the first ones are common. */
function textOf(numbers: readonly number[]): string {
  return numbers.map((number) => words[Math.floor(number ** 2 / words.length)]).join(" ");
}

function nameOf(at: number): string {
  return `tool_${String(at).padStart(3, "0")}`;
}

test("leaving out documents that cannot be among the best never changes the best", () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.nat(words.length - 1), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 12 }),
      (tools, query, limit) => {
        const names = tools.map(({ name }) => textOf(name));
        const index = termIndex(
          tools.map(({ description, server }, at) => ({
            names: names[at] ?? "",
            hints: server,
            description: textOf(description),
            parameters: [],
          })),
        );
        const ranking = new Ranking(index, {
          servers: tools.map(({ server }) => server),
          names: names.map((name) => searchTerms(name)),
          order: Uint32Array.from(tools.keys()),
        });
        const plan = new QueryTerms(index).of(searchTerms(textOf(query)), 1_000_000);
        const isShown = (document: number): boolean => tools[document]?.isShown === true;

        const few = ranking.rank(plan, { limit, isShown });
        const all = ranking.rank(plan, { limit: tools.length, isShown });

        const rounded = (each: (typeof all)[number]): unknown => ({
          document: each.document,
          score: each.score.toFixed(9),
        });
        expect(few.map(rounded)).toEqual(all.slice(0, limit).map(rounded));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("the best tools of a request with several parts are the same however many are asked for", () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.array(fc.nat(words.length - 1), { minLength: 2, maxLength: 5 }), {
        minLength: 2,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 12 }),
      (tools, parts, limit) => {
        const index = searchIndex(
          tools.map(({ name, description, server }, at) => ({
            name: nameOf(at),
            summary: "",
            server,
            names: textOf(name),
            hints: server,
            description: textOf(description),
            parameters: [],
          })),
        );
        const query = parts.map(textOf).join(". ");

        const few = index.search(query, { limit });
        const all = index.search(query, { limit: tools.length });

        const rounded = (each: (typeof all)[number]): unknown => [each.name, each.score.toFixed(9)];
        expect(few.map(rounded)).toEqual(all.slice(0, limit).map(rounded));
      },
    ),
    { numRuns: runs(300) },
  );
});

test("the number of tools that match is that of a search for all of them", () => {
  fc.assert(
    fc.property(
      texts,
      fc.array(fc.array(fc.nat(words.length - 1), { minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 4,
      }),
      (tools, parts) => {
        const index = searchIndex(
          tools.map(({ name, description, server }, at) => ({
            name: nameOf(at),
            summary: "",
            server,
            names: textOf(name),
            hints: server,
            description: textOf(description),
            parameters: [],
          })),
        );
        const query = parts.map(textOf).join(". ");
        const shown = new Set(tools.flatMap(({ isShown }, at) => (isShown ? [nameOf(at)] : [])));
        const isShown = (name: string): boolean => shown.has(name);

        const all = index.search(query, { limit: tools.length, isShown });

        expect(index.count(query, { isShown })).toBe(all.length);
      },
    ),
    { numRuns: runs(300) },
  );
});
