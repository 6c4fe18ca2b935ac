import type { Span } from "../../../core/index.ts";
import { isObject } from "../../../text/index.ts";

export type RgEvent =
  | { readonly kind: "begin"; readonly path: string }
  | { readonly kind: "end"; readonly path: string; readonly binaryAt: number | undefined }
  | {
      readonly kind: "match" | "context";
      readonly path: string;
      readonly line: number;
      readonly text: string;
      readonly ranges: readonly Span[];
    };

/** One line of ripgrep's JSON output; undefined for a line that is not about a file. */
export function rgEvent(line: string): RgEvent | undefined {
  const message: unknown = JSON.parse(line);
  if (!isObject(message) || !isObject(message["data"])) return undefined;
  const { type, data } = { type: message["type"], data: message["data"] };
  const path = textOf(data["path"])?.text.replace(/^\.\//u, "");
  if (path === undefined) return undefined;
  if (type === "begin") return { kind: "begin", path };
  if (type === "end") {
    const binaryAt = data["binary_offset"];
    return { kind: "end", path, binaryAt: typeof binaryAt === "number" ? binaryAt : undefined };
  }
  const lines = textOf(data["lines"]);
  const number = data["line_number"];
  if (lines === undefined || typeof number !== "number") return undefined;
  if (type !== "match" && type !== "context") return undefined;
  const text = lines.text.replace(/\r?\n$/u, "");
  const ranges = spans(data["submatches"], lines, text.length);
  return { kind: type, path, line: number, text, ranges };
}

interface RgText {
  readonly text: string;
  /** Bytes that its offsets refer to; undefined if byte offsets equal character offsets in `text`. */
  readonly bytes: Buffer | undefined;
}

/** Text that is not UTF-8 is encoded in base64. */
function textOf(value: unknown): RgText | undefined {
  if (!isObject(value)) return undefined;
  const { text, bytes } = { text: value["text"], bytes: value["bytes"] };
  if (typeof text === "string") {
    const isAscii = Buffer.byteLength(text) === text.length;
    return { text, bytes: isAscii ? undefined : Buffer.from(text) };
  }
  if (typeof bytes !== "string") return undefined;
  const decoded = Buffer.from(bytes, "base64");
  return { text: decoded.toString(), bytes: decoded };
}

function spans(submatches: unknown, lines: RgText, end: number): readonly Span[] {
  if (!Array.isArray(submatches)) return [];
  const offset = (at: number): number =>
    Math.min(end, lines.bytes === undefined ? at : lines.bytes.toString("utf8", 0, at).length);
  return submatches.flatMap((submatch: unknown) => {
    if (!isObject(submatch)) return [];
    const { start, end: stop } = { start: submatch["start"], end: submatch["end"] };
    if (typeof start !== "number" || typeof stop !== "number") return [];
    return [{ start: offset(start), end: offset(stop) }];
  });
}
