import { ToolError } from "../../core/index.ts";
import { checkText, notUtf8, decodeExactly, encode } from "./text-format.ts";

/** How the characters of a text file are kept. A UTF-16 file is one with a byte order mark. */
export type TextEncoding = "UTF-8" | "UTF-16LE" | "UTF-16BE";

/** An encoding of another kind: where it is not needed, neither is it loaded. */
export interface OtherEncoding {
  readonly name: string;
  /** The bytes of a text; INVALID_INPUT names a character that it cannot hold. */
  encode(text: string): Uint8Array;
}

export interface EncodedText {
  /** With its byte order mark, so that encoding it gives the same bytes. */
  readonly text: string;
  readonly encoding: TextEncoding | OtherEncoding;
}

export interface PlainText extends EncodedText {
  readonly encoding: TextEncoding;
}

/** Why bytes are no text that can be changed without loss. */
export interface NoText {
  readonly because: string;
}

/** The text of a file where encoding it again is proved to give the same bytes, else why not. */
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

/** A text in an encoding. What no encoding can hold, half of a surrogate pair, is refused instead of replaced. */
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
  // The same two bytes and two zeros are a mark of UTF-32.
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
