/** Encodings that write most characters in two bytes; among equal scores the first wins. */
export const pairEncodings = ["euc-kr", "shift_jis", "euc-jp", "big5", "gb18030"] as const;

export type PairEncoding = (typeof pairEncodings)[number];

export interface PairScore {
  /** Frequency score from 1, for a character in every text, to -1, for one that hardly any text contains. */
  readonly score: number;
  readonly bytes: number;
}

/** Score of the character that begins with `lead`; undefined if the encoding has no such character. */
export function isCommonPair(
  encoding: PairEncoding,
  lead: number,
  trail: number | undefined,
): PairScore | undefined {
  if (encoding === "shift_jis" && lead >= 0xa1 && lead <= 0xdf) return { score: -0.1, bytes: 1 };
  if (trail === undefined) return undefined;
  const { isTrail, isPlain, leads } = structures[encoding];
  if (encoding === "gb18030" && trail >= 0x30 && trail <= 0x39) return { score: -0.5, bytes: 4 };
  if (encoding === "euc-jp" && lead === 0x8f) return { score: -0.5, bytes: 3 };
  if (lead < 0x81 || lead > 0xfe || !isTrail(trail)) return undefined;
  if (!isPlain(lead, trail)) return { score: -0.6, bytes: 2 };
  const score = leads.find(([first, last]) => lead >= first && lead <= last)?.[2] ?? -1;
  // Four of ten characters in Big5 end with a byte below 128; text without such bytes is in another encoding.
  const weight = encoding !== "big5" || score < 0 ? 1 : trail < 128 ? 1.2 : 0.75;
  return { score: score * weight, bytes: 2 };
}

interface Structure {
  readonly isTrail: (byte: number) => boolean;
  /** Whether a pair belongs to the original character set rather than to a later extension. */
  readonly isPlain: (lead: number, trail: number) => boolean;
  /** Scores of characters by ranges of lead bytes. */
  readonly leads: readonly (readonly [first: number, last: number, score: number])[];
}

const high = (byte: number): boolean => byte >= 0xa1 && byte <= 0xfe;
const isHighPair = (lead: number, trail: number): boolean => high(lead) && high(trail);
const isWide = (byte: number): boolean => byte >= 0x40 && byte <= 0xfe && byte !== 0x7f;
const always = (): boolean => true;

const structures: Readonly<Record<PairEncoding, Structure>> = {
  "euc-kr": {
    isTrail: (byte) => byte >= 0x41 && byte <= 0xfe,
    isPlain: isHighPair,
    leads: [
      [0xa1, 0xa1, 0.8],
      [0xa4, 0xa4, 0.5],
      // Syllables, then Chinese characters, which modern Korean avoids.
      [0xb0, 0xc8, 1],
      [0xca, 0xfd, -0.3],
    ],
  },
  "euc-jp": {
    isTrail: high,
    isPlain: always,
    leads: [
      [0x8e, 0x8e, 0.1],
      [0xa1, 0xa1, 0.8],
      [0xa3, 0xa3, 0.5],
      [0xa4, 0xa4, 1],
      [0xa5, 0xa5, 0.9],
      [0xb0, 0xcf, 0.7],
      [0xd0, 0xf4, 0.1],
    ],
  },
  shift_jis: {
    isTrail: (byte) => byte >= 0x40 && byte <= 0xfc && byte !== 0x7f,
    isPlain: (lead, trail) => lead !== 0x82 || trail >= 0x4f,
    leads: [
      [0x81, 0x81, 0.8],
      [0x82, 0x82, 1],
      [0x83, 0x83, 0.9],
      [0x84, 0x84, 0.1],
      [0x88, 0x97, 0.8],
      [0x98, 0x9f, 0.1],
      [0xe0, 0xea, 0.1],
      [0xed, 0xfc, -0.5],
    ],
  },
  big5: {
    isTrail: (byte) => (byte >= 0x40 && byte <= 0x7e) || high(byte),
    isPlain: always,
    leads: [
      [0xa1, 0xa1, 0.8],
      [0xa2, 0xa3, 0.3],
      [0xa4, 0xc6, 1],
      [0xc7, 0xc8, -0.3],
      [0xc9, 0xf9, 0.1],
    ],
  },
  gb18030: {
    isTrail: isWide,
    isPlain: isHighPair,
    leads: [
      [0xa1, 0xa1, 0.8],
      [0xa3, 0xa3, 0.8],
      [0xa4, 0xa5, 0.2],
      [0xa2, 0xa2, -0.2],
      [0xa6, 0xaf, -0.2],
      [0xb0, 0xd7, 1],
      [0xd8, 0xf7, 0.1],
    ],
  },
};
