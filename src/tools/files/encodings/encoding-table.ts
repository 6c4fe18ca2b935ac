export interface EncodingTable {
  /** Undefined where a character has no bytes in this encoding. */
  encode(text: string): Uint8Array | undefined;
}

/** Made once for each encoding that something is written in: a decoder knows the bytes, this turns it around. */
const tables = new Map<string, EncodingTable>();

/** The way back for an encoding that TextDecoder can read. */
export function encodingTable(encoding: string): EncodingTable {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const bytesOf = turnedAround(encoding);
  let isWhole = encoding !== "gb18030";
  const lookUp = (char: string): readonly number[] | undefined => {
    const found = bytesOf.get(char);
    if (found !== undefined || isWhole) return found ?? supplementary(char, encoding);
    // Four bytes a character, needed by few texts.
    add(bytesOf, encoding, fourByteSequences());
    isWhole = true;
    return bytesOf.get(char) ?? supplementary(char, encoding);
  };
  const table: EncodingTable = {
    encode(text) {
      const bytes: number[] = [];
      for (const char of text) {
        const code = char.codePointAt(0) ?? 0;
        if (code < 128) {
          bytes.push(code);
          continue;
        }
        const found = lookUp(char);
        if (found === undefined) return undefined;
        bytes.push(...found);
      }
      return Uint8Array.from(bytes);
    },
  };
  tables.set(encoding, table);
  return table;
}

function turnedAround(encoding: string): Map<string, readonly number[]> {
  const bytesOf = new Map<string, readonly number[]>();
  add(bytesOf, encoding, sequences([[128, 255]]));
  add(
    bytesOf,
    encoding,
    sequences([
      [0x81, 0xfe],
      [0x40, 0xfe],
    ]),
  );
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

/** Decodes all sequences at once, a line each: what comes out as one character is that character's bytes. */
function add(
  bytesOf: Map<string, readonly number[]>,
  encoding: string,
  all: readonly (readonly number[])[],
): void {
  const lines = new TextDecoder(encoding)
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

/** Characters beyond the first plane stand in order. */
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
