import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mapNames, sanitizeName } from "./provider-name.ts";

const formats = [
  "openai",
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
  "mcp",
] as const;
const allowed = {
  "openai-chat": /^[A-Za-z0-9_-]{1,64}$/u,
  "openai-responses": /^[A-Za-z0-9_-]{1,64}$/u,
  openai: /^[A-Za-z0-9_-]{1,64}$/u,
  anthropic: /^[A-Za-z0-9_-]{1,64}$/u,
  gemini: /^[A-Za-z_][\w.:-]{0,127}$/u,
  mcp: /^[A-Za-z0-9_.-]{1,128}$/u,
};

test("a name that fits is not changed", () => {
  for (const format of formats)
    expect(sanitizeName("mcp__server__read-file", format)).toBe("mcp__server__read-file");
  expect(sanitizeName("files.read", "mcp")).toBe("files.read");
  expect(sanitizeName("files.read", "gemini")).toBe("files.read");
});

test("other characters become an underscore", () => {
  expect(sanitizeName("files.read/now", "openai")).toBe("files_read_now");
  expect(sanitizeName("1st", "gemini")).toBe("_1st");
  expect(sanitizeName("", "openai")).toBe("_");
});

const longName = (middle: string): string =>
  `mcp__a_server_with_a_long_name__${middle}_and_a_tool_with_a_long_name_too`;

test("a long name keeps its head and its tail, and differs from another in the middle", () => {
  expect(sanitizeName(longName("one"), "openai")).toMatchInlineSnapshot(
    `"mcp__a_server_with_a_long_n_9cadf8aa_a_tool_with_a_long_name_too"`,
  );
  expect(sanitizeName(longName("one"), "openai")).toHaveLength(64);
  expect(sanitizeName(longName("one"), "openai")).not.toBe(sanitizeName(longName("two"), "openai"));
});

test("two names that would be one carry a hash, one that fits does not", () => {
  const { theirs, ours } = mapNames(["a.b", "a/b", "a_b", "c.d"], "openai");

  expect([...theirs]).toMatchInlineSnapshot(`
    [
      [
        "a.b",
        "a_b_108bf50c",
      ],
      [
        "a/b",
        "a_b_3a8e75c1",
      ],
      [
        "a_b",
        "a_b",
      ],
      [
        "c.d",
        "c_d",
      ],
    ]
  `);
  expect(ours.get(theirs.get("a/b") ?? "")).toBe("a/b");
});

test("any set of names is mapped one to one, to names the provider takes", () => {
  const anyName = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom("a", ".", "_", "/"), minLength: 1, maxLength: 140 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(anyName), fc.constantFrom(...formats), (names, format) => {
      const { theirs, ours } = mapNames(names, format);
      expect(ours.size).toBe(names.length);
      for (const name of names) {
        expect(theirs.get(name)).toMatch(allowed[format]);
        expect(ours.get(theirs.get(name) ?? "")).toBe(name);
      }
    }),
  );
});

test("an unknown format is an error that lists the known ones", () => {
  const wrong = JSON.parse('"xml"');

  expect(() => sanitizeName("Read", wrong)).toThrow(
    new TypeError(
      "The format must be one of openai, openai-chat, openai-responses, anthropic, gemini, mcp.",
    ),
  );
});
