import { newDecoder } from "./decoder.ts";

/** Encodings with one byte per character; among equal scores the first wins. */
export const letterEncodings = ["windows-1252", "windows-1251", "koi8-r", "windows-1250"] as const;

export type LetterEncoding = (typeof letterEncodings)[number];

/** Score, from -1 to 1, of how well the characters above 127 fit the languages written in an encoding. */
export function letterScore(sample: Uint8Array, encoding: LetterEncoding): number {
  const text = newDecoder(encoding).decode(sample);
  const scoreAt = encoding === "windows-1251" || encoding === "koi8-r" ? cyrillic : latin(encoding);
  let sum = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) < 128) continue;
    sum += scoreAt(text, at);
    count++;
  }
  return count === 0 ? Number.NEGATIVE_INFINITY : sum / count;
}

/** Score of a Cyrillic letter; low inside a Latin word, or for a capital after a lowercase letter. */
function cyrillic(text: string, at: number): number {
  const char = text.charAt(at);
  const before = text.charAt(at - 1);
  const after = text.charAt(at + 1);
  if (isSmall(char)) {
    return asciiLetter.test(before) || asciiLetter.test(after) ? -1 : 0.9;
  }
  if (isCapital(char)) return isSmall(before) || asciiLetter.test(before) ? -1 : 0.5;
  return punctuation.includes(char) ? 0.2 : -0.8;
}

/** Score function for Latin letters; three accented letters in a row are rare in any language. */
function latin(encoding: LetterEncoding) {
  const known = encoding === "windows-1250" ? central : western;
  return (text: string, at: number): number => {
    const char = text.charAt(at);
    if (punctuation.includes(char)) return 0.6;
    if (!known.includes(char)) return -0.6;
    const around = text.slice(Math.max(0, at - 2), at + 3);
    return highRun.test(around) ? -0.5 : 0.8;
  };
}

const isSmall = (char: string): boolean => /^[\u0430-\u045F\u0491]$/u.test(char);
const isCapital = (char: string): boolean => /^[\u0400-\u042F\u0490]$/u.test(char);
const asciiLetter = /^[A-Za-z]$/u;
const highRun = /[^\0-\u007F]{3}/u;

const western =
  "\u00E0\u00E1\u00E2\u00E3\u00E4\u00E5\u00E6\u00E7\u00E8\u00E9\u00EA\u00EB\u00EC\u00ED\u00EE\u00EF\u00F1\u00F2\u00F3\u00F4\u00F5\u00F6\u00F8\u00F9\u00FA\u00FB\u00FC\u00DF\u0153\u00C0\u00C1\u00C4\u00C5\u00C7\u00C8\u00C9\u00CA\u00CD\u00D1\u00D3\u00D6\u00D8\u00DA\u00DC\u00BF\u00A1\u00AA\u00BA";
const central =
  "\u00E1\u010D\u010F\u00E9\u011B\u00ED\u0148\u00F3\u0159\u0161\u0165\u00FA\u016F\u00FD\u017E\u0105\u0107\u0119\u0142\u0144\u015B\u017A\u017C\u0151\u0171\u00F6\u00FC\u00E4\u00C1\u010C\u010E\u00C9\u00CD\u00D3\u0158\u0160\u0164\u00DA\u017D\u0141\u015A\u017B\u00D6\u00DC\u0150\u0170";
const punctuation =
  "\u00AB\u00BB\u2018\u2019\u201C\u201D\u201E\u2013\u2014\u2026\u2022\u20AC\u00A9\u00AE\u2122\u00B0\u00A7\u00A3\u00B7\u2116\u00A0\u00B1\u00D7\u00B5\u00BD\u00BC\u00B2\u00B3";
