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
  { name: "Java class", first: "\xca\xfe\xba\xbe\0\0\0\x34" },
  { name: "Mach-O program", first: "\xca\xfe\xba\xbe\0\0\0\x02" },
  { name: "Mach-O program", first: "\xcf\xfa\xed\xfe\x07" },
  { name: "Mach-O program", first: "\xfe\xed\xfa\xce\0" },
  { name: "BMP image", first: "BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0" },
  { name: "tar archive", first: `name.txt${"\0".repeat(249)}ustar\x0000` },
])("$name is known by how it begins", ({ name, first }) => {
  expect(formatOf(bytes(first))).toBe(name);
  expect(binaryFormats).toContain(name);
});

test.each([
  { first: "RIFF\x24\0\0\0WAVE", because: "other sounds and films begin so as well" },
  { first: "BZhere we go", because: "words begin so" },
  { first: "GIF8 is short for", because: "words begin so" },
  { first: "PK is a name", because: "words begin so" },
  { first: "BM is a bitmap, often", because: "words begin so" },
  { first: `${"x".repeat(256)}ustar`, because: "it is elsewhere in an archive" },
  { first: "plain", because: "text is text" },
  { first: "", because: "nothing is nothing" },
])("$first is none of them: $because", ({ first }) => {
  expect(formatOf(bytes(first))).toBeUndefined();
});

test("a signature that comes byte by byte is recognized as well", () => {
  const watch = new BinaryWatch();

  const seen = Array.from("\x1f\x8b\x08x", (each) => watch.add(bytes(each)));

  expect(seen).toEqual([false, true, true, true]);
  expect([watch.format, watch.bytes]).toEqual(["gzip data", 4]);
});

test.each([
  { text: "./a b\0./c d\0", isBinary: false, because: "names are printed so" },
  { text: "PATH=/bin\0HOME=/root\0", isBinary: false, because: "an environment is" },
  { text: "\0", isBinary: false, because: "one NUL says nothing" },
  {
    text: "\x1b[31mred\x1b[0m\x07\b\0",
    isBinary: false,
    because: "terminal control characters are not binary",
  },
  { text: "a\0\x01", isBinary: true, because: "no text holds this control character" },
  { text: "a\0\x0e", isBinary: true, because: "nor this one" },
  { text: "a\0\x1a", isBinary: true, because: "nor this one" },
  { text: "a\0\xf8", isBinary: true, because: "no UTF-8 holds this byte" },
  { text: "\x01\x02", isBinary: false, because: "without a NUL it is shown" },
  { text: "h\0i\0".repeat(8), isBinary: false, because: "so few may be names" },
  { text: "h\0i\0".repeat(9), isBinary: true, because: "two bytes per character are not UTF-8" },
  { text: "abc\0".repeat(100), isBinary: false, because: "one in four may end names" },
])("$text: binary is $isBinary, because $because", ({ text, isBinary }) => {
  const watch = new BinaryWatch();

  expect(watch.add(bytes(text))).toBe(isBinary);
  expect(watch.format).toBe(isBinary ? "binary data" : undefined);
});

test("a stray NUL and a stray control character do not hide what is readable", () => {
  const watch = new BinaryWatch();

  expect(watch.add(bytes(`${"a readable line\n".repeat(4)}\0\x01`))).toBe(false);
  expect(watch.add(bytes("\0\x01\0\x02"))).toBe(true);
});

test.each([
  { before: 7600, isBinary: true },
  { before: 7800, isBinary: false },
])("after $before characters it is looked for: $isBinary", ({ before, isBinary }) => {
  const watch = new BinaryWatch();
  watch.add(bytes("a".repeat(before)));

  expect(watch.add(bytes("\0\x01".repeat(1000)))).toBe(isBinary);
});
