/** Numbers of the first directory of a TIFF structure, which Exif uses too; empty if the bytes are not one. */
function tiffTags(bytes: Uint8Array): ReadonlyMap<number, number> {
  const tags = new Map<number, number>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 8) return tags;
  const order = view.getUint16(0);
  if (order !== littleEndian && order !== bigEndian) return tags;
  const isLittle = order === littleEndian;
  if (view.getUint16(2, isLittle) !== 42) return tags;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > bytes.length) return tags;
  const count = view.getUint16(start, isLittle);
  for (let index = 0; index < count; index++) {
    const at = start + 2 + index * 12;
    if (at + 12 > bytes.length) return tags;
    const type = view.getUint16(at + 2, isLittle);
    if (type === shortType)
      tags.set(view.getUint16(at, isLittle), view.getUint16(at + 8, isLittle));
    if (type === longType) tags.set(view.getUint16(at, isLittle), view.getUint32(at + 8, isLittle));
  }
  return tags;
}

const littleEndian = 0x4949;
const bigEndian = 0x4d4d;
const shortType = 3;
const longType = 4;

const widthTag = 0x100;
const heightTag = 0x101;
const orientationTag = 0x112;

export type ImageFormat = "png" | "jpeg" | "gif" | "webp" | "avif" | "heic" | "tiff";

export interface ImageHeader {
  readonly format: ImageFormat;
  /** Dimensions as stored, before rotation; 0 if the header does not contain them. */
  readonly width: number;
  readonly height: number;
  /** Exif orientation: 1 is upright, 2 to 8 are rotated or mirrored. */
  readonly orientation: number;
  /** Whether the file has all the parts that its format requires, to its end. */
  readonly isWhole: boolean;
}

/** FileState format of the bytes, determined from the bytes alone. */
export function imageFormat(head: Uint8Array): ImageFormat | undefined {
  if (!firstBytes.has(head[0] ?? -1) && head[4] !== firstOfBrand) return undefined;
  const text = latin(head, 0, 64);
  if (text.startsWith("\x89PNG\r\n\x1A\n")) return "png";
  if (text.startsWith("\xFF\xD8\xFF")) return "jpeg";
  if (text.startsWith("GIF87a") || text.startsWith("GIF89a")) return "gif";
  if (text.startsWith("RIFF") && text.startsWith("WEBP", 8)) return "webp";
  if (text.startsWith("II*\0") || text.startsWith("MM\0*")) return "tiff";
  if (!text.startsWith("ftyp", 4)) return undefined;
  const brands = text.slice(8, Math.min(64, Math.max(16, head[3] ?? 0)));
  if (/avif|avis/u.test(brands)) return "avif";
  return /hei[cxms]|hev[cx]|mif1|msf1/u.test(brands) ? "heic" : undefined;
}

/**
 * First byte of every format except those with `ftyp` after four bytes. A fast exit, because most files that are read
 * are text.
 */
const firstBytes: ReadonlySet<number> = new Set(
  Array.from("\x89\xFFGRIM", (each) => each.charCodeAt(0)),
);
const firstOfBrand = "f".charCodeAt(0);

/** Reads the header of an image without decoding a pixel. */
export function readImageHeader(bytes: Uint8Array, format: ImageFormat): ImageHeader {
  const found = readers[format](bytes);
  return { format, width: 0, height: 0, orientation: 1, isWhole: false, ...found };
}

type Found = Partial<Omit<ImageHeader, "format">>;

const readers: Readonly<Record<ImageFormat, (bytes: Uint8Array) => Found>> = {
  png: readPng,
  jpeg: readJpeg,
  gif: readGif,
  webp: readWebp,
  avif: readBoxes,
  heic: readBoxes,
  tiff(bytes) {
    const tags = tiffTags(bytes);
    return {
      width: tags.get(widthTag) ?? 0,
      height: tags.get(heightTag) ?? 0,
      orientation: tags.get(orientationTag) ?? 1,
    };
  },
};

function readPng(bytes: Uint8Array): Found {
  const view = viewOf(bytes);
  const found = { width: 0, height: 0, orientation: 1, isWhole: false };
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = latin(bytes, at + 4, 4);
    const next = at + 12 + length;
    if (next > bytes.length) return found;
    if (type === "IHDR" && length >= 13) {
      found.width = view.getUint32(at + 8);
      found.height = view.getUint32(at + 12);
    }
    if (type === "eXIf") found.orientation = orientationIn(bytes.subarray(at + 8, at + 8 + length));
    if (type === "IEND") return { ...found, isWhole: found.width > 0 };
    at = next;
  }
  return found;
}

function readJpeg(bytes: Uint8Array): Found {
  const view = viewOf(bytes);
  const found = { width: 0, height: 0, orientation: 1, isWhole: false };
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return found;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = view.getUint16(at + 2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && at + 9 <= bytes.length) {
      found.height = view.getUint16(at + 5);
      found.width = view.getUint16(at + 7);
    }
    if (marker === 0xe1 && latin(bytes, at + 4, 6) === "Exif\0\0") {
      found.orientation = orientationIn(bytes.subarray(at + 10, at + 2 + length));
    }
    if (marker === 0xda) {
      // The end marker follows the image; some programs append more data after it.
      const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(
        "\xFF\xD9",
        undefined,
        "latin1",
      );
      return { ...found, isWhole: found.width > 0 && end > at };
    }
    at += 2 + length;
  }
  return found;
}

function readGif(bytes: Uint8Array): Found {
  const view = viewOf(bytes);
  if (bytes.length < 13) return {};
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let at = 13 + tableBytes(bytes[10]);
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x3b) return { ...size, isWhole: true };
    if (block === 0x21) at = afterSubBlocks(bytes, at + 2);
    else if (block === 0x2c) at = afterSubBlocks(bytes, at + 11 + tableBytes(bytes[at + 9]));
    else return size;
  }
  return size;
}

function tableBytes(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function afterSubBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at] ?? 0; length !== 0 && at < bytes.length; length = bytes[at] ?? 0) {
    at += length + 1;
  }
  return at + 1;
}

function readWebp(bytes: Uint8Array): Found {
  if (bytes.length < 30) return {};
  const view = viewOf(bytes);
  const isWhole = view.getUint32(4, true) + 8 <= bytes.length;
  switch (latin(bytes, 12, 4)) {
    case "VP8X": {
      const exif = Buffer.from(bytes).indexOf("EXIF", 30, "latin1");
      return {
        width: 1 + (view.getUint32(24, true) & 0xff_ffff),
        height: 1 + (view.getUint32(26, true) >>> 8),
        orientation: exif === -1 ? 1 : orientationIn(bytes.subarray(exif + 8)),
        isWhole,
      };
    }
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff), isWhole };
    }
    case "VP8 ": {
      const width = view.getUint16(26, true) & 0x3fff;
      return { width, height: view.getUint16(28, true) & 0x3fff, isWhole };
    }
    default:
      return {};
  }
}

/** Reads AVIF and HEIC. Uses the largest of the stated sizes, because tiles and previews state theirs too. */
function readBoxes(bytes: Uint8Array): Found {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1_048_576));
  let width = 0;
  let height = 0;
  for (let at = buffer.indexOf("ispe"); at !== -1; at = buffer.indexOf("ispe", at + 4)) {
    if (at + 16 > buffer.length) break;
    const wide = buffer.readUInt32BE(at + 8);
    const high = buffer.readUInt32BE(at + 12);
    if (wide * high > width * height) {
      width = wide;
      height = high;
    }
  }
  return { width, height };
}

function orientationIn(exif: Uint8Array): number {
  const turned = tiffTags(exif).get(orientationTag) ?? 1;
  return turned >= 1 && turned <= 8 ? turned : 1;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function latin(bytes: Uint8Array, at: number, length: number): string {
  return Buffer.from(bytes.subarray(at, at + length)).toString("latin1");
}
