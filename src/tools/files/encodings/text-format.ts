import { isAscii } from "node:buffer";

/** Number of bytes that decide whether a file is text. */
export const sniffedBytes = 512;

/** Reason given for bytes that may be text in a legacy encoding. */
export const notUtf8 = "bytes that are not UTF-8";

export type TextCheck =
  | { readonly kind: "text"; readonly byteOrderMark: boolean }
  | { readonly kind: "binary"; readonly because: string };

/**
 * Whether bytes begin a UTF-8 text: no NUL and no invalid sequence in the first 512. With `whole`, nothing follows
 * `head`, so a sequence truncated at its end is an error too.
 */
export function checkText(head: Uint8Array, whole: boolean): TextCheck {
  const sniffed = head.subarray(0, sniffedBytes);
  const known = magicStarts.has(sniffed[0] ?? -1)
    ? magicNumbers.find(({ bytes }) => startsWith(sniffed, bytes))
    : undefined;
  if (known !== undefined) return { kind: "binary", because: known.name };
  if (sniffed.includes(0)) return { kind: "binary", because: "a NUL byte at its start" };
  const cut = !whole || head.length > sniffed.length;
  if (!isUtf8(sniffed, cut)) return { kind: "binary", because: notUtf8 };
  return { kind: "text", byteOrderMark: startsWith(sniffed, byteOrderMark) };
}

/** Decodes bytes without loss, including the byte order mark; undefined if they are not all UTF-8. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  // Most source text is ASCII; decoding it as latin1 costs a quarter of decoding UTF-8.
  if (isAscii(bytes))
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  try {
    return exact.decode(bytes);
  } catch {
    return undefined;
  }
}

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Three bytes that some editors put before UTF-8 text. */
export const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];
export const byteOrderMarkText = "\uFEFF";

const encoder = new TextEncoder();
const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Only formats that are common and would otherwise be reported as "not UTF-8"; the order matters for shared beginnings.
 */
const magicNumbers: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: "a UTF-32 byte order mark", bytes: [0xff, 0xfe, 0, 0] },
  { name: "a UTF-32 byte order mark", bytes: [0, 0, 0xfe, 0xff] },
  { name: "a UTF-16 byte order mark", bytes: [0xff, 0xfe] },
  { name: "a UTF-16 byte order mark", bytes: [0xfe, 0xff] },
  { name: "the beginning of a PNG image", bytes: [0x89, 0x50, 0x4e, 0x47] },
  { name: "the beginning of a JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { name: "the beginning of a GIF image", bytes: [0x47, 0x49, 0x46, 0x38] },
  { name: "the beginning of a PDF document", bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { name: "the beginning of a ZIP archive", bytes: [0x50, 0x4b, 0x03, 0x04] },
  { name: "the beginning of a gzip archive", bytes: [0x1f, 0x8b] },
  { name: "the beginning of an ELF program", bytes: [0x7f, 0x45, 0x4c, 0x46] },
];

/** First bytes of these formats. Hardly any text begins with one of them. */
const magicStarts: ReadonlySet<number> = new Set(
  magicNumbers.flatMap(({ bytes: [first] }) => first ?? []),
);

function startsWith(bytes: Uint8Array, prefix: readonly number[]): boolean {
  return bytes.length >= prefix.length && prefix.every((byte, index) => bytes[index] === byte);
}

function isUtf8(bytes: Uint8Array, cut: boolean): boolean {
  if (isAscii(bytes)) return true;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
}
