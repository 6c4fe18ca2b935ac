import { parentPath, type GrepQuery } from "../../core/index.ts";
import { leftOutGlobs } from "../search/left-out.ts";
import { statsAt } from "./held-path.ts";

/** The name under which a glob is handed over as a file type. */
const globType = "haftglob";

/**
 * Options that choose the files of a grep.
 *
 * A glob that is wanted does not go to `--glob`, where it would bring back what ignore files leave out. Its
 * last component becomes a file type, which narrows the walk, and the exact match is made on what comes back.
 */
export function grepSelection(query: GrepQuery): string[] {
  const globs = query.globs ?? [];
  const unwanted = globs.filter((glob) => glob.startsWith("!"));
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const types = (query.types ?? []).map((type) => `--type=${type}`);
  const includeIgnored = query.includeIgnored === true;
  return [
    ...ignoreOptions(query.root, includeIgnored),
    ...(includeIgnored ? [] : leftOutGlobs.map((glob) => `--glob=!${glob}`)),
    ...unwanted.map((glob) => `--glob=${glob}`),
    ...(types.length > 0 ? types : typeOptions(wanted)),
  ];
}

/** Options that say what to look for and how to tell. */
export function grepOptions(query: GrepQuery): string[] {
  const isMultiline = query.multiline === true;
  return [
    ...reportOptions(query),
    "--crlf",
    query.literal === true ? "--fixed-strings" : "--engine=auto",
    query.ignoreCase === true ? "--ignore-case" : "--case-sensitive",
    ...(isMultiline ? ["--multiline", "--multiline-dotall"] : []),
    `--regexp=${query.pattern}`,
  ];
}

function reportOptions(query: GrepQuery): string[] {
  if (query.presenceOnly === true) return ["--json", "--binary", "--max-count=1"];
  if (query.countOnly === true) return ["--count-matches", "--null", "--with-filename"];
  return [
    "--json",
    ...(query.before === undefined ? [] : [`--before-context=${query.before}`]),
    ...(query.after === undefined ? [] : [`--after-context=${query.after}`]),
  ];
}

function ignoreOptions(root: string, includeIgnored: boolean): string[] {
  return [
    "--no-config",
    "--hidden",
    "--no-follow",
    "--no-require-git",
    // What is seen must not depend on who looks.
    "--no-ignore-global",
    ...(includeIgnored ? ["--no-ignore"] : []),
    // Rules of the directories above hold inside a repository; a stray ignore file in /tmp does not.
    ...(isBelowRepository(root) ? [] : ["--no-ignore-parent"]),
  ];
}

function isBelowRepository(root: string): boolean {
  for (let at = root; ; at = parentPath(at)) {
    if (statsAt(at === "/" ? "/.git" : `${at}/.git`) !== undefined) return true;
    if (at === "/") return false;
  }
}

function typeOptions(globs: readonly string[]): string[] {
  const names = globs.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  // Only what both matchers read alike may narrow the walk.
  const areSimple = names.every((name) => /^[\w.@+\- *?]+$/u.test(name) && !name.includes("**"));
  const areWhole = globs.every((glob) => !/[{}[\]()!\\]/u.test(glob));
  if (names.length === 0 || !areSimple || !areWhole) return [];
  return [...names.map((name) => `--type-add=${globType}:${name}`), `--type=${globType}`];
}
