/** A mention of a file to import, as in `@docs/style.md`. */
export interface ImportMention {
  readonly path: string;
  /** Line, from 1. */
  readonly line: number;
}

/** Maximum number of imports of one file. */
const maxImports = 50;

/** Finds the imports of a Markdown text. A mention inside code is not one. */
export function findImports(text: string): readonly ImportMention[] {
  const found: ImportMention[] = [];
  let fence: string | undefined;
  text.split("\n").forEach((line, index) => {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/u.exec(line) ?? [];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence)) fence = undefined;
      return;
    }
    if (fence !== undefined || found.length >= maxImports) return;
    const plain = line.replaceAll(/`[^`]*`/gu, (code) => " ".repeat(code.length));
    for (const [, path = ""] of plain.matchAll(/(?:^|\s)@((?:[^\s\\]|\\ )+)/gu)) {
      const named = withoutPunctuation(path.replaceAll("\\ ", " "));
      if (named !== "") found.push({ path: named, line: index + 1 });
    }
  });
  return found.slice(0, maxImports);
}

/** Without the punctuation that ends a sentence; a pattern for it would take quadratic time. */
function withoutPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && ".,;:!?)]".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Whether a mention can only be meant as a file, so that a missing file is worth a problem. */
export function looksLikeFile(path: string): boolean {
  return /^(?:\.{0,2}|~)\//u.test(path) || /\.(?:md|mdx|txt)$/u.test(path);
}
