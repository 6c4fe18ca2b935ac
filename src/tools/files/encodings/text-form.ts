import { isUtf8 } from "node:buffer";
import { ToolError } from "../../../core/index.ts";
import { detectLegacy, markedForm, type TextForm } from "./detect.ts";
import { checkText, notUtf8, sniffedBytes } from "./text-format.ts";
import { howToOpen } from "./known-formats.ts";

export interface FormRequest {
  readonly shown: string;
  /** Encoding given by the call; undefined if it gives none. */
  readonly encoding: string | undefined;
  /** Size of the whole file in bytes. */
  readonly size: number;
}

/** Format of a text, determined from its first or all bytes. Throws BINARY_FILE if they are not text. */
export function formOf(bytes: Uint8Array, { shown, encoding, size }: FormRequest): TextForm {
  if (encoding === undefined && isPlain(bytes)) return utf8;
  const marked = markedForm(bytes);
  if (encoding !== undefined) return namedForm(encoding, marked);
  if (marked !== undefined) return marked;
  const isWhole = bytes.length >= size;
  const check = checkText(bytes, isWhole);
  if (check.kind === "text") return utf8OrLater(bytes);
  const isOther = check.because === notUtf8 && !bytes.subarray(0, sniffedBytes).includes(0);
  const form = isOther ? detectLegacy(bytes) : undefined;
  if (form !== undefined) return form;
  const { because, says, hint } = howToOpen(bytes, check.because);
  throw new ToolError("BINARY_FILE", `${shown} ${says}`, {
    hint,
    data: { size, because },
  });
}

const utf8: TextForm = { encoding: "utf-8", markBytes: 0, isSure: true };

/** Fast check for most files: valid UTF-8, no NUL at the start, no first byte of a byte order mark or magic number. */
function isPlain(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  if (first === 0 || first > 127 || magicStarts.has(first)) return false;
  return isUtf8(bytes) && !bytes.subarray(0, sniffedBytes).includes(0);
}

/** First bytes of the binary formats in `checkText` that begin with an ASCII character. */
const magicStarts: ReadonlySet<number> = new Set(
  Array.from("GP%\x7F", (each) => each.charCodeAt(0)),
);

/** UTF-8 or a legacy encoding: a text whose beginning is plain ASCII may still be in another encoding. */
function utf8OrLater(bytes: Uint8Array): TextForm {
  if (isUtf8(bytes) || hasSequence(bytes)) return utf8;
  return detectLegacy(bytes) ?? utf8;
}

/** Whether a non-ASCII character is valid UTF-8: then invalid bytes are damage and not another encoding. */
function hasSequence(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes.subarray(0, scannedBytes));
  const whole = text.endsWith("\uFFFD") ? text.slice(0, -1) : text;
  return /[^\0-\u007F\uFFFD]/u.test(whole) || !whole.includes("\uFFFD");
}

const scannedBytes = 1_048_576;

function namedForm(name: string, marked: TextForm | undefined): TextForm {
  const encoding = canonicalName(name);
  if (encoding === undefined) {
    throw new ToolError("INVALID_INPUT", `${name} is not a known encoding.`, {
      hint: "Use a name such as utf-8, utf-16le, gb18030, big5, shift_jis, euc-jp, euc-kr, windows-1251 or windows-1252, or leave encoding out.",
    });
  }
  const markBytes = marked?.encoding === encoding ? marked.markBytes : 0;
  return { encoding, markBytes, isSure: true };
}

function canonicalName(name: string): string | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === "utf-32le" || lower === "utf-32be") return lower;
  try {
    return new TextDecoder(lower).encoding;
  } catch {
    return undefined;
  }
}
