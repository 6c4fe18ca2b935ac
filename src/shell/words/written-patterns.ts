import { fillIn, type DynamicWord, type Gap, type Standing } from "./words.ts";

/** Maximum number of patterns that the braces of a word make; with more of them, a part in braces is a star. */
const maxPatterns = 16;

/**
 * Patterns of the paths that a word may name below the directory that `namedPaths` returns for it. They match at least
 * these paths: a part that is not known is a star.
 */
export function writtenPatterns(word: DynamicWord, standing: Standing): readonly string[] {
  const [first = "", ...rest] = fillIn(word, standing);
  const start = typeof first === "string" ? first.slice(first.lastIndexOf("/") + 1) : undefined;
  const pieces = start === undefined ? [first, ...rest] : [start, ...rest];
  const choices = pieces.map(textsOf);
  const count = choices.reduce((product, { length }) => product * length, 1);
  const texts =
    count > maxPatterns ? choices.map((each) => (each.length > 1 ? ["*"] : each)) : choices;
  const all = texts.reduce<readonly (readonly (string | undefined)[])[]>(
    (starts, each) => starts.flatMap((before) => each.map((text) => [...before, text])),
    [[]],
  );
  return [...new Set(all.map(patternOf))];
}

function patternOf(texts: readonly (string | undefined)[]): string {
  if (texts.includes(undefined)) return "**";
  const names = texts.join("").split("/");
  return names
    .filter((name) => name !== "" && name !== ".")
    .map((name) => (/^\*\*+$/u.test(name) ? "**" : name.replaceAll(/[*?]+/gu, "*")))
    .join("/");
}

/** Braces around literal texts and stars. */
const plainBraces = /^\{[\p{L}\p{N}_.*@%+=:-]+(?:,[\p{L}\p{N}_.*@%+=:-]+)+\}$/u;

/** Texts of which a piece is one, with stars; undefined for a piece of any text. */
function textsOf(piece: string | Gap): readonly (string | undefined)[] {
  if (typeof piece === "string") return [piece];
  switch (piece.kind) {
    case "pattern":
    case "match":
      if (piece.text.includes("/")) return [undefined];
      if (plainBraces.test(piece.text)) return piece.text.slice(1, -1).split(",");
      return [/[[\](){}\\]/u.test(piece.text) ? "*" : piece.text];
    case "token":
    case "number":
      return ["*"];
    case "variable":
    case "among":
    case "output":
    case "found":
    case "stream":
    case "opaque":
      return [undefined];
  }
}
