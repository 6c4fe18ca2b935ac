import { newDecoder } from "./decoder.ts";
import { pairEncodings } from "./byte-pairs.ts";

/** Fit of an encoding to a sample. */
export interface Fit {
  readonly encoding: string;
  /** Score of at most about 1; negative infinity if the bytes are invalid in the encoding. */
  readonly score: number;
}

/**
 * Characters that may be written in an inferred encoding: any; only those in the file, whose bytes are known whatever
 * the encoding is; or none, because the bytes may divide into different characters.
 */
export type Trust = "any" | "known" | "none";

/** Minimum number of bytes above 127; fewer are too small a sample of character frequencies. */
const leastHighBytes = 12;
const leastPairScore = 0.6;
const leastLetterScore = 0.5;
/** Minimum lead over other encodings, measured on names and dates in their languages; a smaller one was unreliable. */
const pairMargin = 0.3;
const letterMargin = 0.35;

/** Confidence in the best of these fits. */
export function trustIn(best: Fit, fits: readonly Fit[], sample: Uint8Array): Trust {
  const others = fits.filter(({ encoding }) => encoding !== best.encoding);
  const isNear = (margin: number) => (fit: Fit) =>
    best.score - fit.score < margin && !isSameText(best, fit, sample);
  if (isPair(best)) {
    const isEnough = highBytes(sample) >= leastHighBytes && best.score >= leastPairScore;
    return isEnough && !isScattered(sample) && !others.some(isNear(pairMargin)) ? "any" : "none";
  }
  if (best.score < leastLetterScore) return "none";
  const rivals = others.filter((fit) => isPair(fit) || isCyrillic(fit) !== isCyrillic(best));
  return rivals.some(isNear(letterMargin)) ? "none" : "known";
}

function isPair({ encoding }: Fit): boolean {
  return pairEncodings.some((each) => each === encoding);
}

function isCyrillic({ encoding }: Fit): boolean {
  return encoding === "windows-1251" || encoding === "koi8-r";
}

function isSameText(one: Fit, other: Fit, sample: Uint8Array): boolean {
  return newDecoder(one.encoding).decode(sample) === newDecoder(other.encoding).decode(sample);
}

function highBytes(sample: Uint8Array): number {
  let count = 0;
  for (const byte of sample) if (byte > 127) count++;
  return count;
}

/** Whether most pairs are isolated, which is typical of an accented letter followed by another letter. */
function isScattered(sample: Uint8Array): boolean {
  let alone = 0;
  let pairs = 0;
  for (let at = 0; at < sample.length;) {
    if ((sample[at] ?? 0) < 128) {
      at++;
      continue;
    }
    const start = at;
    while ((sample[at] ?? 0) > 127) at += 2;
    const run = (at - start) / 2;
    if (run === 1) alone++;
    pairs += run;
  }
  return alone * 2 > pairs;
}
