import * as fc from "fast-check";
import { expect, test } from "vitest";
import { asUtf8, decodeText, encodeText, keptText } from "./codec.ts";
import { detectLegacy, markedForm, type TextForm } from "./detect.ts";
import { codePoint } from "../../../../test/support/code-point.ts";

const form = (encoding: string, markBytes = 0): TextForm => ({
  encoding,
  markBytes,
  isSure: markBytes > 0,
});

const samples: Readonly<Record<string, string>> = {
  "windows-1251":
    "\u041F\u0440\u0438\u0432\u0435\u0442, \u043C\u0438\u0440! \u042D\u0442\u043E \u0442\u0435\u043A\u0441\u0442.",
  "koi8-r":
    "\u041F\u0440\u0438\u0432\u0435\u0442, \u043C\u0438\u0440! \u042D\u0442\u043E \u0442\u0435\u043A\u0441\u0442.",
  gb18030: "\u4F60\u597D\uFF0C\u4E16\u754C\u3002\u8FD9\u662F\u4E00\u4E2A\u6D4B\u8BD5\u6587\u4EF6",
  big5: "\u4F60\u597D\uFF0C\u4E16\u754C\u3002\u9019\u662F\u4E00\u500B\u6E2C\u8A66\u6A94\u6848",
  shift_jis:
    "\u3053\u3093\u306B\u3061\u306F\u3001\u4E16\u754C\u3002\u3053\u308C\u306F\u30C6\u30B9\u30C8\u3067\u3059",
  "euc-jp":
    "\u3053\u3093\u306B\u3061\u306F\u3001\u4E16\u754C\u3002\u3053\u308C\u306F\u30C6\u30B9\u30C8\u3067\u3059",
  "euc-kr":
    "\uC548\uB155\uD558\uC138\uC694, \uC138\uACC4. \uC774\uAC83\uC740 \uD14C\uC2A4\uD2B8\uC785\uB2C8\uB2E4",
  "windows-1252":
    "caf\u00E9 \u201Cna\u00EFve\u201D d\u00E9j\u00E0 vu \u2013 Gr\u00F6\u00DFe, 5 \u20AC",
  "windows-1250":
    "P\u0159\u00EDli\u0161 \u017Elu\u0165ou\u010Dk\u00FD k\u016F\u0148 \u00FAp\u011Bl",
};
const code = "const x = 1; // some code\nfunction foo() { return 42; }\n".repeat(50);

test.for(Object.entries(samples))("%s is detected and comes back byte for byte", ([name, text]) => {
  for (const whole of [text, `${code}// ${text}\n`, `// ${text}\n${code}`]) {
    const bytes = encodeText(whole, form(name));
    if (bytes === undefined) throw new Error(`no bytes for ${name}`);

    expect(detectLegacy(bytes)?.encoding).toBe(name);
    expect(decodeText(bytes, form(name))).toEqual({ text: whole, lossy: false });
    expect(keptText(bytes, form(name))).toBe(whole);
  }
});

test.for([
  { why: "control characters", bytes: [0xe9, 1, 65] },
  { why: "a NUL", bytes: [0xe9, 0, 65] },
  {
    why: "bytes without any pattern",
    bytes: Array.from(
      { length: 300 },
      (_, index) => 128 + ((index * index * 31 + 7 * index) % 127),
    ),
  },
])("$why are not text", ({ bytes }) => {
  expect(detectLegacy(Uint8Array.from(bytes))).toBeUndefined();
});

test.for(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030"])(
  "any text can be written in %s and read again",
  (encoding) => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.boolean(), (text, isMarked) => {
        const size =
          { "utf-8": 3, gb18030: 0 }[encoding] ?? (encoding.startsWith("utf-16") ? 2 : 4);
        const written = form(encoding, isMarked ? size : 0);
        const whole = text.toWellFormed();
        const bytes = encodeText(whole, written) ?? Uint8Array.of(0);

        expect(decodeText(bytes, written)).toEqual({ text: whole, lossy: false });
        expect(keptText(bytes, written)).toBe(whole);
      }),
    );
  },
);

test("a character that an encoding lacks is reported instead of replaced", () => {
  expect(encodeText("\u4F60", form("windows-1252"))).toBeUndefined();
  expect(encodeText("\u{1F600}", form("shift_jis"))).toBeUndefined();
});

test("what cannot be decoded is lossy, and nothing that can be written back", () => {
  const broken = Uint8Array.of(0xb0, 0xa1, 0xff, 65);

  expect(decodeText(broken, form("euc-kr"))).toMatchObject({ lossy: true });
  expect(keptText(broken, form("euc-kr"))).toBeUndefined();
  expect(decodeText(Uint8Array.of(0, 0, 0x11, 0, 65), form("utf-32le"))).toEqual({
    text: "\uFFFD\uFFFD",
    lossy: true,
  });
});

test("a stream is decoded the same however it is cut", async () => {
  for (const [name, text] of [...Object.entries(samples), ["utf-32be", "a\u{1F600}b"] as const]) {
    const bytes = encodeText(text, form(name)) ?? new Uint8Array(0);
    const parts: Uint8Array[] = [];
    for await (const part of asUtf8(oneByOne(bytes), name)) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(text);
  }
});

async function* oneByOne(bytes: Uint8Array) {
  for (const byte of bytes) yield Uint8Array.of(byte);
}

test("marks name their encoding, the longer one first", () => {
  expect(markedForm(Uint8Array.of(0xff, 0xfe, 0, 0))).toMatchObject({ encoding: "utf-32le" });
  expect(markedForm(Uint8Array.of(0xff, 0xfe, 65, 0))).toMatchObject({ encoding: "utf-16le" });
  expect(markedForm(Uint8Array.of(0xef, 0xbb, 0xbf))).toMatchObject({ markBytes: 3 });
  expect(markedForm(Uint8Array.of(65))).toBeUndefined();
});

test.for([
  { encoding: "big5", why: "ten and thirty", text: "\u5341\u5345", bytes: "a451a4ca" },
  {
    encoding: "big5",
    why: "lines of boxes",
    text: "\u2550\u255E\u2561\u256A",
    bytes: "f9f9f9e9f9ebf9ea",
  },
  { encoding: "gb18030", why: "the euro sign", text: "\u20AC", bytes: "a2e3" },
  { encoding: "gbk", why: "the euro sign", text: "\u20AC", bytes: "80" },
  { encoding: "shift_jis", why: "a name of Windows' extension", text: "\u9AD9", bytes: "fbfc" },
  { encoding: "shift_jis", why: "a sign of two sets", text: "\u2252", bytes: "81e0" },
])("of characters with two codes in $encoding, $why is written as programs do", (row) => {
  const bytes = encodeText(row.text, form(row.encoding)) ?? new Uint8Array(0);

  expect(Buffer.from(bytes).toString("hex")).toBe(row.bytes);
  expect(decodeText(bytes, form(row.encoding))).toEqual({ text: row.text, lossy: false });
});

test.for([
  { encoding: "gb18030", trust: "any" },
  { encoding: "big5", trust: "any" },
  { encoding: "shift_jis", trust: "any" },
  // Much of it is Chinese just as well.
  { encoding: "euc-kr", trust: "none" },
  { encoding: "euc-jp", trust: "none" },
  // A byte that does not occur in the file may be a different letter in the file's actual encoding.
  { encoding: "windows-1251", trust: "known" },
  { encoding: "windows-1252", trust: "known" },
  { encoding: "windows-1250", trust: "known" },
])("what is concluded to be $encoding can be written: $trust", ({ encoding, trust }) => {
  const bytes = encodeText(samples[encoding] ?? "", form(encoding)) ?? new Uint8Array(0);

  expect(detectLegacy(bytes)).toMatchObject({ encoding, trust });
});

test.for([
  { why: "a short word could be of many encodings", encoding: "gb18030", text: "\u6D4B\u8BD5" },
  { why: "one letter says nothing", encoding: "windows-1252", text: "// \u00E9" },
  { why: "nothing but what is left over", encoding: "macintosh", text: "caf\u00E9 cr\u00E8me" },
  {
    why: "letters with accents and the ones behind them look like pairs",
    encoding: "iso-8859-2",
    text: "Wyspy \u015Awi\u0119tego Tomasza, \u0142uk, \u0142ad, \u0142aska, d\u0142ugo, ma\u0142y, pi\u0119\u0107, ma\u0142a, ca\u0142a",
  },
])("$why: not to be relied on", ({ encoding, text }) => {
  const bytes = encodeText(text, form(encoding)) ?? new Uint8Array(0);

  expect(detectLegacy(bytes)).toMatchObject({ trust: "none" });
});
