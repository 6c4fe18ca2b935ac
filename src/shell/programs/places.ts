import { spelledPaths } from "../../text/index.ts";
import type { Site } from "../walk/invocation-context.ts";
import {
  alternatives,
  namedPaths,
  spellings,
  type Argument,
  type Standing,
} from "../words/words.ts";
import { localWords } from "./local-words.ts";
import { takesCode } from "./starts.ts";

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
  if (takesCode.test(site.name)) noteCode(site);
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

/** Reports the places in code on standard input, as those in an argument. */
function noteCode(site: Site): void {
  if (site.fedText !== undefined) notePaths(site.fedText, site, true);
  for (const { operator, target } of site.redirects) {
    if (operator !== "<<" && operator !== "<<<") continue;
    if (typeof target === "string") notePaths(target, site, true);
    else site.worksIn(undefined);
  }
}
