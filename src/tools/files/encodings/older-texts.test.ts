import { expect, test } from "vitest";
import { encodeText } from "./codec.ts";
import { olderTexts } from "./older-texts.ts";

const japanese = "表示 \\ 能力\r\n漢字\r\n";
const russian = "Привет, мир. Это просто длинная строка.\n";

function bytesOf(text: string, encoding: string): Uint8Array {
  const bytes = encodeText(text, { encoding, markBytes: 0, isSure: true });
  if (bytes === undefined) throw new Error(`${encoding} lacks something.`);
  return bytes;
}

test.each([
  { encoding: "shift_jis", text: japanese },
  { encoding: "windows-1251", text: russian },
  { encoding: "gb18030", text: "这是一个简单的中文文件，里面有几个字。\n" },
  { encoding: "windows-1252", text: "Grüße aus München, déjà vu\n" },
])("text in $encoding is what Read shows", ({ encoding, text }) => {
  expect(olderTexts([bytesOf(text, encoding)])).toEqual([{ text, encoding }]);
});

test("a side too short to tell is taken for what the other one is in", () => {
  const short = bytesOf("\u0141\n", "windows-1250");
  const long = bytesOf("Zażółć gęślą jaźń, proszę bardzo, dziękuję.\n", "windows-1250");

  expect(olderTexts([short])[0]?.encoding).toBe("koi8-r");
  expect(olderTexts([short, long])).toMatchObject([
    { text: "\u0141\n", encoding: "windows-1250" },
    { encoding: "windows-1250" },
  ]);
});

test("a byte-order mark decides the encoding, and binary content has none", () => {
  const marked = Buffer.concat([
    Buffer.from([0xff, 0xfe, 0, 0]),
    bytesOf("a\u{1F600}", "utf-32le"),
  ]);

  expect(olderTexts([marked, Uint8Array.from([0xff, 0, 1, 2, 3])])).toEqual([
    { text: "a\u{1F600}", encoding: "utf-32le" },
    undefined,
  ]);
});
