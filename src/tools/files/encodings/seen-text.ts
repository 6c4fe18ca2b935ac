import { ToolError, type SeenEncoding } from "../../../core/index.ts";
import type { EncodedText, NoText } from "./text-encoding.ts";
import { decodeText, encodeText, keptText } from "./codec.ts";
import type { TextForm } from "./detect.ts";

/** Text of a file in its shown encoding, if encoding it again yields the same bytes; otherwise the reason why not. */
export function seenText(
  bytes: Uint8Array,
  seen: SeenEncoding,
  shown: string,
): EncodedText | NoText {
  const { name } = seen;
  // A byte order mark is part of the text, as it is of the bytes.
  const form: TextForm = { encoding: name, markBytes: 0, isSure: true };
  const text = keptText(bytes, form);
  if (text === undefined) return { because: `bytes that would not come out the same in ${name}` };
  let known: ReadonlySet<string> | undefined;
  const encode = (part: string): Uint8Array => {
    const written = encodeText(part, form);
    if (written === undefined || decodeText(written, form).text !== part) {
      const char = Array.from(part).find((each) => !isIn(each, form)) ?? part;
      throw lacking({ char, name, shown });
    }
    if (seen.isConcluded === true) {
      known ??= new Set(text);
      for (const char of part) {
        if (char > "\u007F" && !known.has(char)) throw unproved({ char, name, shown });
      }
    }
    return written;
  };
  return { text, encoding: { name, encode } };
}

function isIn(char: string, form: TextForm): boolean {
  const bytes = encodeText(char, form);
  return bytes !== undefined && decodeText(bytes, form).text === char;
}

interface Refused {
  readonly char: string;
  readonly name: string;
  readonly shown: string;
}

function lacking({ char, name, shown }: Refused): ToolError {
  return new ToolError("INVALID_INPUT", `${shown} is in ${name}, which has no ${spelled(char)}.`, {
    hint: "Use characters that it has, or convert the file to UTF-8 first, for example with iconv, and Read it again.",
    data: { encoding: name, character: char },
  });
}

function unproved({ char, name, shown }: Refused): ToolError {
  const message = `${shown} has no ${spelled(char)} so far, and that it is in ${name} was only concluded from its bytes.`;
  return new ToolError("INVALID_INPUT", message, {
    hint: `Read it with encoding "${name}", or with the encoding it is in, and then change it.`,
    data: { encoding: name, character: char },
  });
}

function spelled(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${JSON.stringify(char)} (U+${code})`;
}
