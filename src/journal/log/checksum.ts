import { crc32 } from "node:zlib";

/** The member that ends what a checksum covers: everything in front of it. */
const member = ',"crc":"';
const digits = 8;
const memberBytes = new TextEncoder().encode(member);
/** Of the member with its value, which is a text of hexadecimal digits. */
const sealLength = member.length + digits + 1;
const closingBrace = 0x7d;
const decoder = new TextDecoder();

/** The checksum of some text or bytes, as lines show it. */
export function checksumOf(covered: string | Uint8Array): string {
  return crc32(covered).toString(16).padStart(digits, "0");
}

/** A part of a JSON object, from its brace on, with the checksum of it as one more member. */
export function sealedPart(part: string): string {
  return `${part}${member}${checksumOf(part)}"`;
}

/** A JSON object with the checksum of everything in front as its last member. */
export function sealed(object: string): string {
  return `${sealedPart(object.slice(0, -1))}}`;
}

/** The checksum of an object that was sealed. */
export function sealAtEnd(object: string): string {
  return object.slice(-digits - 2, -2);
}

/** The checksum a JSON object ends with, whether it fits or not; undefined where it ends with none. */
export function sealOf(
  object: Uint8Array,
): { readonly crc: string; readonly fits: boolean } | undefined {
  const end = object.length - 1;
  const start = end - sealLength;
  if (start < 1 || object[end] !== closingBrace) return undefined;
  if (memberBytes.some((byte, index) => object[start + index] !== byte)) return undefined;
  const crc = decoder.decode(object.subarray(start + member.length, end - 1));
  return { crc, fits: checksumOf(object.subarray(0, start)) === crc };
}
