import { isCommonPair, pairEncodings, type PairEncoding } from "./byte-pairs.ts";
import { letterEncodings, letterScore } from "./letters.ts";
import { trustIn, type Fit, type Trust } from "./confidence.ts";

/** Storage format of a text. */
export interface TextForm {
  /** Name that TextDecoder accepts, or utf-32le or utf-32be. */
  readonly encoding: string;
  /** Length of the byte order mark in bytes; 0 if there is none. */
  readonly markBytes: number;
  /** Whether a mark or the bytes prove the encoding; otherwise it is inferred from character frequencies. */
  readonly isSure: boolean;
  /** Confidence in the inferred encoding for writing. Absent if nothing was inferred. */
  readonly trust?: Trust;
}

const marks: readonly { readonly encoding: string; readonly bytes: readonly number[] }[] = [
  { encoding: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  // Before UTF-16, whose little-endian mark is a prefix of this one.
  { encoding: "utf-32le", bytes: [0xff, 0xfe, 0, 0] },
  { encoding: "utf-32be", bytes: [0, 0, 0xfe, 0xff] },
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/** Encoding that a byte order mark identifies. */
export function markedForm(head: Uint8Array): TextForm | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, index) => head[index] === byte));
  if (found === undefined) return undefined;
  return { encoding: found.encoding, markBytes: found.bytes.length, isSure: true };
}

/**
 * Most likely legacy encoding of bytes that are not UTF-8; undefined if they are not text. Considers only lines with
 * bytes above 127, so that a lot of source code around one comment has no influence.
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

/** Minimum score of an encoding; below it none is chosen. */
const leastScore = 0.3;
/** Maximum bytes of the sample that decides. */
const sampleBytes = 32_768;
const scannedBytes = 1_048_576;

/** Whether bytes contain control characters that do not occur in text in any of these encodings. */
function hasControls(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, scannedBytes);
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 32 && !(byte >= 8 && byte <= 13) && byte !== 27) return true;
  }
  return false;
}

/** First lines that contain bytes above 127. */
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

/** Average score of the byte pairs in an encoding; negative infinity if a pair is invalid in it. */
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
      // The sample may end within a pair.
      if (at + 1 >= sample.length && count > 0) break;
      return Number.NEGATIVE_INFINITY;
    }
    sum += pair.score * pair.bytes;
    count += pair.bytes;
    at += pair.bytes;
  }
  if (count === 0) return Number.NEGATIVE_INFINITY;
  // A few Korean syllables may as well be Chinese, which is more common.
  return encoding === "euc-kr" && count < 8 ? sum / count - 0.1 : sum / count;
}

function isMostlyAscii(sample: Uint8Array): boolean {
  let high = 0;
  for (const byte of sample) if (byte > 127) high++;
  return high * 4 < sample.length;
}
