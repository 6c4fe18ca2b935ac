import { isUtf8 } from "node:buffer";
import { newDecoder } from "../../files/encodings/decoder.ts";
import { detectLegacy } from "../../files/encodings/detect.ts";

/** A longer line is decoded in parts. */
const maxHeldBytes = 4096;
/** Lines that are not UTF-8, looked at together to find their encoding. */
const sampleBytes = 32_768;
/** Fewer bytes above 127 could be in any encoding. */
const leastHighBytes = 12;
/** More bytes in a row that are not UTF-8 are not worth showing. */
const maxShownBytes = 8;
const newline = 10;

/**
 * The bytes of one stream as text. Lines that are UTF-8 are read as such; others in an older encoding where it is
 * certain which one, and else with each byte that is not UTF-8 shown as `<E9>`.
 */
export class OutputDecoder {
  /** Of lines that are not UTF-8, where it is certain. */
  #encoding: string | undefined;
  /** Whether bytes or lines were shown by a notice. */
  #hasUnknown = false;
  #sample: Uint8Array = new Uint8Array();
  /** A beginning of a character, or of a line that is not UTF-8. */
  #held: Uint8Array = new Uint8Array();

  /** Whether the next bytes continue what is held. */
  get isWithin(): boolean {
    return this.#held.length > 0;
  }

  /** Sentences on what was not UTF-8. */
  get notes(): readonly string[] {
    const notes: string[] = [];
    if (this.#encoding !== undefined) notes.push(`Decoded from ${this.#encoding}.`);
    if (this.#hasUnknown) notes.push("Bytes that are not UTF-8 are shown as in <E9>.");
    return notes;
  }

  /** Without bytes: the end. */
  decode(bytes?: Uint8Array): string {
    const isEnd = bytes === undefined;
    const whole = this.#withHeld(bytes ?? new Uint8Array());
    const cut = isEnd ? whole.length : wholeCharacters(whole);
    const complete = whole.subarray(0, cut);
    if (isUtf8(complete)) {
      this.#held = whole.slice(cut);
      return textOf(complete);
    }
    let text = "";
    for (let at = 0; at < whole.length;) {
      const end = whole.indexOf(newline, at);
      const line = whole.subarray(at, end === -1 ? whole.length : end + 1);
      at += line.length;
      const isOpen = end === -1 && !isEnd && line.length < maxHeldBytes;
      if (isUtf8(line)) text += textOf(line);
      else if (isOpen) this.#held = line.slice();
      else text += this.#foreign(line);
    }
    return text;
  }

  #withHeld(bytes: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return bytes;
    const whole = Buffer.concat([this.#held, bytes]);
    this.#held = new Uint8Array();
    return whole;
  }

  #foreign(line: Uint8Array): string {
    if (this.#sample.length < sampleBytes) this.#sample = Buffer.concat([this.#sample, line]);
    const isEnough = highBytes(this.#sample) >= leastHighBytes;
    const form = isEnough ? detectLegacy(this.#sample) : undefined;
    if (form?.trust === "any" || form?.trust === "known") {
      this.#encoding = form.encoding;
      return newDecoder(form.encoding).decode(line);
    }
    this.#hasUnknown = true;
    return escaped(line);
  }
}

function highBytes(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte > 127) count += 1;
  return count;
}

/** Where the last character that may go on begins; the length where there is none. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

function escaped(line: Uint8Array): string {
  let text = "";
  for (let at = 0; at < line.length;) {
    const from = at;
    while (at < line.length && characterSize(line, at) === 0) at += 1;
    text += unknownBytes(line.subarray(from, at));
    if (at === line.length) break;
    const size = characterSize(line, at);
    text += textOf(line.subarray(at, at + size));
    at += size;
  }
  return text;
}

function unknownBytes(bytes: Uint8Array): string {
  if (bytes.length > maxShownBytes) return `[${bytes.length} bytes that are not UTF-8: not shown]`;
  return Array.from(bytes, (byte) => `<${byte.toString(16).toUpperCase().padStart(2, "0")}>`).join(
    "",
  );
}

/** Bytes of the character that begins here; 0 where it is not one. */
function characterSize(bytes: Uint8Array, at: number): number {
  const byte = bytes[at] ?? 0;
  const size = byte < 0x80 ? 1 : byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
  return at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)) ? size : 0;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
