import { spelledPaths } from "../../text/index.ts";
import type { Site } from "../walk/invocation-context.ts";
import {
  alternatives,
  leadingText,
  namedPaths,
  spellings,
  type Argument,
  type Standing,
} from "../words/words.ts";
import { localWords } from "./local-words.ts";
import { takesCode, takesData } from "./starts.ts";

/** Devices that hold nothing of their own. */
const device = /^\/+dev\/+(?:null|zero|full|tty|u?random|std(?:in|out|err)|fd\/\d+)$/u;

/** Compilers, for which one dash precedes one letter with its value: `-Iinclude/x`. */
const compilers = /^(?:.+-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|rustc|swiftc|javac|protoc)$/u;

/**
 * Reports the places where the words of a program with open consequences make it work: every path that a word spells in
 * letters, absolute, with a tilde or through `..`. What such a word means to the program does not matter, because a
 * program may obey, run or change any file it is given.
 */
export function notePlaces(site: Site): void {
  const clusters = !compilers.test(site.name);
  for (const word of localWords(site)) {
    if (typeof word === "string") notePaths(word, site, clusters);
    else if (site.isLaunched) noteAdded(word, site);
  }
  if (!takesData.test(site.name)) noteFedText(site);
}

function notePaths(word: string, site: Site, clusters: boolean): void {
  const paths = spelledPaths(word, { clusters });
  if (paths === undefined) site.worksIn(undefined);
  for (const path of paths ?? []) if (!device.test(path)) notePath(path, site, site.standing);
}

/** Reports one path; a tilde is the home of a user for some programs and a name for others. */
export function notePath(path: string, site: Site, standing: Standing | undefined): void {
  if (path.startsWith("~")) site.worksIn(undefined);
  else if (path.startsWith("/")) site.worksIn(spellings("/", path));
  else {
    // `**` may match no directory at all.
    const forms = [...new Set([path, path.replaceAll(/(?<=^|\/)\*\*\//gu, "")])];
    const { folders, start } = standing ?? {};
    site.worksIn(
      folders?.flatMap((folder) => forms.flatMap((form) => spellings(folder, form, start))),
    );
  }
}

/** Reports a word that a launcher adds to the program, such as a name on the input of `xargs`. */
function noteAdded(word: Argument, site: Site): void {
  for (const each of alternatives(word) ?? [word]) {
    const named = namedPaths(each, site.standing);
    site.worksIn(named.known ? named.paths : undefined);
  }
}

/** Reports the places in a text on standard input, as those in an argument. */
function noteFedText(site: Site): void {
  if (site.fedText !== undefined) notePaths(site.fedText, site, true);
  let isKnown = site.fedText !== undefined;
  for (const { operator, target } of site.redirects) {
    isKnown ||= operator === "<";
    if (operator !== "<<" && operator !== "<<<") continue;
    isKnown = true;
    if (typeof target === "string") notePaths(target, site, true);
    else site.worksIn(undefined);
  }
  if (!isKnown && runsInput(site)) site.worksIn(undefined);
}

/** Options that give an interpreter code to run, so that it takes none from standard input. */
const givesCode = /^(?:-[a-zA-Z]*[cem]|-p|--eval|--print|--test|--run)(?:=|$)/u;
/** Options whose value is another file than the script. */
const takesFile = /^(?:-[rI]|--(?:require|import|(?:experimental-)?loader))$/u;
const looksLikeFile = /\/|\.(?:py|[cm]?[jt]sx?|rb|pl|php|lua|R)$/u;

/** Whether an interpreter may take its code from standard input, because no word is certainly its script. */
function runsInput({ name, args }: Site): boolean {
  if (!takesCode.test(name)) return false;
  const words = args.map(leadingText);
  if (words.some((word) => /^-$|^\/dev\/(?:stdin|fd\/)/u.test(word))) return true;
  if (words.some((word) => givesCode.test(word))) return false;
  return words.every((word, index) => {
    const before = words[index - 1] ?? "";
    const mayBeValue = before.startsWith("-") && !before.includes("=");
    return (
      word.startsWith("-") || (mayBeValue && (takesFile.test(before) || !looksLikeFile.test(word)))
    );
  });
}
