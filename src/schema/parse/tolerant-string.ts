/** A quoted string, character for character as written, with its escapes resolved. */
export type ScannedString =
  | {
      readonly kind: "string";
      readonly value: string;
      /** Offset just after the closing quote, or the end of the text if the quote is missing. */
      readonly end: number;
      readonly isCut: boolean;
      readonly hasRawControl: boolean;
      /** Contains a backslash, which was preserved, before a character that JSON does not escape. */
      readonly hasOddEscape: boolean;
    }
  /** An escape with two interpretations. */
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
      // An escape unknown to JSON is a literal backslash, unless another escape nearby shows that escapes were meant.
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
  /** Represents a character by a letter: line breaks, tabs, code points. */
  readonly isLetter: boolean;
}

/** Resolves a backslash and the characters after it. */
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
  // A byte escape means the same in Python and in JavaScript; JSON does not have it.
  const byte = letter === "x" && quote === "'" ? text.slice(at + 2, at + 4) : "";
  if (/^[\da-f]{2}$/iu.test(byte)) return byCode(byte);
  // Other languages treat these as escapes, so there are two interpretations.
  if (letter < " " || /[\dxaveNU']/u.test(letter)) return "unreadable";
  return { value: `\\${letter}`, length: 2, isOdd: true, isLetter: false };
}

function byCode(hex: string): Escape {
  const value = String.fromCharCode(Number.parseInt(hex, 16));
  return { value, length: 2 + hex.length, isOdd: false, isLetter: true };
}
