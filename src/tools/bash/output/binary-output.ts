/** First bytes of a binary format. */
interface Signature {
  readonly name: string;
  readonly bytes: readonly number[];
  /** Further text at an offset, for formats whose first bytes are ambiguous. */
  readonly also?: { readonly at: number; readonly text: string };
  /** Maximum of the byte at an offset, for two formats with the same first bytes. */
  readonly below?: { readonly at: number; readonly value: number };
}

const signatures: readonly Signature[] = [
  { name: "PNG image", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { name: "JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { name: "GIF image", bytes: ascii("GIF8"), also: { at: 5, text: "a" } },
  { name: "WebP image", bytes: ascii("RIFF"), also: { at: 8, text: "WEBP" } },
  { name: "PDF document", bytes: ascii("%PDF-") },
  { name: "ZIP archive", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: "gzip data", bytes: [0x1f, 0x8b] },
  { name: "bzip2 data", bytes: ascii("BZh"), also: { at: 4, text: "1AY&SY" } },
  { name: "xz data", bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00] },
  { name: "Zstandard data", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: "ELF program", bytes: [0x7f, 0x45, 0x4c, 0x46] },
  { name: "SQLite database", bytes: ascii("SQLite format 3") },
  { name: "WebAssembly module", bytes: [0x00, 0x61, 0x73, 0x6d] },
  { name: "Mach-O program", bytes: [0xce, 0xfa, 0xed, 0xfe] },
  { name: "Mach-O program", bytes: [0xcf, 0xfa, 0xed, 0xfe] },
  { name: "Mach-O program", bytes: [0xfe, 0xed, 0xfa, 0xce] },
  { name: "Mach-O program", bytes: [0xfe, 0xed, 0xfa, 0xcf] },
  // A program for several architectures has their number where a Java class has its version, which is 45 or more.
  {
    name: "Mach-O program",
    bytes: [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0],
    below: { at: 7, value: 45 },
  },
  { name: "Java class", bytes: [0xca, 0xfe, 0xba, 0xbe] },
  // The size of the header follows; words that begin so have a letter there.
  { name: "BMP image", bytes: ascii("BM"), also: { at: 15, text: "\0\0\0" } },
  { name: "tar archive", bytes: [], also: { at: 257, text: "ustar" } },
];

/** Names of the binary formats recognized by their first bytes. */
export const binaryFormats: readonly string[] = signatures.map(({ name }) => name);

/** Bytes at the start of a stream that are inspected for non-text content. */
const lookedAtBytes = 8192;
/** NULs allowed in any stream; NUL-terminated text, as from `find -print0`, has at most one NUL in four bytes. */
const fewNuls = 16;
const textShare = 4;
/** One non-text byte in this many is tolerated between readable lines; compressed data has one in nine. */
const noiseShare = 16;
/** Bytes of a stream's start that signatures need. */
const longestSignature = 262;

/** Inspects the beginning of one stream, chunk by chunk, for binary content. */
export class BinaryWatch {
  #first: Uint8Array = new Uint8Array();
  #seenBytes = 0;
  #format: string | undefined;
  #nuls = 0;
  /** Number of control characters that text does not contain, and of bytes that are not UTF-8. */
  #odd = 0;

  /** Number of bytes received. */
  get bytes(): number {
    return this.#seenBytes;
  }

  /** Format of the stream, once it is known to be binary. */
  get format(): string | undefined {
    return this.#format;
  }

  /** Inspects the next bytes; returns true once the stream is known to be binary. */
  add(bytes: Uint8Array): boolean {
    const before = this.#seenBytes;
    this.#seenBytes += bytes.length;
    if (this.#format !== undefined) return true;
    if (before < longestSignature) {
      const room = longestSignature - this.#first.length;
      this.#first = Uint8Array.from([...this.#first, ...bytes.subarray(0, room)]);
      this.#format = formatOf(this.#first);
    }
    if (before < lookedAtBytes) this.#look(bytes.subarray(0, lookedAtBytes - before));
    return this.#format !== undefined;
  }

  /** A single NUL does not make output binary: lists of names and of variables are separated by NULs. */
  #look(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 0) this.#nuls += 1;
      else if (byte < 0x07 || (byte > 0x0d && byte < 0x1b) || byte >= 0xf8) this.#odd += 1;
    }
    const seen = Math.min(this.#seenBytes, lookedAtBytes);
    const isMany = this.#nuls > fewNuls && this.#nuls * textShare > seen;
    const isNoise = this.#odd > 0 && (this.#nuls + this.#odd) * noiseShare > seen;
    if (this.#nuls > 0 && (isNoise || isMany)) this.#format ??= "binary data";
  }
}

/** Name of the format that begins with these bytes. */
export function formatOf(first: Uint8Array): string | undefined {
  return signatures.find(
    ({ bytes, also, below }) =>
      bytes.every((byte, at) => first[at] === byte) &&
      (below === undefined || (first[below.at] ?? below.value) < below.value) &&
      (also === undefined || ascii(also.text).every((byte, at) => first[also.at + at] === byte)),
  )?.name;
}

function ascii(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
