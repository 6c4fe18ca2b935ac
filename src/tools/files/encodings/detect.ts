import { isCommonPair, pairEncodings, type PairEncoding } from "./byte-pairs.ts";
import { letterEncodings, letterScore } from "./letters.ts";
import { trustIn, type Fit, type Trust } from "./confidence.ts";

/** How a text is stored. */
export interface TextForm {
  /** A name TextDecoder knows, or utf-32le and utf-32be. */
  readonly encoding: string;
  /** Bytes before the text that only name its encoding. */
  readonly markBytes: number;
  /** Said by a mark or proved by the bytes; else concluded from how often which characters come. */
  readonly isSure: boolean;
  /** How far what was concluded bears writing. Left out where nothing was concluded. */
  readonly trust?: Trust;
}

const marks: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  // Before UTF-16, whose little-endian mark is the beginning of this one.
  { encoding: "utf-32le", bytes: [0xff, 0xfe, 0, 0] },
  { encoding: "utf-32be", bytes: [0, 0, 0xfe, 0xff] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/** The encoding a byte order mark names. */
export function markedForm(head: Uint8Array): TextForm | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (found === undefined) return undefined;
  return { encoding: found.encoding, markBytes: found.bytes.length, isSure: true };
}

/**
 * The older encoding that bytes are most likely in, where they are text at all and not UTF-8. Decided by the
 * lines that have bytes above 127, so that much source code around one comment does not count.
 */
export function detectLegacy(bytes: Uint8Array): TextForm | undefined {
  if (hasControls(bytes)) return undefined;
  const sample = telling(bytes);
  const fits: readonly Fit[] = [
    ...pairEncodings.map((encoding) => ({ encoding, score: pairScore(sample, encoding) })),
    ...letterEncodings.map((encoding) => ({ encoding, score: letterScore(sample, encoding) })),
  ];
  let best: Fit | undefined;
  for (const fit of fits) if (fit.score > (best?.score ?? leastScore)) best = fit;
  if (best !== undefined) {
    const { encoding } = best;
    return { encoding, markBytes: 0, isSure: false, trust: trustIn(best, fits, sample) };
  }
  if (!isMostlyAscii(sample)) return undefined;
  return { encoding: "windows-1252", markBytes: 0, isSure: false, trust: "none" };
}

/** Below this nothing fits. */
const leastScore = 0.3;
/** Looked at for the decision. */
const sampleBytes = 32_768;
const scannedBytes = 1_048_576;

/** What no text has, in any of these encodings. */
function hasControls(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, scannedBytes);
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) return true;
  }
  return false;
}

/** The lines with bytes above 127, the first ones. */
function telling(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let size = 0;
  const end = Math.min(bytes.length, scannedBytes);
  for (let at = 0; at < end && size < sampleBytes;) {
    const newline = bytes.indexOf(10, at);
    const next = newline === -1 ? bytes.length : newline + 1;
    const line = bytes.subarray(at, Math.min(next, at + sampleBytes));
    if (line.some((byte) => byte > 127)) {
      parts.push(line);
      size += line.length;
    }
    at = next;
  }
  return Buffer.concat(parts);
}

/** How well pairs of bytes fit an encoding, on average; nothing at all where some cannot be. */
function pairScore(sample: Uint8Array, encoding: PairEncoding): number {
  let sum = 0;
  let count = 0;
  for (let at = 0; at < sample.length;) {
    const lead = sample[at] ?? 0;
    if (lead < 128) {
      at++;
      continue;
    }
    const pair = isCommonPair(encoding, lead, sample[at + 1]);
    if (pair === undefined) {
      // The end of the sample may cut a pair.
      if (at + 1 >= sample.length && count > 0) break;
      return Number.NEGATIVE_INFINITY;
    }
    sum += pair.score * pair.bytes;
    count += pair.bytes;
    at += pair.bytes;
  }
  if (count === 0) return Number.NEGATIVE_INFINITY;
  // Two or three syllables of Korean could be Chinese just as well, which is met more often.
  return encoding === "euc-kr" && count < 8 ? sum / count - 0.1 : sum / count;
}

function isMostlyAscii(sample: Uint8Array): boolean {
  let high = 0;
  for (const byte of sample) if (byte > 127) high++;
  return high * 4 < sample.length;
}
