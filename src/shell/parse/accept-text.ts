import type { Span } from "../../core/index.ts";
import { maxDepth } from "./bash-reading.ts";
import { quotedSpans } from "./bash-parser.ts";

/** Maximum characters of a text that is parsed; a longer one needs approval. */
export const maxLength = 65_536;

// Control characters, unusual spaces, and marks that change the direction or joining of the displayed text.
const odd =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00A0\u1680\u2000-\u200F\u2028-\u202F\u205F-\u2069\u3000\uFEFF]/u;

/** Reason not to parse a text: too long, too deeply nested, or with characters that hide what it does. */
export function gate(text: string): { readonly because: string; readonly span: Span } | undefined {
  if (text.length > maxLength) {
    return {
      because: `the command is longer than ${maxLength} characters`,
      span: { start: 0, end: text.length },
    };
  }
  const deep = tooDeep(text);
  if (deep !== undefined) {
    return {
      because: `commands are nested more than ${maxDepth} deep`,
      span: { start: deep, end: deep + 1 },
    };
  }
  const crowd = tooMany(text);
  if (crowd !== undefined)
    return { because: "there are too many commands inside commands", span: crowd };
  return oddCharacter(text);
}

/** Maximum number of nested-text openings such as `$(` and `<<`; each costs the parser more than the previous one. */
const maxOpenings = 512;

/** Maximum number of assignments: no user writes more, and the parser handles each as a separate word. */
const maxAssignments = 4096;

function tooMany(text: string): Span | undefined {
  if (text.length < maxOpenings) return undefined;
  let assignments = 0;
  for (const match of text.matchAll(/(?<=^|\s)\w+=/gu)) {
    assignments++;
    if (assignments > maxAssignments) return { start: match.index, end: match.index + 1 };
  }
  let count = 0;
  for (const match of text.matchAll(/`|<<|\$[({]|\[\[|\(\(|[<>]\(/gu)) {
    count++;
    if (count > maxOpenings) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function oddCharacter(text: string): { readonly because: string; readonly span: Span } | undefined {
  if (!odd.test(text)) return undefined;
  const isQuoted = new Uint8Array(text.length);
  for (const { start, end } of quotedSpans(text)) isQuoted.fill(1, start, end);
  const everywhere = new RegExp(odd.source, "gu");
  for (const match of text.matchAll(everywhere)) {
    const at = match.index;
    if (match[0] !== "\0" && isQuoted[at] === 1) continue;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return {
      because: `there is a character that cannot be seen (U+${code})`,
      span: { start: at, end: at + 1 },
    };
  }
  return undefined;
}

/** Offset at which unclosed brackets exceed the limit; the parser would need seconds for them. */
function tooDeep(text: string): number | undefined {
  let depth = 0;
  let lowest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 123) {
      depth++;
      if (depth - lowest > maxDepth * 2) return at;
    } else if (code === 41 || code === 125) {
      depth--;
      if (depth < lowest) lowest = depth;
    }
  }
  return undefined;
}
