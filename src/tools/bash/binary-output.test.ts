import { expect, test } from "vitest";
import { BinaryWatch, binaryFormats, formatOf } from "./binary-output.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (each) => each.charCodeAt(0));

test.each([
  { name: "PNG image", first: "\x89PNG\r\n\x1a\n\0\0" },
  { name: "JPEG image", first: "\xff\xd8\xff\xe0" },
  { name: "GIF image", first: "GIF89a" },
  { name: "GIF image", first: "GIF87a" },
  { name: "WebP image", first: "RIFF\x24\0\0\0WEBPVP8 " },
  { name: "PDF document", first: "%PDF-1.7" },
  { name: "ZIP archive", first: "PK\x03\x04" },
  { name: "gzip data", first: "\x1f\x8b\x08" },
  { name: "bzip2 data", first: "BZh91AY&SY" },
  { name: "xz data", first: "\xfd7zXZ\0" },
  { name: "Zstandard data", first: "\x28\xb5\x2f\xfd" },
  { name: "ELF program", first: "\x7fELF\x02" },
  { name: "SQLite database", first: "SQLite format 3\0" },
  { name: "WebAssembly module", first: "\0asm\x01" },
  { name: "Java class", first: "\xca\xfe\xba\xbe" },
])("$name is known by how it begins", ({ name, first }) => {
  expect(formatOf(bytes(first))).toBe(name);
  expect(binaryFormats).toContain(name);
});

test.each([
  { first: "RIFF\x24\0\0\0WAVE", because: "other sounds and films begin so as well" },
  { first: "BZhere we go", because: "words begin so" },
  { first: "GIF8 is short for", because: "words begin so" },
  { first: "PK is a name", because: "words begin so" },
  { first: "plain", because: "text is text" },
  { first: "", because: "nothing is nothing" },
])("$first is none of them: $because", ({ first }) => {
  expect(formatOf(bytes(first))).toBeUndefined();
});

test("a beginning that comes byte by byte is recognised all the same", () => {
  const watch = new BinaryWatch();

  const seen = Array.from("\x1f\x8b\x08x", (each) => watch.add(bytes(each)));

  expect(seen).toEqual([false, true, true, true]);
  expect([watch.format, watch.bytes]).toEqual(["gzip data", 4]);
});

test.each([
  { before: 0, isBinary: true },
  { before: 8191, isBinary: true },
  { before: 8192, isBinary: false },
])("a NUL after $before characters: binary is $isBinary", ({ before, isBinary }) => {
  const watch = new BinaryWatch();
  watch.add(bytes("a".repeat(Math.floor(before / 2))));

  expect(watch.add(bytes(`${"a".repeat(Math.ceil(before / 2))}\0`))).toBe(isBinary);
  expect(watch.format).toBe(isBinary ? "binary data" : undefined);
});
