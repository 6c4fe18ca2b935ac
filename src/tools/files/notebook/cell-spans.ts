/** Range of a value in a text; the end is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Ranges of a notebook's cells in its text. */
export interface NotebookSpans {
  /** Array of cells, including brackets. */
  readonly array: TextSpan;
  readonly cells: readonly TextSpan[];
}

/**
 * Finds the cells of a notebook without building its values: images in outputs are skipped as text. Undefined if the
 * text is not an object with an array of cells. Does not verify that the skipped text is valid JSON.
 */
export function notebookSpans(text: string): NotebookSpans | undefined {
  let at = afterSpace(text, text.startsWith("\uFEFF") ? 1 : 0);
  if (text[at] !== "{") return undefined;
  at = afterSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = afterString(text, at);
    const key = text.slice(at, keyEnd);
    at = afterSpace(text, keyEnd);
    if (text[at] !== ":") return undefined;
    at = afterSpace(text, at + 1);
    if (key === '"cells"') return text[at] === "[" ? cellsOf(text, at) : undefined;
    const valueEnd = afterValue(text, at);
    if (valueEnd <= at) return undefined;
    at = afterSpace(text, valueEnd);
    if (text[at] !== ",") return undefined;
    at = afterSpace(text, at + 1);
  }
  return undefined;
}

function cellsOf(text: string, start: number): NotebookSpans | undefined {
  const cells: TextSpan[] = [];
  let at = afterSpace(text, start + 1);
  while (text[at] === "{") {
    const end = afterValue(text, at);
    cells.push({ start: at, end });
    at = afterSpace(text, end);
    if (text[at] !== ",") break;
    at = afterSpace(text, at + 1);
  }
  return text[at] === "]" ? { array: { start, end: at + 1 }, cells } : undefined;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/u.test(text.charAt(at))) at++;
  return at;
}

/** Offset after the closing quote of the string that begins here; the end of the text if the quote is missing. */
function afterString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

function afterValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return afterString(text, from);
  if (first !== "{" && first !== "[")
    return from + (/^[^\s,\]}]*/u.exec(text.slice(from, from + 64))?.[0].length ?? 0);
  let depth = 0;
  // By character: a regular expression takes a minute if a hostile file nests millions of brackets.
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) at = afterString(text, at) - 1;
    else if (char === openBrace || char === openBracket) depth++;
    else if (char === closeBrace || char === closeBracket) depth--;
    if (depth === 0) return at + 1;
    if (depth > maxDepth) break;
  }
  return text.length;
}

/** Maximum nesting; no notebook nests deeper. */
const maxDepth = 2000;
const quote = 34;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;
