import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OutputDecoder } from "./output-decoder.ts";
import { codePoint } from "../../../../test/support/code-point.ts";

function decoded(bytes: Uint8Array, parts = 1): { text: string; notes: readonly string[] } {
  const decoder = new OutputDecoder();
  const size = Math.max(1, Math.ceil(bytes.length / parts));
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    text += decoder.decode(bytes.subarray(at, at + size));
  }
  return { text: text + decoder.decode(), notes: decoder.notes };
}

const japanese = Buffer.from(
  // 日本語のテキストです。これは標準出力に書かれたものです。 in Shift_JIS, twice.
  "93fa967b8cea82cc836583688358836782c582b7814282b182ea82cd95578f808f6f97cd82c98f91 82a982ea82bd82e082cc82c582b781420a"
    .repeat(2)
    .replaceAll(" ", ""),
  "hex",
);

describe("output that is not UTF-8", () => {
  test.for([1, 2, 7, 1000])("is decoded where its encoding is certain, in %s parts", (parts) => {
    const { text, notes } = decoded(japanese, parts);

    expect(text).toContain("標準出力に書かれたものです。\n");
    expect(notes).toEqual(["Decoded from shift_jis."]);
  });

  test("is shown byte by byte where it is not certain", () => {
    expect(decoded(Buffer.from("ok\ncaf\xe9 au lait\nend ä\n", "latin1"))).toEqual({
      text: "ok\ncaf<E9> au lait\nend <E4>\n",
      notes: ["Bytes that are not UTF-8 are shown as in <E9>."],
    });
  });

  test("many of them in a row are replaced by a notice", () => {
    expect(decoded(Buffer.from([97, ...Array.from({ length: 11 }, () => 0xff), 10, 98])).text).toBe(
      "a[11 bytes that are not UTF-8: not shown]\nb",
    );
  });
});

test("UTF-8 is read as such wherever it is cut, and needs no note", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), fc.integer({ min: 1, max: 40 }), (text, parts) => {
      const bytes = new TextEncoder().encode(text);

      expect(decoded(bytes, parts)).toEqual({ text: text.toWellFormed(), notes: [] });
    }),
  );
});

test("no byte is lost and none becomes a replacement character", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (bytes, parts) => {
        const { text } = decoded(bytes, parts);

        expect(text.split("\n").length).toBe(bytes.filter((byte) => byte === 10).length + 1);
      },
    ),
  );
});
