import { expect, test } from "vitest";
import { SmallReadCache } from "./read-cache.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("only the content that was read last is known by its name", () => {
  const last = new SmallReadCache();
  expect(last.isNamed(bytes(""), "")).toBe(false);

  last.keep({ bytes: bytes("longer"), hash: "one" });
  last.keep({ bytes: bytes("short"), hash: "two" });

  expect(last.isNamed(bytes("short"), "two")).toBe(true);
  expect(last.isNamed(bytes("longer"), "one")).toBe(false);
  for (const other of ["shore", "shor", "shortr", "longer", ""]) {
    expect(last.isNamed(bytes(other), "two")).toBe(false);
  }
});

test("what becomes of the bytes that were read changes nothing", () => {
  const last = new SmallReadCache();
  const read = bytes("as read");

  last.keep({ bytes: read, hash: "name" });
  read.fill(0);

  expect(last.isNamed(bytes("as read"), "name")).toBe(true);
  expect(last.isNamed(read, "name")).toBe(false);
});

test("a large content is not remembered, nor taken for the small one before it", () => {
  const last = new SmallReadCache();
  const [largest, large] = [new Uint8Array(65_535), new Uint8Array(65_536)];

  last.keep({ bytes: largest, hash: "largest" });
  last.keep({ bytes: large, hash: "large" });

  expect(last.isNamed(large, "large")).toBe(false);
  expect(last.isNamed(largest, "largest")).toBe(true);
});
