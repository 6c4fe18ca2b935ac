import * as fc from "fast-check";

const surrogates = 0xe000 - 0xd800;

function characterAt(index: number): string {
  return String.fromCodePoint(index < 0xd800 ? index : index + surrogates);
}

function indexOf(character: unknown): number {
  const code = typeof character === "string" ? character.codePointAt(0) : undefined;
  const isOne = code !== undefined && String.fromCodePoint(code) === character;
  if (!isOne || (code >= 0xd800 && code < 0xe000)) throw new TypeError("not one character");
  return code < 0xd800 ? code : code - surrogates;
}

/**
 * Any character of Unicode, for `fc.string({ unit: codePoint })`. It draws what `unit: "binary"` draws, which first
 * fills a map of all 1.1 million characters in each process, half a second of computing.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates })
  .map(characterAt, indexOf);
