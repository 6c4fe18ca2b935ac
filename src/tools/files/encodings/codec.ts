import { newDecoder } from "./decoder.ts";
import { encodingTable } from "./encoding-table.ts";
import type { TextForm } from "./detect.ts";

export interface DecodedText {
  /** Text without its byte order mark. */
  readonly text: string;
  /** Whether some bytes are invalid in this encoding and are decoded as U+FFFD. */
  readonly lossy: boolean;
}

/** Decodes all bytes of a file. */
export function decodeText(bytes: Uint8Array, { encoding, markBytes }: TextForm): DecodedText {
  const body = bytes.subarray(markBytes);
  if (encoding === "utf-32le" || encoding === "utf-32be") {
    const decoder = new Utf32Decoder(encoding);
    const text = decoder.decode(body) + decoder.finish();
    return { text, lossy: decoder.lossy };
  }
  try {
    const exact = newDecoder(encoding, { fatal: true, ignoreBOM: true });
    return { text: exact.decode(body), lossy: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const lenient = newDecoder(encoding, { ignoreBOM: true });
    return { text: lenient.decode(body), lossy: true };
  }
}

/** Encodes a text, including its byte order mark; undefined if the encoding lacks one of its characters. */
export function encodeText(text: string, form: TextForm): Uint8Array | undefined {
  const { encoding, markBytes } = form;
  const body = encodeBody(text, encoding);
  if (body === undefined || markBytes === 0) return body;
  return Buffer.concat([encodeBody("\uFEFF", encoding) ?? new Uint8Array(0), body]);
}

/** Decoded text, if encoding it again yields the same bytes, so that an edit changes nothing else; or undefined. */
export function keptText(bytes: Uint8Array, form: TextForm): string | undefined {
  const { text, lossy } = decodeText(bytes, form);
  if (lossy) return undefined;
  const again = encodeText(text, form);
  return again !== undefined && Buffer.compare(again, bytes) === 0 ? text : undefined;
}

/** Converts a stream to UTF-8, chunk by chunk. */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const isUtf32 = encoding === "utf-32le" || encoding === "utf-32be";
  const utf32 = isUtf32 ? new Utf32Decoder(encoding) : undefined;
  const decoder = isUtf32 ? undefined : newDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of chunks) {
    const text = utf32?.decode(chunk) ?? decoder?.decode(chunk, { stream: true }) ?? "";
    if (text !== "") yield Buffer.from(text);
  }
  const rest = utf32?.finish() ?? decoder?.decode() ?? "";
  if (rest !== "") yield Buffer.from(rest);
}

function encodeBody(text: string, encoding: string): Uint8Array | undefined {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    case "utf-32le":
    case "utf-32be":
      return encodeUtf32(text, encoding === "utf-32le");
    default:
      return encodingTable(encoding).encode(text);
  }
}

function encodeUtf32(text: string, isLittle: boolean): Uint8Array {
  const points = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, point] of points.entries()) {
    if (isLittle) bytes.writeUInt32LE(point, index * 4);
    else bytes.writeUInt32BE(point, index * 4);
  }
  return bytes;
}

/** Decoder for UTF-32, which TextDecoder does not support. */
class Utf32Decoder {
  lossy = false;
  readonly #isLittle: boolean;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(encoding: "utf-32le" | "utf-32be") {
    this.#isLittle = encoding === "utf-32le";
  }

  decode(chunk: Uint8Array): string {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = bytes.length - (bytes.length % 4);
    const parts: string[] = [];
    for (let at = 0; at < end; at += 4) {
      const point = this.#isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      const isCharacter = point <= 0x10_ffff && !(point >= 0xd800 && point < 0xe000);
      if (!isCharacter) this.lossy = true;
      parts.push(isCharacter ? String.fromCodePoint(point) : "\uFFFD");
    }
    this.#rest = Uint8Array.from(bytes.subarray(end));
    return parts.join("");
  }

  finish(): string {
    if (this.#rest.length === 0) return "";
    this.lossy = true;
    return "\uFFFD";
  }
}
