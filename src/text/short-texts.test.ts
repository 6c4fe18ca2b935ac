import { describe, expect, test } from "vitest";
import { contentText, type ContentPart } from "../core/tool/content.ts";
import { namedPaths } from "./paths/list-paths.ts";
import { OutputMarks } from "./stream-labels.ts";
import { quietly } from "./notify-safely.ts";
import { requireService, serviceToken } from "../core/ports/service-token.ts";
import { isStandardSchema } from "../core/tool/standard-schema.ts";

test.each([
  { count: 1, is: "a0" },
  { count: 5, is: "a0, a1, a2, a3, a4" },
  { count: 7, is: "a0, a1, a2, a3, a4 and 2 more" },
])("of $count paths the first five are named, the others counted", ({ count, is }) => {
  const paths = Array.from({ length: count }, (_, at) => `/ws/a${at}`);

  expect(namedPaths(paths, "/ws")).toBe(is);
  expect(namedPaths(["/other/a"], "/ws")).toBe("/other/a");
});

test("output says which stream a piece is of wherever that changes", () => {
  const marks = new OutputMarks();
  const pieces = [
    ["stdout", "a"],
    ["stdout", "b"],
    ["stderr", ""],
    ["stderr", "c\nd"],
    ["stdout", "e\n"],
    ["stderr", "f"],
  ] as const;

  expect(pieces.map(([stream, text]) => marks.mark(stream, text))).toEqual([
    "a",
    "b",
    "",
    "\n[stderr]\nc\nd",
    "\n[stdout]\ne\n",
    "[stderr]\nf",
  ]);
  expect(new OutputMarks().mark("stderr", "x")).toBe("[stderr]\nx");
});

test("the text of an answer names what is not text", () => {
  const uri = "file:///a";
  const parts: readonly ContentPart[] = [
    { type: "text", text: "one" },
    { type: "image", data: "", mimeType: "image/png" },
    { type: "audio", data: "", mimeType: "audio/wav" },
    { type: "resource_link", uri, name: "a" },
    { type: "resource", resource: { uri, text: "two" } },
    { type: "resource", resource: { uri, blob: "" } },
  ];

  expect(contentText(parts)).toBe(
    "one\n[image image/png]\n[audio audio/wav]\n[resource file:///a]\ntwo\n[resource file:///a]",
  );
  expect(contentText(parts.slice(0, 1))).toBe("one");
  expect(contentText(parts.slice(1, 2))).toBe("[image image/png]");
});

describe("a watcher", () => {
  test("is called, and harms nothing where it fails immediately or later", async () => {
    const told: unknown[] = [];
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", listen);

    quietly((...given: readonly number[]) => told.push(...given), 1, 2);
    quietly(() => {
      throw new Error("at once");
    });
    quietly(async () => {
      await Promise.resolve();
      throw new Error("later");
    });
    quietly(undefined);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", listen);

    expect(told).toEqual([1, 2]);
    expect(unhandled).toEqual([]);
  });
});

test("a service that nobody provides is missed by name", () => {
  const token = serviceToken<number>("clock");
  const missing = { get: () => undefined };
  const found = new Map<unknown, never>([[token, 7 as never]]);

  expect(requireService({ get: (each) => found.get(each) }, token)).toBe(7);

  expect(() => requireService(missing, token)).toThrow(
    expect.objectContaining({
      code: "UNAVAILABLE",
      message: "Nothing here provides clock.",
      hint: "Use a toolkit that provides it, or leave this tool out.",
      data: { service: "clock" },
    }),
  );
  const withSetup = serviceToken<number>("clock", "The user can buy one.");
  expect(() => requireService(missing, withSetup)).toThrow(
    expect.objectContaining({ hint: "The user can buy one." }),
  );
});

test.each([
  [{ "~standard": {} }, true],
  [Object.assign(() => undefined, { "~standard": {} }), true],
  [{}, false],
  [() => undefined, false],
  [null, false],
  [undefined, false],
  ["~standard", false],
])("%j is a standard schema: %s", (value, is) => {
  expect(isStandardSchema(value)).toBe(is);
});
