import { findTest } from "../../words/find-tests.ts";
import { narrows } from "../../walk/floor.ts";
import type { Site } from "../../walk/invocation-context.ts";
import { FoundNames } from "./find-names.ts";
import {
  mayBeOption,
  piecesOf,
  showWord,
  trailingText,
  wordOf,
  type Argument,
  type Gap,
} from "../../words/words.ts";

const searching = /^-i?(?:name|path|regex|wholename|lname)$/u;

/** Judges `find`: its start directories, its tests and its actions. */
export function readFind(site: Site): void {
  const { args } = site;
  let index = readGlobalOptions(site);
  const starts: Argument[] = [];
  for (; index < args.length; index++) {
    const word = args[index];
    if (word === undefined || isExpression(word)) break;
    starts.push(word);
  }
  for (const start of starts) site.read(start, "tree");
  if (starts.length === 0) site.read(".", "tree");
  const below = starts.length === 0 ? ["."] : starts;
  const names = new FoundNames();
  let searches = false;
  let narrowed = false;
  let actions = 0;
  while (index < args.length) {
    const word = args[index];
    if (word === undefined) break;
    index++;
    if (typeof word !== "string") {
      looseExpression(word, site);
      names.readUnknown();
      continue;
    }
    searches ||= searching.test(word);
    names.read(word, args[index]);
    narrowed ||= narrows(word);
    if (word === "-delete") {
      actions += 1;
      // Many of them find nothing more to remove than one of any path.
      if (actions <= maxDeletes + 1) {
        readDelete({ site, below }, { narrowed, names: actions > maxDeletes ? [] : names.left });
      }
      continue;
    }
    index = readPredicate(word, index, { site, below });
  }
  site.classify(searches ? "search" : "list");
}

function isExpression(word: Argument): boolean {
  if (typeof word !== "string") return mayBeOption(word);
  return word.startsWith("-") || word === "(" || word === "!" || word === ")" || word === ",";
}

function readGlobalOptions(site: Site): number {
  let index = 0;
  for (; index < site.args.length; index++) {
    const word = site.args[index];
    if (typeof word !== "string") break;
    if (/^-[HLPEdsx]$/u.test(word) || /^-O\d$/u.test(word)) continue;
    if (word === "-D") index++;
    else if (word === "--") return index + 1;
    else break;
  }
  return index;
}

/** Reports an unexpanded word in the position of a predicate. */
function looseExpression(word: Argument, site: Site): void {
  // No predicate with an action ends like a file name with a suffix.
  if (/\.[A-Za-z0-9]+$/u.test(trailingText(word)) && !isSplit(word)) return;
  if (mayBeOption(word)) site.unknown(`${showWord(word)} could turn into an action of find`);
}

function pattern(text: string): Gap {
  return { kind: "pattern", text };
}

function isSplit(word: Argument): boolean {
  return typeof word !== "string" && word.splits;
}

interface Place {
  readonly site: Site;
  readonly below: readonly Argument[];
}

/** Reads one predicate; returns the index of the next one. */
function readPredicate(name: string, index: number, { site, below }: Place): number {
  const { args } = site;
  const value = args[index];
  switch (findTest(name)) {
    case "nothing":
      return index;
    case "text":
      if (value !== undefined && typeof value !== "string") looseValue(value, site);
      return index + 1;
    case "file":
      if (value !== undefined) site.read(value);
      return index + 1;
    case "output":
    case "output-format":
      if (value !== undefined) site.writeThrough(name, value, "any");
      return index + (findTest(name) === "output" ? 1 : 2);
    case "command":
      return readCommand(name, index, { site, below });
    case "refused":
      if (value !== undefined && value !== "-") site.read(value);
      site.unknown("find takes its starts from a list", name);
      return index + 1;
    case undefined:
      // A path after the tests only makes `find` fail.
      if (name.startsWith("-")) site.unknown(`the test ${name} of find is not known`);
      return index;
  }
}

/** Maximum number of deletions whose names are distinguished. */
const maxDeletes = 16;

/** Reads `-delete`. If a test before it narrows the matches, the directories are not removed as a whole. */
function readDelete(
  { site, below }: Place,
  { narrowed, names = [] }: { narrowed: boolean; names: readonly string[] | undefined },
): void {
  for (const start of below) {
    if (!narrowed) site.write(start, "delete", "tree");
    else if (names.length === 0) site.write(matchesOf(start), "delete", "tree");
    else for (const name of names) site.write(matchesOf(start, name), "delete", "tree");
  }
  site.classify("write");
}

/** Pattern of what find matches below a start, by its name if that is known. */
function matchesOf(start: Argument, name?: string): Argument {
  const end = name === undefined ? [] : ["/", pattern(name)];
  const from = trailingText(start).endsWith("/") ? "" : "/";
  return wordOf([...piecesOf(start), from, pattern("**"), ...end], {
    dynamic: "a path that find finds",
    splits: typeof start !== "string" && start.splits,
  });
}

/** Reports a value that may become several words, which would add words to the expression. */
function looseValue(value: Argument, site: Site): void {
  if (typeof value === "string") return;
  const several =
    value.splits ||
    value.pieces.some((piece) => typeof piece !== "string" && piece.kind === "pattern");
  if (several) looseExpression(value, site);
}

/** Maximum number of starts that are followed into the commands of `-exec`. */
const maxStarts = 64;

/** Reads the command of `-exec`; returns the index of the next predicate. */
function readCommand(name: string, start: number, { site, below }: Place): number {
  const { args } = site;
  let end = start;
  while (end < args.length && args[end] !== ";" && !(args[end] === "+" && args[end - 1] === "{}")) {
    if (typeof args[end] !== "string" && isSplit(args[end] ?? "")) {
      site.unknown("where the command of find ends is not known");
    }
    end++;
  }
  const here = name.endsWith("dir");
  const gap: Gap = below.length > maxStarts ? { kind: "opaque" } : { kind: "found", below };
  const found: Argument = {
    dynamic: "a path that find finds",
    pieces: here ? ["./", gap] : [gap],
    splits: false,
  };
  const words = args.slice(start, end).map((word): Argument => {
    if (word === "{}") return found;
    if (typeof word !== "string" || !word.includes("{}")) return word;
    const [before = "", ...after] = word.split("{}");
    const pieces = [before, ...after.flatMap((text) => [{ kind: "opaque" as const }, text])];
    return {
      dynamic: found.dynamic,
      pieces: pieces.filter((piece) => piece !== ""),
      splits: false,
    };
  });
  if (words.length === 0) site.unknown("find runs a command that is not given");
  // -execdir runs in the directory of each file, so relative names do not refer to the current directory.
  const standing = here ? { ...site.standing, folders: undefined } : site.standing;
  site.run(words, { via: `find ${name}`, standing, input: "none" });
  return end + 1;
}
