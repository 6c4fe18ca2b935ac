/** Above this a difference is too long to read and takes too long to find. */
export const maxDifferenceBytes = 256 * 1024;

/** Two contents of a path as a unified diff; undefined where one is missing, large or no text. */
export async function textDifference(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<string | undefined> {
  const from = textOf(before);
  const to = textOf(after);
  if (from === undefined || to === undefined) return undefined;
  const { createTwoFilesPatch } = await import("diff");
  const name = path.replace(/^\//u, "");
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, from, to, undefined, undefined, {
    context: 3,
    maxEditLength,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
}

/** Texts further apart than this share nothing worth showing. */
const maxEditLength = 5000;

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > maxDifferenceBytes || bytes.includes(0))
    return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
