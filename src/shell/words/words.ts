import { joinPath, parentPath } from "../../text/index.ts";
import type { Argument, Gap, DynamicWord } from "../parse/syntax.ts";
import { followed } from "../walk/current-directories.ts";

export type { Argument, Gap, DynamicWord } from "../parse/syntax.ts";

/** Known text at the start of a word. */
export function leadingText(word: Argument): string {
  if (typeof word === "string") return word;
  const first = word.pieces[0];
  return typeof first === "string" ? first : "";
}

/** Known text at the end of a word. */
export function trailingText(word: Argument): string {
  if (typeof word === "string") return word;
  const last = word.pieces.at(-1);
  return typeof last === "string" && !word.splits ? last : "";
}

/** Whether every expansion of this word is a number. */
export function isDigits(word: DynamicWord): boolean {
  return word.pieces.every((piece) =>
    typeof piece === "string" ? /^\d+$/u.test(piece) : piece.kind === "number",
  );
}

/** Whether this word may expand to one that begins with a dash. */
export function mayBeOption(word: Argument): boolean {
  if (typeof word === "string") return word.startsWith("-");
  if (word.splits) return true;
  const [first, second] = word.pieces;
  if (first === undefined) return false;
  if (typeof first === "string") return first.startsWith("-");
  switch (first.kind) {
    case "variable":
      return !(first.name === "HOME" || first.name === "PWD");
    case "pattern":
    case "match":
      return !/^\[[A-Za-z0-9]+\]/u.test(first.text);
    case "found":
      return first.bare === true || first.below.some(mayBeOption);
    case "among":
      return alternatives(word)?.some(mayBeOption) !== false;
    case "number":
    case "token":
      // The gap may be empty, and then the text after it begins the word.
      if (first.kind === "number" && first.signed) return true;
      return second !== undefined && !(typeof second === "string" && !second.startsWith("-"));
    case "output":
    case "opaque":
      return true;
    case "stream":
      return false;
  }
}

/** Maximum number of alternatives that are distinguished; more count as unknown. */
const maxAlternatives = 64;

/** All words that this one may become; undefined if there are too many. */
export function alternatives(word: Argument): readonly Argument[] | undefined {
  if (typeof word === "string") return [word];
  let all: (string | Gap)[][] = [[]];
  for (const piece of word.pieces) {
    const choices = choicesOf(piece, word);
    if (choices === undefined) return undefined;
    if (all.length * choices.length > maxAlternatives) return undefined;
    const [only] = choices;
    if (choices.length === 1 && only !== undefined) {
      for (const start of all) start.push(...piecesOf(only));
    } else {
      all = all.flatMap((start) => choices.map((choice) => [...start, ...piecesOf(choice)]));
    }
  }
  return all.map((pieces) => wordOf(pieces, word));
}

export function piecesOf(word: Argument): readonly (string | Gap)[] {
  return typeof word === "string" ? [word] : word.pieces;
}

function choicesOf(piece: string | Gap, word: DynamicWord): readonly Argument[] | undefined {
  if (typeof piece === "string" || piece.kind !== "among") {
    return [{ dynamic: word.dynamic, pieces: [piece], splits: false }];
  }
  const choices: Argument[] = [];
  for (const each of piece.words) {
    const own = alternatives(each);
    if (own === undefined) return undefined;
    choices.push(...own);
  }
  return choices;
}

/** Word made of these pieces: adjacent texts are joined, and text alone makes a plain word. */
export function wordOf(
  pieces: readonly (string | Gap)[],
  like: Pick<DynamicWord, "dynamic" | "splits">,
): Argument {
  const joined: (string | Gap)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (typeof piece === "string" && typeof last === "string")
      joined[joined.length - 1] = last + piece;
    else if (piece !== "") joined.push(piece);
  }
  const [only = ""] = joined;
  if (joined.length <= 1 && typeof only === "string" && !like.splits) return only;
  return { ...like, pieces: joined };
}

/** Whether the shell or a program may replace this word with several. */
export function maySeveral(word: Argument): boolean {
  if (typeof word === "string") return false;
  return (
    word.splits ||
    word.pieces.some(
      (piece) =>
        typeof piece !== "string" &&
        (piece.kind === "pattern" || (piece.kind === "found" && piece.several === true)),
    )
  );
}

/** Word that may expand to anything: several words, or none. */
export function anyWords(because: string): DynamicWord {
  return { dynamic: because, pieces: [{ kind: "opaque" }], splits: true };
}

/** Word without its first `count` known characters. */
export function dropLeading(word: Argument, count: number): Argument {
  if (typeof word === "string") return word.slice(count);
  const [first, ...others] = word.pieces;
  if (typeof first !== "string") return word;
  const rest = first.slice(count);
  return { ...word, pieces: rest === "" ? others : [rest, ...others] };
}

/** Text of a word for an explanation. */
export function showWord(word: Argument): string {
  if (typeof word === "string") return word;
  return word.pieces
    .map((piece) => {
      if (typeof piece === "string") return piece;
      if (piece.kind === "variable") return `$${piece.name}`;
      if (piece.kind === "pattern" || piece.kind === "match") return piece.text;
      if (piece.kind === "among") return piece.words.map((each) => showWord(each)).join("|");
      return "…";
    })
    .join("");
}

/** Position of a command: the directories in which it may run (undefined if unknown), and the user's home. */
export interface Standing {
  readonly folders: readonly string[] | undefined;
  readonly home: string;
  /** Canonical directory in which the whole text starts. */
  readonly start?: string | undefined;
}

/** Paths that a word may name: exact ones, or whole trees if only a directory is certain. */
export interface NamedPaths {
  readonly paths: readonly string[];
  readonly scope: "file" | "tree";
  /** Whether the list is complete; an unknown word may name any path. */
  readonly known: boolean;
}

/** Maximum number of directories from which a path is resolved; from more, it may be anywhere. */
const maxBases = 16;

const anywhere: NamedPaths = { paths: ["/"], scope: "tree", known: false };
const nowhere: NamedPaths = { paths: [], scope: "file", known: true };

/** Paths that `word` may name for a command at the position `standing`. */
export function namedPaths(word: Argument, standing: Standing): NamedPaths {
  if (typeof word === "string") return exactly(word, standing);
  if (word.pieces.some((piece) => typeof piece !== "string" && piece.kind === "among")) {
    return namedByAny(word, standing);
  }
  const known = fillIn(word, standing);
  if (known.length === 1 && typeof known[0] === "string" && !hidesSplit(word, standing)) {
    return exactly(known[0], standing);
  }
  const [first] = known;
  if (known.length === 0) return nowhere;
  if (first !== undefined && typeof first !== "string") {
    if (first.kind === "stream") return nowhere;
    if (first.kind === "found") {
      const isOpen = first.bare === true && known.length > 1 && leadsWithSlash(known[1]);
      return isOpen ? anywhere : foundPaths(first.below, known, standing);
    }
  }
  if (hidesSplit(word, standing)) return anywhere;
  const [, second] = known;
  if (typeof first === "string" && first.endsWith("/") && second !== undefined) {
    const below = typeof second === "string" || second.kind !== "found" ? undefined : second.below;
    if (
      below?.every((each) => typeof each === "string" && !/^\/|^\.\.(?:\/|$)/u.test(each)) === true
    ) {
      const placed = below.map((each) => first + (typeof each === "string" ? each : ""));
      return foundPaths(placed, known.slice(1), standing);
    }
  }
  // If the first gap is empty, the slash after it begins the path.
  if (
    typeof first === "object" &&
    !/^(?:pattern|match)$/u.test(first.kind) &&
    leadsWithSlash(known[1])
  ) {
    return anywhere;
  }
  const start = typeof first === "string" ? first : "";
  const cut = start.lastIndexOf("/") + 1;
  const folder = start.slice(0, cut);
  // Text before the first pattern is resolved; only the pattern or the text after it could leave the directory.
  if (climbs([start.slice(cut), ...known.slice(typeof first === "string" ? 1 : 0)]))
    return anywhere;
  const trees = exactly(folder === "" ? "." : folder, standing);
  return trees.known ? { ...trees, scope: "tree" } : anywhere;
}

function leadsWithSlash(piece: string | Gap | undefined): boolean {
  return piece !== undefined && !(typeof piece === "string" && !piece.startsWith("/"));
}

/** Paths of all words that this one may become. */
function namedByAny(word: DynamicWord, standing: Standing): NamedPaths {
  if (word.splits) return anywhere;
  const all = alternatives(word)?.map((each) => namedPaths(each, standing));
  if (all === undefined || all.some(({ known }) => !known)) return anywhere;
  const scope = all.some((one) => one.scope === "tree") ? "tree" : "file";
  return { paths: all.flatMap(({ paths }) => paths), scope, known: true };
}

function exactly(text: string, standing: Standing): NamedPaths {
  if (text === "") return nowhere;
  if (text.startsWith("/")) return { paths: spellings("/", text, "/"), scope: "file", known: true };
  if (standing.folders === undefined || standing.folders.length > maxBases) return anywhere;
  const paths = standing.folders.flatMap((folder) => spellings(folder, text, standing.start));
  return { paths: [...new Set(paths)], scope: "file", known: true };
}

/** A part of a path that resolving it removes. */
const hasIdlePart = /\/\.{0,2}(?:\/|$)/u;

/**
 * Path resolved from a directory, and a second version that keeps each `..` after a name: if that name is a link, a
 * program goes up from the link's target. A caller with access to the files decides which one applies.
 */
export function spellings(folder: string, text: string, start?: string): readonly string[] {
  const whole = text.startsWith("/") ? text : `${folder === "/" ? "" : folder}/${text}`;
  if (!hasIdlePart.test(whole) && !text.includes(":")) return [whole];
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  let base = text.startsWith("/") ? "/" : folder;
  while (parts[0] === ".." && (base === "/" || isAbove(base, start))) {
    base = parentPath(base);
    parts.shift();
  }
  const kept = `${base === "/" ? "" : base}/${parts.join("/")}`;
  const plain = joinPath(folder, text);
  return /[^/]\/\.\.(?:\/|$)/u.test(kept) ? [plain, kept] : [plain];
}

/** Position of a program after an option changes its directory; undefined if unknown. */
export function movedBy(standing: Standing, folder: Argument | undefined): Standing | undefined {
  if (typeof folder !== "string" || folder === "" || folder.startsWith("~")) return undefined;
  const bases = folder.startsWith("/") ? ["/"] : standing.folders;
  const start = folder.startsWith("/") ? undefined : standing.start;
  const folders = bases && followed(bases.flatMap((base) => spellings(base, folder, start)));
  return folders && { ...standing, folders };
}

/** Whether this directory is canonical, because a canonical directory lies below it. */
function isAbove(folder: string, start: string | undefined): boolean {
  return start !== undefined && (folder === start || start.startsWith(`${folder}/`));
}

function foundPaths(
  below: readonly Argument[],
  pieces: readonly (string | Gap)[],
  standing: Standing,
): NamedPaths {
  const rest = pieces.slice(1);
  // A found path may end with a dot, like the directory itself; a dot added after it makes `..`, the parent.
  if (climbs([".", ...rest])) return anywhere;
  const named = below.map((word) => namedPaths(word, standing));
  if (named.some((one) => !one.known)) return anywhere;
  return { paths: named.flatMap((one) => [...one.paths]), scope: "tree", known: true };
}

/** Substitutes variables whose value is certain; adjacent texts become one piece. */
export function fillIn(word: DynamicWord, standing: Standing): (string | Gap)[] {
  const out: (string | Gap)[] = [];
  for (const piece of word.pieces) {
    const value = typeof piece === "string" ? piece : (variableValue(piece, standing) ?? piece);
    const last = out.at(-1);
    if (typeof value === "string" && typeof last === "string") out[out.length - 1] = last + value;
    else out.push(value);
  }
  return out;
}

function variableValue(piece: Gap, standing: Standing): string | undefined {
  if (piece.kind !== "variable") return undefined;
  if (piece.name === "HOME") return standing.home;
  if (piece.name === "PWD" && standing.folders?.length === 1) return standing.folders[0];
  return undefined;
}

/** Whether the shell may split this word; a variable with a certain value and no separator cannot be split. */
function hidesSplit(word: DynamicWord, standing: Standing): boolean {
  if (!word.splits) return false;
  return word.pieces.some(
    (piece) =>
      typeof piece !== "string" &&
      piece.kind !== "pattern" &&
      piece.kind !== "number" &&
      !isUncut(variableValue(piece, standing)) &&
      !(piece.kind === "variable" && piece.name === "HOME"),
  );
}

function isUncut(value: string | undefined): boolean {
  return value !== undefined && /^[^\s*?[\]\\]+$/u.test(value);
}

/** Whether a path with patterns could leave its directory through `..`. */
function climbs(pieces: readonly (string | Gap)[]): boolean {
  let shape = "";
  let dotted = false;
  for (const piece of pieces) {
    if (typeof piece === "string") shape += piece;
    else if (piece.kind === "token" || piece.kind === "number") shape += "*";
    else if (piece.kind !== "pattern" && piece.kind !== "match") return true;
    // Before bash 5.2, an extended pattern with literal dots matches the parent directory.
    else if (/\(.*\./u.test(piece.text)) return true;
    else if (!piece.text.startsWith("{")) shape += "*";
    else {
      if (/\/|[{,]\.\.[,}]/u.test(piece.text)) return true;
      if (/[{,]\.?[,}]/u.test(piece.text)) dotted = true;
      shape += "{}";
    }
  }
  // Only a literal dot matches a leading dot, so a component that begins with a glob is never "..".
  return shape.split("/").some((part) => {
    if (part.includes("{}")) return dotted && /^[.*]*$/u.test(part.replaceAll("{}", ""));
    return part !== "." && /^\.[.*]*$/u.test(part);
  });
}
