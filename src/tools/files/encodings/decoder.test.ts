import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { tried } from "../../../../test/support/law-runs.ts";
import { newDecoder } from "./decoder.ts";

const controls =
  "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178";

test.for([{}, { ignoreBOM: true }, { fatal: true, ignoreBOM: true }])(
  "every byte of windows-1252 has its character, alone and in a text, with %o",
  (options) => {
    const expected = Array.from({ length: 256 }, (_, byte) =>
      byte >= 0x80 && byte < 0xa0 ? controls.charAt(byte - 0x80) : String.fromCharCode(byte),
    );
    const bytes = expected.map((_, byte) => byte);
    const decoder = newDecoder("windows-1252", options);

    expect(bytes.map((byte) => decoder.decode(Uint8Array.of(byte)))).toEqual(expected);
    expect(decoder.decode(Uint8Array.from(bytes))).toBe(expected.join(""));
  },
);

test.for([
  { encoding: "koi8-u", bytes: [0xae, 0xbe], text: "\u045E\u040E" },
  { encoding: "windows-874", bytes: [0xdb, 0xde, 0xfc, 0xff], text: "\uFFFD".repeat(4) },
  { encoding: "windows-1253", bytes: [0xaa], text: "\uFFFD" },
  { encoding: "windows-1255", bytes: [0xca], text: "\u05BA" },
  { encoding: "gbk", bytes: [0x80, 0xa2, 0xe3, 0xff], text: "\u20AC\u20AC\uFFFD" },
])("$encoding reads what some versions of Node do not", ({ encoding, bytes, text }) => {
  expect(newDecoder(encoding).decode(Uint8Array.from(bytes))).toBe(text);
});

test.for(["windows-874", "windows-1253", "gbk"])("a byte that means nothing in %s", (encoding) => {
  const exact = newDecoder(encoding, { fatal: true });

  expect(() => exact.decode(Uint8Array.of(65, 0xff))).toThrow(TypeError);
  expect(exact.decode(Uint8Array.of(65))).toBe("A");
});

// Made once with a Node that has the tables of the Encoding Standard: every supported one has to agree.
const digests = [
  ["ibm866", "051203697034"],
  ["iso-8859-2", "baac6bb51e6f"],
  ["iso-8859-3", "c30590af5f73"],
  ["iso-8859-4", "574596f4a90d"],
  ["iso-8859-5", "09fa10524c05"],
  ["iso-8859-6", "01f1e2f2f421"],
  ["iso-8859-7", "f4610e1edfe1"],
  ["iso-8859-8", "54203d83582a"],
  ["iso-8859-8-i", "54203d83582a"],
  ["iso-8859-10", "22554d30a300"],
  ["iso-8859-13", "cf92e4a56dde"],
  ["iso-8859-14", "b96fbd66ef84"],
  ["iso-8859-15", "7bbd5968ffc2"],
  ["koi8-r", "36b6b9531fc1"],
  ["koi8-u", "c04949373cfe"],
  ["macintosh", "673100ff95f9"],
  ["windows-874", "f880dd01bc81"],
  ["windows-1250", "56ea5257b153"],
  ["windows-1251", "ee9c828d494d"],
  ["windows-1252", "e840a877f532"],
  ["windows-1253", "19fbe0a73892"],
  ["windows-1254", "3cb6cd844aeb"],
  ["windows-1255", "84cd435950b9"],
  ["windows-1256", "fa5a698eef10"],
  ["windows-1257", "f57804bdc554"],
  ["windows-1258", "5eb19e3d7635"],
  ["x-mac-cyrillic", "ce7ee607ebdd"],
  ["gbk", "49b9544aab18"],
  ["gb18030", "49b9544aab18"],
  ["big5", "71183c324131"],
  ["euc-jp", "5283ba23e98a"],
  ["shift_jis", "e646cee86f50"],
  ["euc-kr", "bc689a5d8de1"],
] as const;

test.for(tried(digests))(
  "all of %s is read alike in every version of Node",
  ([encoding, digest]) => {
    expect(digestOf(encoding)).toBe(digest);
  },
);

/** Of the characters that bytes and pairs of them stand for. */
function digestOf(encoding: string): string {
  const decoder = newDecoder(encoding);
  const hash = createHash("sha1");
  for (let lead = 0; lead < 0x100; lead++) {
    hash.update(`${decoder.decode(Uint8Array.of(lead))}\n`);
    for (let trail = 0x40; trail < 0x100; trail++) {
      hash.update(`${decoder.decode(Uint8Array.of(lead, trail))}\n`);
    }
  }
  return hash.digest("hex").slice(0, 12);
}
