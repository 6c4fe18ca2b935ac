import { readableTexts, type DecodeOlder } from "../preview/decode-sides.ts";

/** Maximum size of a side: larger diffs are too long to read and take too long to compute. */
export const maxDifferenceBytes = 256 * 1024;

/** Two contents of a path, undefined if unknown. */
export interface Sides {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

export interface TextDifference {
  /** Unified diff. */
  readonly diff?: string;
  /** Encoding of the later content, if it is not UTF-8. */
  readonly encoding?: string;
}

/** Unified diff of two contents of a path. Empty if a side is missing, large or binary. */
export async function textDifference(
  path: string,
  { before, after }: Sides,
  decodeOlder: DecodeOlder | undefined,
): Promise<TextDifference> {
  if (before === undefined || after === undefined) return {};
  if (Math.max(before.length, after.length) > maxDifferenceBytes) return {};
  const [from, to] = await readableTexts([before, after], decodeOlder);
  if (from === undefined || to === undefined) return {};
  const { createTwoFilesPatch } = await import("diff");
  const name = path.replace(/^\//u, "");
  const options = { context: 3, maxEditLength, headerOptions } as const;
  const texts = [from.text, to.text] as const;
  const diff = createTwoFilesPatch(
    `a/${name}`,
    `b/${name}`,
    ...texts,
    undefined,
    undefined,
    options,
  );
  const { encoding } = after.length === 0 ? from : to;
  return {
    ...(diff === undefined ? {} : { diff }),
    ...(encoding === "UTF-8" ? {} : { encoding }),
  };
}

/** Maximum edit distance: texts that differ more share nothing worth showing. */
const maxEditLength = 5000;

const headerOptions = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };
