/** A file's bytes as text, and how its characters are kept. */
export interface ReadableText {
  readonly text: string;
  /** UTF-8, UTF-16LE and UTF-16BE, with their byte order mark in the text, or the name of an older encoding. */
  readonly encoding: string;
}

/** Sides of one file that are in none of these, as texts; undefined for each that is no text. */
export type DecodeOlder = (
  sides: readonly Uint8Array[],
) => Promise<readonly (ReadableText | undefined)[]>;

/** The texts of the sides of one file; undefined for what is none, or is not there. */
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

/** The text of a file that a diff can show; undefined for what is none. */
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
