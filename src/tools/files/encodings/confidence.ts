import { newDecoder } from "./decoder.ts";
import { pairEncodings } from "./byte-pairs.ts";

/** How well an encoding fits a sample. */
export interface Fit {
  readonly encoding: string;
  /** At most about 1; nothing at all where bytes cannot be in it. */
  readonly score: number;
}

/**
 * How far a conclusion bears writing: any character of the encoding, only those that the file has, whose bytes are
 * then known whatever the encoding is called, or nothing, where the text may be cut into other characters.
 */
export type Trust = "any" | "known" | "none";

/** Fewer bytes above 127 say little about which characters come often. */
const leastHighBytes = 12;
const leastPairScore = 0.6;
const leastLetterScore = 0.5;
/** Measured on names and dates in the languages of these encodings: what is nearer was wrong now and then. */
const pairMargin = 0.3;
const letterMargin = 0.35;

/** How far the best of these fits can be relied on. */
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

/** Whether most pairs stand alone: a letter with an accent and the one behind it look like that. */
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
