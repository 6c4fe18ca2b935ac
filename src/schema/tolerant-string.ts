/** A quoted string, character for character as it was written, once its escapes are resolved. */
export type ScannedString =
  | {
      readonly kind: "string";
      readonly value: string;
      /** Offset just behind the closing quote, or behind the text where it ends first. */
      readonly end: number;
      readonly isCut: boolean;
      readonly hasRawControl: boolean;
      /** Holds a backslash before a character that JSON does not escape; it was kept. */
      readonly hasOddEscape: boolean;
    }
  /** An escape that could be read in two ways. */
  | { readonly kind: "unreadable"; readonly at: number };

/** Reads the string that starts with the quote at `start`. */
export function scanString(text: string, start: number, quote: '"' | "'"): ScannedString {
  let value = "";
  let from = start + 1;
  let hasRawControl = false;
  let hasLetterEscape = false;
  let oddEscape: number | undefined;
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === quote) {
      // An escape unknown to JSON is a plain backslash, unless a neighbour shows that escapes were meant.
      if (oddEscape !== undefined && hasLetterEscape) return { kind: "unreadable", at: oddEscape };
      value += text.slice(from, at);
      const hasOddEscape = oddEscape !== undefined;
      return { kind: "string", value, end: at + 1, isCut: false, hasRawControl, hasOddEscape };
    }
    hasRawControl ||= character < " ";
    if (character !== "\\") continue;
    value += text.slice(from, at);
    from = at;
    const escape = readEscape(text, at, quote);
    if (escape === "cut") {
      from = text.length;
      break;
    }
    if (escape === "unreadable") return { kind: "unreadable", at };
    if (escape.isOdd) oddEscape ??= at;
    hasLetterEscape ||= escape.isLetter;
    value += escape.value;
    from = at + escape.length;
    at = from - 1;
  }
  value += text.slice(from);
  const hasOddEscape = oddEscape !== undefined;
  return { kind: "string", value, end: text.length, isCut: true, hasRawControl, hasOddEscape };
}

const escapes = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

interface Escape {
  readonly value: string;
  readonly length: number;
  readonly isOdd: boolean;
  /** Stands for a character by a letter: line breaks, tabs, code points. */
  readonly isLetter: boolean;
}

/** What a backslash and the characters behind it stand for. */
function readEscape(text: string, at: number, quote: string): Escape | "cut" | "unreadable" {
  const letter = text[at + 1];
  if (letter === undefined) return "cut";
  const known = letter === "'" && quote === "'" ? "'" : escapes.get(letter);
  if (known !== undefined) {
    return { value: known, length: 2, isOdd: false, isLetter: /[a-z]/u.test(letter) };
  }
  if (letter === "u") {
    const rest = text.slice(at + 2, at + 6);
    if (/^[\da-f]{4}$/iu.test(rest)) return byCode(rest);
    if (/^[\da-f]{0,3}$/iu.test(rest) && at + 2 + rest.length === text.length) return "cut";
  }
  // A byte is written the same in Python and in JavaScript; in JSON it is not known.
  const byte = letter === "x" && quote === "'" ? text.slice(at + 2, at + 4) : "";
  if (/^[\da-f]{2}$/iu.test(byte)) return byCode(byte);
  // Other languages read these as escapes, so there are two readings.
  if (letter < " " || /[\dxaveNU']/u.test(letter)) return "unreadable";
  return { value: `\\${letter}`, length: 2, isOdd: true, isLetter: false };
}

function byCode(hex: string): Escape {
  const value = String.fromCharCode(Number.parseInt(hex, 16));
  return { value, length: 2 + hex.length, isOdd: false, isLetter: true };
}
