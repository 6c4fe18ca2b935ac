import type { SeenFile } from "../files/seen/seen-file.ts";
import { encodeText } from "../files/encodings/text-encoding.ts";
import type { Splice } from "./plan-edit.ts";

/**
 * Encodes a file after splices. The bytes between the splices are copied unchanged, so that a small change of a large
 * file neither builds nor encodes its text again.
 */
export function splicedBytes(
  { file, text, encoding }: Pick<SeenFile, "file" | "text" | "encoding">,
  splices: readonly Splice[],
): Uint8Array {
  const parts: Uint8Array[] = [];
  const { bytes } = file;
  const isPlain = bytes.length === text.length;
  const bytesIn = (start: number, end: number): number => {
    if (isPlain) return end - start;
    if (typeof encoding !== "string") return encoding.encode(text.slice(start, end)).length;
    return encoding === "UTF-8" ? Buffer.byteLength(text.slice(start, end)) : (end - start) * 2;
  };
  let at = 0;
  let read = 0;
  for (const { start, end, newText } of splices) {
    const from = read + bytesIn(at, start);
    parts.push(bytes.subarray(read, from), encodeText({ text: newText, encoding }));
    read = from + bytesIn(start, end);
    at = end;
  }
  parts.push(bytes.subarray(read));
  return Buffer.concat(parts);
}
