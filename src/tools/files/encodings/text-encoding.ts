import { ToolError } from "../../../core/index.ts";
import { checkText, notUtf8, decodeExactly, encode } from "./text-format.ts";

/** Encoding of a text file. A UTF-16 file is one with a byte order mark. */
export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE";

/** Any other encoding; its module is loaded only if needed. */
export interface OtherEncoding {
  readonly name: string;
  /** Encodes a text; INVALID_INPUT names a character that the encoding cannot represent. */
  encode(text: string): Uint8Array;
}

export interface EncodedText {
  /** Includes the byte order mark, so that encoding the text yields the same bytes. */
  readonly text: string;
  readonly encoding: TextEncoding | OtherEncoding;
}

export interface PlainText extends EncodedText {
  readonly encoding: TextEncoding;
}

/** Reason why bytes are not text that can be changed without loss. */
export interface NoText {
  readonly because: string;
}

/**
 * Decodes a file if encoding the text again is proved to yield the same bytes; otherwise returns the reason why not.
 */
export function decodeText(bytes: Uint8Array): PlainText | NoText {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) {
    const text = decodeWide(bytes, wide);
    return text === undefined
      ? { because: `bytes that are not ${wide}, which its byte order mark says it is` }
      : { text, encoding: wide };
  }
  const check = checkText(bytes, true);
  if (check.kind === "binary") return check;
  const text = decodeExactly(bytes);
  return text === undefined ? { because: notUtf8 } : { text, encoding: "UTF-8" };
}

/** Encodes a text. Half of a surrogate pair, which no encoding can represent, is refused instead of replaced. */
export function encodeText({ text, encoding }: EncodedText): Uint8Array {
  if (!text.isWellFormed()) {
    throw new ToolError("INVALID_INPUT", "The text has half of a surrogate pair in it.", {
      hint: "Send the whole character; an emoji is written as it is, not as an escape of its half.",
    });
  }
  if (typeof encoding !== "string") return encoding.encode(text);
  if (encoding === "UTF-8") return encode(text);
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  const isLittle = encoding === "UTF-16LE";
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), isLittle);
  return bytes;
}

function wideEncoding(bytes: Uint8Array): "UTF-16LE" | "UTF-16BE" | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xfe && second === 0xff) return "UTF-16BE";
  // The same two bytes followed by two zeros are the byte order mark of UTF-32.
  const isLittle = first === 0xff && second === 0xfe && (third !== 0 || fourth !== 0);
  return isLittle ? "UTF-16LE" : undefined;
}

function decodeWide(bytes: Uint8Array, encoding: "UTF-16LE" | "UTF-16BE"): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
