/** A text in which each part that a shell computes is one character sequence without meaning. */
export interface MaskedText {
  readonly text: string;
  /** The parts, in their order. */
  readonly parts: readonly string[];
  /** Parts that a piece of the masked text holds. */
  readonly partsIn: (piece: string) => readonly string[];
  /** A piece of the masked text as it was written. */
  readonly restore: (piece: string) => string;
}

/**
 * Masks variables and substitutions, so that a text can be split into words. What is in single quotes stays, unless
 * `isQuoted` says that quotes are only text.
 */
export function maskParts(
  whole: string,
  {
    isQuoted = false,
    comments = "words",
  }: {
    readonly isQuoted?: boolean;
    /** `removed`: the text of a comment is left out, instead of judged like other words. */
    readonly comments?: "words" | "removed";
  } = {},
): MaskedText {
  const parts: string[] = [];
  let text = whole;
  let masked = "";
  let isDouble = false;
  let escapedEnd = -1;
  for (let at = 0; at < text.length;) {
    const char = text.charAt(at);
    const end = partEnd(text, { at, isQuoted: isDouble || isQuoted });
    if (char === "\\" && !isQuoted) {
      masked += text.slice(at, at + 2);
      at += 2;
      escapedEnd = at;
    } else if (char === "'" && !isDouble && !isQuoted) {
      const close = text.indexOf("'", at + 1);
      const after = close < 0 ? at + 1 : close + 1;
      masked += text.slice(at, after);
      at = after;
    } else if (
      char === "#" &&
      !isDouble &&
      !isQuoted &&
      /^$|\s|[;&|(]/u.test(text.charAt(at - 1))
    ) {
      // A quote in a comment opens nothing, and its words are judged like others.
      const comment = /^[^\n]*/u.exec(text.slice(at))?.[0] ?? "";
      if (comments === "removed") {
        const isComment = at !== escapedEnd && text.charAt(at - 1) !== "(";
        masked += isComment ? "" : "#";
        at += isComment ? comment.length : 1;
        continue;
      }
      text = `${text.slice(0, at)} ${comment.slice(1).replaceAll(/["'`\\]/gu, " ")}${text.slice(at + comment.length)}`;
    } else if (end > at) {
      masked += `\uE000${parts.length}\uE001`;
      parts.push(text.slice(at, end));
      at = end;
    } else {
      if (char === '"') isDouble = !isDouble;
      masked += char;
      at += 1;
    }
  }
  const mask = /\uE000(\d+)\uE001/gu;
  return {
    text: masked,
    parts,
    partsIn: (piece) => [...piece.matchAll(mask)].map(([, index]) => parts[Number(index)] ?? ""),
    restore: (piece) => piece.replaceAll(mask, (_mask, index) => parts[Number(index)] ?? ""),
  };
}

/** Depth to which substitutions in quotes are followed. */
const maxNested = 50;

/** End of the part that starts at a position; the position itself if none does. */
function partEnd(
  text: string,
  { at, isQuoted }: { readonly at: number; readonly isQuoted: boolean },
): number {
  const char = text.charAt(at);
  if (char === "`") {
    const close = text.indexOf("`", at + 1);
    return close < 0 ? text.length : close + 1;
  }
  if (char !== "$") return at;
  const next = text.charAt(at + 1);
  if (next === "(") return closingEnd(text, { open: at + 1, close: ")" });
  if (next === "'" && !isQuoted) return quoteEnd(text, at + 1);
  if (next === "{") return closingEnd(text, { open: at + 1, close: "}" });
  const name = /^(?:\w+|[@*])/u.exec(text.slice(at + 1, at + 200))?.[0] ?? "";
  return name === "" ? at : at + 1 + name.length;
}

/** End of a bracket that opens at a position, with what is nested in it; the end of the text if it does not close. */
function closingEnd(
  text: string,
  {
    open,
    close,
    nested = 0,
  }: { readonly open: number; readonly close: string; readonly nested?: number },
): number {
  if (nested > maxNested) return text.length;
  const opening = text.charAt(open);
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === "'") {
      const end = text.indexOf("'", at + 1);
      at = end < 0 ? text.length : end;
    } else if (char === '"') at = quoteEnd(text, at, nested) - 1;
    else if (char === opening) depth += 1;
    else if (char === close) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** End of a quote in which a backslash escapes, with the substitutions in it. */
function quoteEnd(text: string, open: number, nested = 0): number {
  const quote = text.charAt(open);
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") at += 1;
    else if (char === quote) return at + 1;
    else if (quote === '"' && char === "$" && text.charAt(at + 1) === "(") {
      at = closingEnd(text, { open: at + 1, close: ")", nested: nested + 1 }) - 1;
    }
  }
  return text.length;
}
