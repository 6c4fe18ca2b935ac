import { expect, test } from "vitest";
import { termIndex } from "./postings.ts";
import { QueryTerms } from "./query-terms.ts";
import { searchTerms } from "./search-text.ts";

const none = { names: "", hints: "", parameters: [] };

const common = "amber bronze copper dust ember flint granite hazel";

test("a long query leaves out what most documents have, and keeps what few have", () => {
  const documents = Array.from({ length: 200 }, (_, index) => ({
    ...none,
    description: index === 7 ? `${common} zinc` : common,
  }));
  const terms = new QueryTerms(termIndex(documents));
  const read = (maxPostings: number): readonly number[] =>
    terms
      .of(searchTerms(`${common} zinc`), maxPostings)
      .words.flatMap((word) => word.terms.map(({ holders }) => holders));

  const all = read(1_000_000);
  const few = read(300);

  expect(all.length).toBeGreaterThan(few.length);
  expect(few).toHaveLength(6);
  expect(few).toContain(1);
  expect(read(1400).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(1400);
});

test("few terms are looked for however many documents have them", () => {
  const documents = Array.from({ length: 50 }, () => ({ ...none, description: "amber. a bronze" }));
  const terms = new QueryTerms(termIndex(documents));

  expect(terms.of(["amber", "bronz"], 1).words).toHaveLength(2);
});

test("terms do not depend on the requests before", () => {
  const index = termIndex([
    { ...none, description: "send a picture to github. git hub" },
    { ...none, description: "resize an image" },
  ]);
  const requests = ["picture of git hub", "send piture piture", "image picture picture a"];
  const used = new QueryTerms(index);
  for (const request of requests) used.of(searchTerms(request), 1000);

  for (const request of requests) {
    const words = searchTerms(request);
    expect(used.of(words, 1000)).toEqual(new QueryTerms(index).of(words, 1000));
  }
});
