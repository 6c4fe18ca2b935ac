import { newDecoder } from "./decoder.ts";

export interface EncodingTable {
  /** Encodes a text; undefined if the encoding lacks one of its characters. */
  encode(text: string): Uint8Array | undefined;
}

/** Encoding tables by name, each built once by inverting a decoder when a text is first written in the encoding. */
const tables = new Map<string, EncodingTable>();

/** Maximum number of bytes per character. */
const longestSequence = 4;

/** Byte sequences that programs write for characters with two codes, although the other code comes first. */
const preferred: ReadonlyMap<string, readonly (readonly number[])[]> = new Map([
  ["gb18030", [[0xa2, 0xe3]]],
  [
    "big5",
    [
      [0xa4, 0x51],
      [0xa4, 0xca],
      [0xf9, 0xe9],
      [0xf9, 0xea],
      [0xf9, 0xeb],
      [0xf9, 0xf9],
    ],
  ],
]);

/** Encoder for an encoding that a decoder can read. */
export function encodingTable(encoding: string): EncodingTable {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const bytesOf = turnedAround(encoding);
  let isWhole = encoding !== "gb18030";
  const lookUp = (char: string): readonly number[] | undefined => {
    const found = bytesOf.get(char);
    if (found !== undefined || isWhole) return found ?? supplementary(char, encoding);
    // Sequences of four bytes per character, which few texts need.
    add(bytesOf, encoding, fourByteSequences());
    isWhole = true;
    return bytesOf.get(char) ?? supplementary(char, encoding);
  };
  // Most characters repeat; this cache returns their bytes without creating a string for each.
  const met = new Uint32Array(0x1_0000);
  const table: EncodingTable = {
    encode(text) {
      let bytes = Buffer.allocUnsafe(text.length * 2 + longestSequence);
      let size = 0;
      for (let at = 0; at < text.length; at++) {
        if (size + longestSequence > bytes.length) bytes = Buffer.concat([bytes], size * 2);
        const unit = text.charCodeAt(at);
        const value = unit < 128 ? unit : (met[unit] ?? 0);
        if (value > 0xffff) size = bytes.writeUInt32BE(value, size);
        else if (value > 0xff) size = bytes.writeUInt16BE(value, size);
        else if (value > 0 || unit === 0) bytes[size++] = value;
        else {
          const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
          const found = lookUp(char);
          if (found === undefined) return undefined;
          for (const byte of found) bytes[size++] = byte;
          if (char.length > 1) at++;
          else if (found.length !== 3) met[unit] = found.reduce((sum, byte) => sum * 256 + byte, 0);
        }
      }
      return bytes.subarray(0, size);
    },
  };
  tables.set(encoding, table);
  return table;
}

const allLeads: readonly ByteRange[] = [[0x81, 0xfe]];
/** Lead bytes of Shift_JIS; the extension at 0xED is last, because its characters are written with codes at 0xFA. */
const shiftJisLeads: readonly ByteRange[] = [
  [0x81, 0xec],
  [0xef, 0xfe],
  [0xed, 0xee],
];

function turnedAround(encoding: string): Map<string, readonly number[]> {
  const bytesOf = new Map<string, readonly number[]>();
  add(bytesOf, encoding, preferred.get(encoding) ?? []);
  add(bytesOf, encoding, sequences([[128, 255]]));
  for (const leads of encoding === "shift_jis" ? shiftJisLeads : allLeads) {
    add(bytesOf, encoding, sequences([leads, [0x40, 0xfe]]));
  }
  if (encoding === "euc-jp") {
    add(
      bytesOf,
      encoding,
      sequences([
        [0x8f, 0x8f],
        [0xa1, 0xfe],
        [0xa1, 0xfe],
      ]),
    );
  }
  return bytesOf;
}

/** Decodes all sequences at once, one per line; a sequence that decodes to one character is that character's bytes. */
function add(
  bytesOf: Map<string, readonly number[]>,
  encoding: string,
  all: readonly (readonly number[])[],
): void {
  const lines = newDecoder(encoding)
    .decode(Uint8Array.from(all.flatMap((bytes) => [...bytes, newline])))
    .split("\n");
  for (const [index, bytes] of all.entries()) {
    const char = lines[index] ?? "";
    const isOne = char !== "" && char === String.fromCodePoint(char.codePointAt(0) ?? 0);
    if (isOne && char !== "\uFFFD" && !bytesOf.has(char)) bytesOf.set(char, bytes);
  }
}

const newline = 10;

type ByteRange = readonly [first: number, last: number];

function sequences(ranges: readonly ByteRange[]): readonly (readonly number[])[] {
  const [range, ...rest] = ranges;
  if (range === undefined) return [[]];
  const tails = sequences(rest);
  const all: (readonly number[])[] = [];
  for (let byte = range[0]; byte <= range[1]; byte++) {
    for (const tail of tails) all.push([byte, ...tail]);
  }
  return all;
}

function fourByteSequences(): readonly (readonly number[])[] {
  return sequences([
    [0x81, 0x84],
    [0x30, 0x39],
    [0x81, 0xfe],
    [0x30, 0x39],
  ]);
}

/** Bytes of a character above U+FFFF, computed because GB18030 lists these in code point order. */
function supplementary(char: string, encoding: string): readonly number[] | undefined {
  const point = char.codePointAt(0) ?? 0;
  if (encoding !== "gb18030" || point < 0x1_0000) return undefined;
  const place = point - 0x1_0000;
  return [
    0x90 + Math.floor(place / 12_600),
    0x30 + (Math.floor(place / 1260) % 10),
    0x81 + (Math.floor(place / 10) % 126),
    0x30 + (place % 10),
  ];
}
