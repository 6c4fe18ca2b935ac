import { crc32 } from "node:zlib";

/** Start of the checksum member, which covers everything before it. */
const member = ',"crc":"';
const digits = 8;
const memberBytes = new TextEncoder().encode(member);
/** Length of the member with its value, a string of hexadecimal digits. */
const sealLength = member.length + digits + 1;
const closingBrace = 0x7d;
const decoder = new TextDecoder();

/** Checksum of a text or bytes, in the form that lines contain. */
export function checksumOf(covered: string | Uint8Array): string {
  return crc32(covered).toString(16).padStart(digits, "0");
}

/** Start of a JSON object, with a checksum member added to it. */
export function sealedPart(part: string): string {
  return `${part}${member}${checksumOf(part)}"`;
}

/** JSON object with a last member that has the checksum of everything before it. */
export function sealed(object: string): string {
  return `${sealedPart(object.slice(0, -1))}}`;
}

/** Checksum of a sealed object. */
export function sealAtEnd(object: string): string {
  return object.slice(-digits - 2, -2);
}

/** Checksum at the end of a JSON object, correct or not; undefined if it has none. */
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
