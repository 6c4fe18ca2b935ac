import * as fc from "fast-check";
import { expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../testing/index.ts";
import { encodeText } from "../files/encodings/codec.ts";
import { read } from "../read/read.ts";
import { edit } from "./edit.ts";
import { runs } from "../../../test/support/law-runs.ts";

const hex = (...parts: readonly string[]): Buffer =>
  Buffer.from(parts.join("").replaceAll(" ", ""), "hex");
const ascii = (text: string): string => Buffer.from(text, "latin1").toString("hex");

async function seen(bytes: Uint8Array, encoding?: string): Promise<ToolBench> {
  const bench = toolBench({ files: { a: bytes } });
  await bench.call(read, { file_path: "a", ...(encoding === undefined ? {} : { encoding }) });
  return bench;
}

const bytesOf = async (bench: ToolBench): Promise<Buffer> =>
  Buffer.from((await bench.host.fs.readFile("/project/a")).bytes);

const change = (old_string: string, new_string: string, more: object = {}) => ({
  file_path: "a",
  old_string,
  new_string,
  ...more,
});

const crlf = ascii("\r\n");

test.for([
  {
    encoding: "shift_jis",
    why: "\u8868 and \u30BD end in the byte of a backslash",
    before: ["95 5c", ascii(" = \\"), "83 5c", crlf, "8d fb", crlf],
    old: "\u8868 = \\",
    now: "\u80FD = \\\\\n\u8868",
    after: ["94 5c", ascii(" = \\\\"), crlf, "95 5c", "83 5c", crlf, "8d fb", crlf],
  },
  {
    encoding: "gb18030",
    why: "\u4E57 ends in the byte of a backslash, a euro sign has two forms",
    before: [ascii("a\\"), "81 5c", "a2 e3", crlf, "81 30 81 30", crlf],
    old: "a\\",
    now: "\u4E2D\u{1F600}\\",
    after: ["d6 d0", "94 39 fc 36", ascii("\\"), "81 5c", "a2 e3", crlf, "81 30 81 30", crlf],
  },
  {
    encoding: "gbk",
    why: "its euro sign is one byte",
    before: ["80", "81 5c", crlf],
    old: "\u4E57",
    now: "\u4E2D\u20AC",
    after: ["80", "d6 d0", "80", crlf],
  },
  {
    encoding: "big5",
    why: "\u529F ends in the byte of a backslash, \u5341 is in the table twice",
    before: ["a5 5c", "af e0", crlf, "a4 51", ascii("\\x"), crlf],
    old: "\\x",
    now: "\u8A31\u5341",
    after: ["a5 5c", "af e0", crlf, "a4 51", "b3 5c", "a4 51", crlf],
  },
  {
    encoding: "euc-jp",
    why: "a character may take three bytes",
    before: ["8f b0 a1", "a4 a2", ascii("x"), crlf],
    old: "x",
    now: "\u3042\n\u4E02",
    after: ["8f b0 a1", "a4 a2", "a4 a2", crlf, "8f b0 a1", crlf],
  },
  {
    encoding: "euc-kr",
    why: "Korean",
    before: ["c7 d1", ascii(" x"), crlf],
    old: "x",
    now: "\uAE00",
    after: ["c7 d1", ascii(" "), "b1 db", crlf],
  },
  {
    encoding: "windows-1252",
    why: "a byte each, with quotes where others have control characters",
    before: ["e9", ascii("x"), "80", crlf],
    old: "x",
    now: "\u201C\u00F1",
    after: ["e9", "93 f1", "80", crlf],
  },
  {
    encoding: "koi8-r",
    why: "Russian",
    before: ["c4 c1", ascii(" x"), crlf],
    old: "x",
    now: "\u043D\u0435\u0442",
    after: ["c4 c1", ascii(" "), "ce c5 d4", crlf],
  },
  {
    encoding: "utf-32le",
    why: "its mark is kept",
    before: ["ff fe 00 00", "61 00 00 00", "0d 00 00 00", "0a 00 00 00"],
    old: "a",
    now: "\u{1F600}",
    after: ["ff fe 00 00", "00 f6 01 00", "0d 00 00 00", "0a 00 00 00"],
  },
  {
    encoding: "utf-16le",
    why: "without a mark only who reads it knows",
    before: ["61 00", "0d 00", "0a 00"],
    old: "a",
    now: "b\u00E9",
    after: ["62 00", "e9 00", "0d 00", "0a 00"],
  },
])("a file read as $encoding is edited in it: $why", async (row) => {
  const bench = await seen(hex(...row.before), row.encoding);

  await bench.call(edit, change(row.old, row.now));

  expect((await bytesOf(bench)).toString("hex")).toBe(hex(...row.after).toString("hex"));
});

test("the second byte of a character is never taken for the character it is by itself", async () => {
  const words =
    "95 5c 8e a6 20 5c 20 83 5c 81 5b 83 58 20 5c 20 94 5c 97 cd 0a 82 b1 82 ea 82 cd 0a";
  const bench = await seen(hex(words));

  const shown = await bench.call(read, { file_path: "a" });
  await bench.call(edit, change("\\", "/", { replace_all: true }));
  await bench.call(edit, change("\u80FD\u529B", "\u6A5F\u80FD"));

  expect(shown.text).toContain("\u8868\u793A \\ \u30BD\u30FC\u30B9 \\ \u80FD\u529B\n");
  expect((await bytesOf(bench)).toString("hex")).toBe(
    hex(
      "95 5c 8e a6 20 2f 20 83 5c 81 5b 83 58 20 2f 20 8b 40 94 5c 0a 82 b1 82 ea 82 cd 0a",
    ).toString("hex"),
  );
});

test.for([
  { encoding: "windows-1252", char: "\u4E2D", code: "4E2D" },
  { encoding: "shift_jis", char: "\u{1F600}", code: "1F600" },
  { encoding: "big5", char: "\u00E9", code: "00E9" },
  { encoding: "iso-2022-jp", char: "\u001B", code: "001B" },
])("$encoding has no U+$code: that is refused, and nothing written", async (row) => {
  const bench = await seen(Buffer.from("one two\n"), row.encoding);

  const shown = JSON.stringify(row.char);
  await expect(bench.call(edit, change("two", `x${row.char}y`))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `a is in ${row.encoding}, which has no ${shown} (U+${row.code}).`,
    hint: expect.stringContaining("convert the file to UTF-8 first"),
    data: { encoding: row.encoding, character: row.char },
  });
  expect(bench.files()["a"]).toBe("one two\n");
});

test.for([
  { why: "a byte that means nothing", encoding: "gb18030", bytes: hex("d6 d0 ff 0a") },
  { why: "another form of the same character", encoding: "shift_jis", bytes: hex("87 90 0a") },
  { why: "a character cut off at the end", encoding: "big5", bytes: hex("a4 51 0a a4") },
])("$why in $encoding would not come out the same and is refused", async ({ encoding, bytes }) => {
  const bench = await seen(bytes, encoding);

  await expect(bench.call(edit, change("\n", "x\n"))).rejects.toMatchObject({
    code: "BINARY_FILE",
    message: `a cannot be edited as text: it contains bytes that would not come out the same in ${encoding}.`,
  });
  expect(await bytesOf(bench)).toEqual(bytes);
});

test("a file of a guessed encoding is not edited before the call names the encoding", async () => {
  const bench = await seen(hex("c7 d1 b1 db 20 78 0a"));

  await expect(bench.call(edit, change("x", "y"))).rejects.toMatchObject({
    code: "BINARY_FILE",
    hint: expect.stringContaining("Read it with encoding"),
  });

  await bench.call(read, { file_path: "a", encoding: "euc-kr" });
  await bench.call(edit, change("x", "\uD55C"));
  expect((await bytesOf(bench)).toString("hex")).toBe(
    hex("c7 d1 b1 db 20 c7 d1 0a").toString("hex"),
  );
});

test("of letters that were concluded those that the file has are written, others once it is named", async () => {
  const bench = await seen(hex(ascii("caf"), "e9", ascii(" cr"), "e8", ascii("me\n")));

  await bench.call(edit, change("cr\u00E8me", "th\u00E9 cr\u00E8me"));
  await expect(bench.call(edit, change("th\u00E9", "\u00F1"))).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `a has no "\u00F1" (U+00F1) so far, and that it is in windows-1252 was only concluded from its bytes.`,
    hint: `Read it with encoding "windows-1252", or with the encoding it is in, and then change it.`,
  });
  await bench.call(read, { file_path: "a", encoding: "windows-1252" });
  await bench.call(edit, change("th\u00E9", "\u00F1"));

  expect((await bytesOf(bench)).toString("latin1")).toBe("caf\u00E9 \u00F1 cr\u00E8me\n");
});

test("lines seen in one encoding are not seen in another", async () => {
  const bench = await seen(hex(ascii("one\n"), "e9", ascii("\nthree\n")));
  await bench.call(read, { file_path: "a", encoding: "windows-1251", offset: 2, limit: 1 });

  await expect(bench.call(edit, change("one", "1"))).rejects.toMatchObject({ code: "NOT_READ" });
  await bench.call(edit, change("\u0439", "\u0438"));
  expect((await bytesOf(bench)).toString("latin1")).toBe("one\n\u00E8\nthree\n");
});

test("a file changed since it was read is refused in every encoding", async () => {
  const bench = await seen(hex("d6 d0 0a"), "gb18030");
  await bench.host.fs.writeAtomic("/project/a", hex("d6 d0 d6 d0 0a"), {
    signal: new AbortController().signal,
  });

  await expect(bench.call(edit, change("\u4E2D", "x"))).rejects.toMatchObject({
    code: "STALE_READ",
  });
});

const pieces = [
  "a",
  "\\",
  "\r\n",
  "\n",
  "\u4E57",
  "\u8868",
  "\u30BD",
  "\u529F",
  "\u5341",
  "\u4E2D",
];

test("outside of what is replaced every byte stays, in every encoding", async () => {
  const part = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((each) => each.join(""));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("gb18030", "shift_jis", "euc-jp", "big5", "utf-32be"),
      fc.tuple(part, part, part),
      async (encoding, [head, tail, next]) => {
        const form = { encoding, markBytes: 0, isSure: true };
        const whole = [head, "<x>", tail, next].join("");
        fc.pre(encodeText(whole, form) !== undefined && !/\n/u.test(next));
        const bytes = (text: string): Buffer => Buffer.from(encodeText(text, form) ?? []);
        const bench = await seen(bytes(`${head}<x>${tail}`), encoding);
        await bench.call(edit, change("<x>", `<${next}>`));
        expect(await bytesOf(bench)).toEqual(
          Buffer.concat([bytes(head), bytes(`<${next}>`), bytes(tail)]),
        );
      },
    ),
    { numRuns: runs(100) },
  );
});
