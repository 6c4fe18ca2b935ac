import { skipBlanks, type Forgiven } from "./tolerant-json.ts";

/** Start of the arguments in text that may have packaging around them. */
export type Opening =
  | { readonly kind: "value"; readonly at: number; readonly withoutOpener: boolean }
  /** Every quote is escaped, as if the text had been cut out of a string. */
  | { readonly kind: "escaped"; readonly at: number }
  | { readonly kind: "nothing"; readonly at: number; readonly expected: string };

/** Skips reasoning, call tags, a code fence and plain prose before the arguments. */
export function readOpening(text: string, forgiven: Forgiven): Opening {
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    const character = text[at];
    if (character === undefined) return { kind: "nothing", at: 0, expected: "a JSON object" };
    if (character === "{" || character === "[") {
      return matchAt(escapedStart, text, at) === undefined
        ? { kind: "value", at, withoutOpener: false }
        : { kind: "escaped", at };
    }
    if (matchAt(openString, text, at) !== undefined) {
      return { kind: "value", at, withoutOpener: false };
    }
    if (matchAt(quotedKey, text, at) !== undefined) {
      forgiven.set("missing-opener", "The opening brace was missing and was added.");
      return { kind: "value", at, withoutOpener: true };
    }
    const packaging = matchAt(reasoning, text, at) ?? matchAt(openingTag, text, at);
    if (packaging !== undefined) {
      forgiven.set("surrounding-tags", "Tags around the arguments were left out.");
      at += packaging.length;
      continue;
    }
    const fence = matchAt(fenceStart, text, at);
    if (fence !== undefined) {
      forgiven.set("code-fence", "The code fence around the arguments was left out.");
      at += fence.length;
      continue;
    }
    const prose = matchAt(plainText, text, at) ?? "";
    if (prose === "" || prose.trimEnd().endsWith(",")) {
      return { kind: "nothing", at, expected: "a JSON object" };
    }
    forgiven.set("surrounding-text", "Text around the arguments was left out.");
    at += prose.length;
  }
}

/** Text that follows the arguments: the end, another value, or something else. */
export type Rest = { readonly kind: "end" | "value" | "stop"; readonly at: number };

/** Skips surplus closing brackets, a closing fence, closing tags and plain prose after the arguments. */
export function skipClosing(text: string, from: number, forgiven: Forgiven): Rest {
  let at = from;
  for (;;) {
    const start = skipBlanks(text, at);
    const character = text[start];
    if (character === undefined) return { kind: "end", at: start };
    if (character === "{" || character === "[") return { kind: "value", at: start };
    if (character === ",") {
      const next = skipBlanks(text, start + 1);
      if (text[next] === "{") return { kind: "value", at: next };
      if (next < text.length) return { kind: "stop", at: next };
      forgiven.set("trailing-comma", "A trailing comma was left out.");
      return { kind: "end", at: next };
    }
    const closers = matchAt(surplusClosers, text, start);
    if (closers !== undefined) {
      forgiven.set("extra-closer", "Surplus closing brackets at the end were left out.");
      at = start + closers.length;
      continue;
    }
    const packaging = matchAt(fenceEnd, text, start) ?? matchAt(anyTag, text, start);
    if (packaging !== undefined) {
      at = start + packaging.length;
      continue;
    }
    // On the same line, the text may belong to a string with an unescaped quote.
    const isNewLine = text.slice(from, start).includes("\n");
    const prose = matchAt(isNewLine && character !== ":" ? plainText : callEnd, text, start);
    if (prose === undefined) return { kind: "stop", at: start };
    forgiven.set("surrounding-text", "Text around the arguments was left out.");
    at = start + prose.length;
  }
}

const reasoning = /<(think|thinking|thought|reasoning|reflection)>[^]*?<\/\1>/iuy;
const openingTag = /<(?:tool_call|tool_use|function_call|arguments|parameters|input)>/iuy;
const anyTag = /<\/?\|?[\w-]+\|?>/uy;
const fenceStart = /(?:```|~~~)[\w+-]*/uy;
const fenceEnd = /```|~~~/uy;
const surplusClosers = /[}\]][}\]\s]*/uy;
// Prose must not contain a character that could belong to arguments, or it might be a part of them.
const plainText = /[^{}[\]"`<]+/uy;
const callEnd = /[).;]+/uy;
const quotedKey = /"(?:[^"\\\n]|\\.)*"\s*:|'(?:[^'\\\n]|\\.)*'\s*:/uy;
const openString = /"(?:[^"\\]|\\[^])*\\?$/uy;
const escapedStart = /\{\s*\\"/uy;

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
