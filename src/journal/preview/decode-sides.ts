/** Content of a file as text, with its encoding. */
export interface ReadableText {
  readonly text: string;
  /** UTF-8, UTF-16LE or UTF-16BE, with the byte order mark in the text, or the name of a legacy encoding. */
  readonly encoding: string;
}

/** Decodes sides of one file that have none of these encodings; undefined for each that is binary. */
export type DecodeOlder = (
  sides: readonly Uint8Array[],
) => Promise<readonly (ReadableText | undefined)[]>;

/** Texts of the sides of one file; undefined for a side that is binary or missing. */
export async function readableTexts(
  sides: readonly (Uint8Array | undefined)[],
  decodeOlder: DecodeOlder | undefined,
): Promise<readonly (ReadableText | undefined)[]> {
  const texts = sides.map((bytes) => bytes && readableText(bytes));
  const older = sides.filter((bytes, index) => bytes !== undefined && texts[index] === undefined);
  if (decodeOlder === undefined || older.length === 0) return texts;
  const decoded = [...(await decodeOlder(older.flatMap((bytes) => bytes ?? [])))];
  return sides.map((bytes, index) =>
    bytes === undefined || texts[index] !== undefined ? texts[index] : decoded.shift(),
  );
}

/** Text of a file for a diff; undefined for a binary file. */
export function readableText(bytes: Uint8Array): ReadableText | undefined {
  const encoding = encodingOf(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : { text, encoding };
  } catch {
    return undefined;
  }
}

function encodingOf([first, second]: Uint8Array): "UTF-8" | "UTF-16LE" | "UTF-16BE" {
  if (first === 0xff && second === 0xfe) return "UTF-16LE";
  return first === 0xfe && second === 0xff ? "UTF-16BE" : "UTF-8";
}
