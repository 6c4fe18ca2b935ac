import { describe, expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { simpleTool, testKit } from "../../../test/support/kit.ts";
import { factChars, maxFactsChars, shortFacts, shortText } from "./shorten-metadata.ts";

describe("a short text", () => {
  test("is the text itself up to the limit, and its beginning beyond it", () => {
    expect(shortText("abc", 3)).toBe("abc");
    expect(shortText("abcd", 3)).toBe("abc… (1 more characters)");
  });

  test("never ends inside a character", () => {
    expect(shortText("a😀b", 2)).toBe("a… (3 more characters)");
    expect(shortText("a😀b", 3)).toBe("a😀… (1 more characters)");
  });
});

describe("short facts", () => {
  test("that fit are the very same object", () => {
    const facts = { a: "x".repeat(maxFactsChars - 100), b: { c: [1, null, true] } };

    expect(shortFacts(facts)).toBe(facts);
  });

  test("leave out the largest, and name them", () => {
    const facts = {
      path: "/a",
      diff: "x".repeat(maxFactsChars),
      added: 1,
      list: ["y".repeat(100)],
    };

    expect(shortFacts(facts)).toEqual({ ...facts, diff: "(too large)" });
  });

  test("count names, and what lies deep", () => {
    const named = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`${"k".repeat(100)}${index}`, index]),
    );
    const deep = { a: { b: [{ c: "x".repeat(maxFactsChars + 1) }] }, ok: true };

    expect(shortFacts({ named, ok: 1 })).toEqual({ named: "(too large)", ok: 1 });
    expect(Object.keys(shortFacts(named))).toHaveLength(1000);
    expect(shortFacts(deep)).toEqual({ a: "(too large)", ok: true });
  });

  test("that go in a circle are left to who makes JSON of them", () => {
    const circle: Record<string, unknown> = {};
    circle["circle"] = circle;

    expect(() => shortFacts(circle)).not.toThrow();
  });
});

test("title, summary, metadata and error of an outcome have an end", async () => {
  const long = "x".repeat(300_000);
  const { kit } = await testKit({
    tools: {
      extra: [
        simpleTool("Wordy", () => ({
          content: "done",
          title: long,
          summary: long,
          metadata: { long, short: 1 },
        })),
        simpleTool("Loud", () => {
          throw new ToolError("TOOL_FAILED", long, { hint: long, data: { long, short: 1 } });
        }),
      ],
    },
  });

  const { title, summary, metadata } = await kit.call({ name: "Wordy", input: {} });
  const { error } = await kit.call({ name: "Loud", input: {} });

  expect([title.length, summary.length]).toEqual([
    factChars.title + "… (299000 more characters)".length,
    factChars.summary + "… (296000 more characters)".length,
  ]);
  expect(metadata).toEqual({ long: "(too large)", short: 1 });
  expect(error?.message).toHaveLength(factChars.message + "… (284000 more characters)".length);
  expect(error?.hint?.length).toBeLessThan(factChars.summary + 100);
  expect(error?.data).toEqual({ long: "(too large)", short: 1 });
});

test("a secret at the place of the cut is hidden whole", async () => {
  const token = `ghp_${"A1b2".repeat(9)}`;
  const title = `${"x ".repeat(factChars.title / 2 - 5)}${token}`;
  const { kit } = await testKit({
    tools: { extra: [simpleTool("Cut", () => ({ content: "", title, summary: title }))] },
  });

  expect((await kit.call({ name: "Cut", input: {} })).title).not.toContain("ghp_A1");
});
