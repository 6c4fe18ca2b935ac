import { describe, expect, test } from "vitest";
import { takeResult } from "./validate-result.ts";

const parts = [
  { type: "text", text: "a" },
  { type: "image", data: "", mimeType: "image/png" },
  { type: "audio", data: "", mimeType: "audio/wav" },
  { type: "resource_link", uri: "file:///a" },
  { type: "resource", resource: { uri: "file:///a" } },
];

describe("the content of an answer", () => {
  test.each(["", "text", [], parts])("%j is taken as it is", (content) => {
    expect(takeResult("Tool", { content })).toEqual({ content });
  });

  test.each([
    undefined,
    null,
    7,
    "text",
    {},
    { content: undefined },
    { content: 7 },
    { content: { type: "text", text: "a" } },
    { content: ["text"] },
    { content: [null] },
    { content: [[]] },
    { content: [{ type: "video", data: "" }] },
    ...parts.flatMap((part) =>
      Object.keys(part)
        .filter((key) => key !== "type")
        .map((key) => ({ content: [parts[0], { ...part, [key]: 7 }] })),
    ),
    { content: [{ type: "resource", resource: { uri: 7 } }] },
    { content: [{ type: "resource", resource: null }] },
  ])("%j is invalid", (value) => {
    expect(() => takeResult("Tool", value)).toThrow(
      expect.objectContaining({ code: "TOOL_FAILED", message: "Tool returned no content." }),
    );
  });
});

describe("what else an answer says", () => {
  const all = {
    content: "a",
    structuredContent: { a: 1 },
    title: "Title",
    summary: "Summary",
    metadata: { lines: 3 },
    isError: true,
    trust: "trusted",
  };

  test("is taken where it is of its kind, and nothing more", () => {
    expect(takeResult("Tool", { ...all, other: 1 })).toEqual(all);
  });

  test.each([
    ["title", 7],
    ["summary", null],
    ["metadata", "text"],
    ["metadata", null],
    ["metadata", []],
    ["isError", "yes"],
    ["isError", false],
    ["structuredContent", undefined],
    ["trust", undefined],
  ])("is left out where %s is %j", (key, value) => {
    const { [key]: _left, ...rest } = all as Readonly<Record<string, unknown>>;

    expect(takeResult("Tool", { ...all, [key]: value })).toStrictEqual(rest);
  });

  test.each(["untrusted", "Trusted", true, null, {}])(
    "of trust, anything but one word is untrusted: %j",
    (trust) => {
      expect(takeResult("Tool", { ...all, trust }).trust).toBe("untrusted");
    },
  );

  test("is read once", () => {
    let reads = 0;
    const value = {
      get content() {
        reads += 1;
        return reads === 1 ? "first" : 7;
      },
    };

    expect(takeResult("Tool", value)).toEqual({ content: "first" });
  });
});
