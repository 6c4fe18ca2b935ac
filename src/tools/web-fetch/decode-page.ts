import { isUtf8 } from "node:buffer";
import { ToolError } from "../../core/index.ts";
import { decodeText } from "../files/encodings/codec.ts";
import { markedForm } from "../files/encodings/detect.ts";
import { formOf } from "../files/encodings/text-form.ts";

/**
 * Decodes a page; undefined for bytes that are not text. A byte order mark decides, then UTF-8 if the bytes are valid in
 * it, then the encoding that the server or page declares, then the bytes themselves.
 */
export function decodePage(bytes: Uint8Array, declared: string | undefined): string | undefined {
  const marked = markedForm(bytes);
  if (marked !== undefined) return decodeText(bytes, marked).text;
  const isPlain = isUtf8(bytes) && !bytes.subarray(0, 8192).includes(0);
  if (isPlain) return decodeText(bytes, { encoding: "utf-8", markBytes: 0, isSure: true }).text;
  const size = bytes.length;
  for (const encoding of declared === undefined || declared === "utf-8"
    ? [undefined]
    : [declared, undefined]) {
    try {
      const form = formOf(bytes, { shown: "the page", encoding, size });
      return decodeText(bytes, form).text;
    } catch (error) {
      // An unknown name is ignored. Bytes that are not text fail in any encoding.
      if (!ToolError.is(error)) throw error;
    }
  }
  // A page that is said to be UTF-8 and is not binary has damaged characters.
  const isText = declared === "utf-8" && !bytes.subarray(0, 8192).includes(0);
  return isText
    ? decodeText(bytes, { encoding: "utf-8", markBytes: 0, isSure: true }).text
    : undefined;
}
