/** Decoder of a text; with `stream`, it accepts the bytes in chunks. */
export interface Decoder {
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** Options of a decoder. With `fatal`, invalid bytes cause a TypeError instead of U+FFFD. */
export interface DecoderOptions {
  readonly fatal?: boolean;
  readonly ignoreBOM?: boolean;
}

/** Creates a decoder that follows the Encoding Standard in every supported version of Node. */
export function newDecoder(encoding: string, options: DecoderOptions = {}): Decoder {
  const high = oneByteTable(encoding);
  return high === undefined
    ? new TextDecoder(encoding === "gbk" ? gbkDecoder : encoding, options)
    : new OneByteDecoder(high, options.fatal === true);
}

/** Decoder that the standard uses for GBK; some versions of Node use a separate one that lacks characters. */
const gbkDecoder = "gb18030";

/** Correct characters, from a byte on, for bytes that some versions of Node decode differently. */
const corrections: ReadonlyMap<string, readonly (readonly [from: number, chars: string])[]> =
  new Map([
    [
      "windows-1252",
      [
        [
          0x80,
          "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F",
        ],
        [
          0x90,
          "\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178",
        ],
      ],
    ],
    [
      "koi8-u",
      [
        [0xae, "\u045E"],
        [0xbe, "\u040E"],
      ],
    ],
    [
      "windows-874",
      [
        [0xdb, "\uFFFD\uFFFD\uFFFD\uFFFD"],
        [0xfc, "\uFFFD\uFFFD\uFFFD\uFFFD"],
      ],
    ],
    // Here it is bytes below 128.
    ["ibm866", []],
    ["windows-1253", [[0xaa, "\uFFFD"]]],
    ["windows-1255", [[0xca, "\u05BA"]]],
  ]);

const tables = new Map<string, string>();

/** Characters of the bytes from 128 on; undefined for an encoding without corrections. */
function oneByteTable(encoding: string): string | undefined {
  const corrected = corrections.get(encoding);
  if (corrected === undefined) return undefined;
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const bytes = Uint8Array.from({ length: 128 }, (_, index) => index + 128);
  const chars = Array.from(new TextDecoder(encoding).decode(bytes));
  for (const [from, right] of corrected) {
    for (const [index, char] of Array.from(right).entries()) chars[from - 128 + index] = char;
  }
  const table = chars.join("");
  tables.set(encoding, table);
  return table;
}

/** Decoder for encodings with one byte per character. */
class OneByteDecoder implements Decoder {
  readonly #high: string;
  readonly #isFatal: boolean;

  constructor(high: string, isFatal: boolean) {
    this.#high = high;
    this.#isFatal = isFatal;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    const text = latin.replaceAll(/[\u0080-\u00FF]/gu, (char) =>
      this.#high.charAt(char.charCodeAt(0) - 128),
    );
    if (this.#isFatal && text.includes("\uFFFD")) throw new TypeError("A byte means nothing.");
    return text;
  }
}
