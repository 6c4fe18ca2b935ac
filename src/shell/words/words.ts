import { joinPath, parentPath } from "../../text/index.ts";
import type { Argument, Gap, LooseWord } from "../parse/syntax.ts";

export type { Argument, Gap, LooseWord } from "../parse/syntax.ts";

/** The text a word certainly begins with. */
export function leadingText(word: Argument): string {
  if (typeof word === "string") return word;
  const first = word.pieces[0];
  return typeof first === "string" ? first : "";
}

/** The text a word certainly ends with. */
export function trailingText(word: Argument): string {
  if (typeof word === "string") return word;
  const last = word.pieces.at(-1);
  return typeof last === "string" && !word.splits ? last : "";
}

/** Whether every text of this word is a number. */
export function isDigits(word: LooseWord): boolean {
  return word.pieces.every((piece) =>
    typeof piece === "string" ? /^\d+$/u.test(piece) : piece.kind === "number",
  );
}

/** Whether the shell could turn this word into one that begins with a dash. */
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
      // It may be empty, and then what follows begins the word.
      if (first.kind === "number" && first.signed) return true;
      return second !== undefined && !(typeof second === "string" && !second.startsWith("-"));
    case "output":
    case "opaque":
      return true;
    case "stream":
      return false;
  }
}

/** Most words that are told apart; more are as good as not known. */
const maxAlternatives = 64;

/** Every word this one may be, where that is one of a few; undefined where there are too many. */
export function alternatives(word: Argument): readonly Argument[] | undefined {
  if (typeof word === "string") return [word];
  let all: (string | Gap)[][] = [[]];
  for (const piece of word.pieces) {
    const choices = choicesOf(piece, word);
    if (choices === undefined) return undefined;
    if (all.length * choices.length > maxAlternatives) return undefined;
    all = all.flatMap((start) =>
      choices.map((choice) => [
        ...start,
        ...(typeof choice === "string" ? [choice] : choice.pieces),
      ]),
    );
  }
  return all.map((pieces) => wordOf(pieces, word));
}

function choicesOf(piece: string | Gap, word: LooseWord): readonly Argument[] | undefined {
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

/** A word of these pieces: text that meets becomes one, and nothing but text is a plain word. */
export function wordOf(
  pieces: readonly (string | Gap)[],
  like: Pick<LooseWord, "dynamic" | "splits">,
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

/** Whether the shell or a program may put several words in the place of this one. */
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

/** A word that may be anything, several words or none. */
export function anyWords(because: string): LooseWord {
  return { dynamic: because, pieces: [{ kind: "opaque" }], splits: true };
}

/** The word without its first `count` known characters. */
export function dropLeading(word: Argument, count: number): Argument {
  if (typeof word === "string") return word.slice(count);
  const [first, ...others] = word.pieces;
  if (typeof first !== "string") return word;
  const rest = first.slice(count);
  return { ...word, pieces: rest === "" ? others : [rest, ...others] };
}

/** How a word reads in an explanation. */
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

/** Where a command stands: the folders it may run in (undefined: not known), and the person's home. */
export interface Standing {
  readonly folders: readonly string[] | undefined;
  readonly home: string;
  /** The folder the whole text starts in, which no link leads to. */
  readonly start?: string | undefined;
}

/** The paths a word may name: exact ones, or whole trees where only a folder is certain. */
export interface NamedPaths {
  readonly paths: readonly string[];
  readonly scope: "file" | "tree";
  /** Whether these paths are all it can be; a word of which nothing is known names any path. */
  readonly known: boolean;
}

const anywhere: NamedPaths = { paths: ["/"], scope: "tree", known: false };
const nowhere: NamedPaths = { paths: [], scope: "file", known: true };

/** The paths `word` may name for a command that stands at `standing`. */
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
  if (known.some((piece) => typeof piece !== "string" && !isName(piece))) return anywhere;
  // What may be empty leaves the slash behind it at the beginning.
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
  // What stands before the first pattern is resolved; only what comes with it or after could climb out.
  if (climbs([start.slice(cut), ...known.slice(typeof first === "string" ? 1 : 0)]))
    return anywhere;
  const trees = exactly(folder === "" ? "." : folder, standing);
  return trees.known ? { ...trees, scope: "tree" } : anywhere;
}

function leadsWithSlash(piece: string | Gap | undefined): boolean {
  return piece !== undefined && !(typeof piece === "string" && !piece.startsWith("/"));
}

/** The paths of each word it may be. */
function namedByAny(word: LooseWord, standing: Standing): NamedPaths {
  if (word.splits) return anywhere;
  const all = alternatives(word)?.map((each) => namedPaths(each, standing));
  if (all === undefined || all.some(({ known }) => !known)) return anywhere;
  const scope = all.some((one) => one.scope === "tree") ? "tree" : "file";
  return { paths: [...new Set(all.flatMap(({ paths }) => [...paths]))], scope, known: true };
}

/** Whether what stands here is part of a name and leaves no folder by itself. */
function isName(piece: Gap): boolean {
  return /^(?:pattern|match|token|number)$/u.test(piece.kind);
}

function exactly(text: string, standing: Standing): NamedPaths {
  if (text === "") return nowhere;
  if (text.startsWith("/")) return { paths: spellings("/", text, "/"), scope: "file", known: true };
  if (standing.folders === undefined) return anywhere;
  const paths = standing.folders.flatMap((folder) => spellings(folder, text, standing.start));
  return { paths: [...new Set(paths)], scope: "file", known: true };
}

/**
 * The path from a folder, and once more with each `..` behind a name kept: where that name is a link, a program goes
 * up from where it leads. Whoever can look finds out which it is.
 */
export function spellings(folder: string, text: string, start?: string): readonly string[] {
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

/** Where a program stands that an option moves to another folder; undefined where that cannot be told. */
export function movedBy(standing: Standing, folder: Argument | undefined): Standing | undefined {
  if (typeof folder !== "string" || folder === "" || folder.startsWith("~")) return undefined;
  if (folder.startsWith("/")) return { ...standing, folders: spellings("/", folder) };
  if (standing.folders === undefined) return undefined;
  const { folders, start } = standing;
  return { ...standing, folders: folders.flatMap((base) => spellings(base, folder, start)) };
}

/** Whether no link leads to this folder, because none leads to one below it. */
function isAbove(folder: string, start: string | undefined): boolean {
  return start !== undefined && (folder === start || start.startsWith(`${folder}/`));
}

function foundPaths(
  below: readonly Argument[],
  pieces: readonly (string | Gap)[],
  standing: Standing,
): NamedPaths {
  const rest = pieces.slice(1);
  // A path may end with a dot, as the folder itself does, and dots behind it make that the folder above.
  if (climbs([".", ...rest])) return anywhere;
  const named = below.map((word) => namedPaths(word, standing));
  if (named.some((one) => !one.known)) return anywhere;
  return { paths: named.flatMap((one) => [...one.paths]), scope: "tree", known: true };
}

/** Variables whose value is certain are put in; text that meets becomes one piece. */
function fillIn(word: LooseWord, standing: Standing): (string | Gap)[] {
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

/** An unquoted variable is still one word when its value is certain and has nothing to split at. */
function hidesSplit(word: LooseWord, standing: Standing): boolean {
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

/** Whether a path with patterns in it could leave its folder through `..`. */
function climbs(pieces: readonly (string | Gap)[]): boolean {
  let shape = "";
  let dotted = false;
  for (const piece of pieces) {
    if (typeof piece === "string") shape += piece;
    else if (piece.kind === "token" || piece.kind === "number") shape += "*";
    else if (piece.kind !== "pattern" && piece.kind !== "match") return true;
    // Before bash 5.2 an extended pattern that spells its dots out matches the folder above.
    else if (/\(.*\./u.test(piece.text)) return true;
    else if (!piece.text.startsWith("{")) shape += "*";
    else {
      if (/\/|[{,]\.\.[,}]/u.test(piece.text)) return true;
      if (/[{,]\.?[,}]/u.test(piece.text)) dotted = true;
      shape += "{}";
    }
  }
  // A leading dot is matched only by a dot, so a component that begins with a glob is never "..".
  return shape.split("/").some((part) => {
    if (part.includes("{}")) return dotted && /^[.*]*$/u.test(part.replaceAll("{}", ""));
    return part !== "." && /^\.[.*]*$/u.test(part);
  });
}
