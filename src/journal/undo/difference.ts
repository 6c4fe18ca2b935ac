import { readableTexts, type DecodeOlder } from "../preview/decode-sides.ts";

/** Above this a difference is too long to read and takes too long to find. */
export const maxDifferenceBytes = 256 * 1024;

/** Two contents of a path, missing where nobody knows them. */
export interface Sides {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
}

export interface TextDifference {
  /** Unified. */
  readonly diff?: string;
  /** Of what the path was last, where that is not UTF-8. */
  readonly encoding?: string;
}

/** Two contents of a path as a unified diff; nothing where one is missing, large or no text. */
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

/** Texts further apart than this share nothing worth showing. */
const maxEditLength = 5000;

const headerOptions = { includeIndex: false, includeUnderline: false, includeFileHeaders: true };
