import type { GrepQuery } from "../../../core/index.ts";
import { leftOutGlobs } from "../visibility/always-ignored.ts";

/** The name under which a glob is handed over as a file type. */
const globType = "haftglob";

/**
 * Options that choose the files of a grep.
 *
 * A glob that is wanted does not go to `--glob`, where it would bring back what ignore files leave out. Its
 * last component becomes a file type, which narrows the walk, and the exact match is made on what comes back.
 */
export function grepSelection(query: GrepQuery, hasRulesAbove: boolean): string[] {
  const globs = query.globs ?? [];
  const unwanted = globs.filter((glob) => glob.startsWith("!"));
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  const types = (query.types ?? []).map((type) => `--type=${type}`);
  const includeIgnored = query.includeIgnored === true;
  return [
    ...ignoreOptions(includeIgnored, hasRulesAbove),
    ...(includeIgnored ? [] : excludedGlobs(query)),
    ...unwanted.map((glob) => `--glob=${glob}`),
    ...(types.length > 0 ? types : typeOptions(wanted)),
  ];
}

/** Options that choose files by their paths below the directory that is searched, whatever would leave them out. */
export function listedSelection(files: readonly string[]): string[] {
  const everything = ["--no-config", "--hidden", "--no-follow", "--no-ignore"];
  const globs = files.map((file) => `--glob=/${literalGlob(file)}`);
  const chars = globs.reduce((sum, glob) => sum + glob.length + 3, 0);
  const isFlat = files.every((file) => !file.includes("/"));
  return [
    ...everything,
    ...(isFlat ? ["--max-depth=1"] : []),
    // Too many for a command line: everything is searched, and the answers are chosen.
    ...(chars <= maxGlobChars ? globs : []),
  ];
}

/** Characters of arguments that every system takes. */
const maxGlobChars = 24_000;

function literalGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}!]/gu, "[$&]").replaceAll("\\", "\\\\");
}

function excludedGlobs({ defaultExcludes }: GrepQuery): string[] {
  const globs = defaultExcludes === "never" ? [".git"] : [".git", ...leftOutGlobs];
  return globs.map((glob) => `--glob=!${glob}`);
}

/** Options that say what to look for and how to report it. */
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

function ignoreOptions(includeIgnored: boolean, hasRulesAbove: boolean): string[] {
  return [
    "--no-config",
    "--hidden",
    "--no-follow",
    "--no-require-git",
    // What is seen must not depend on who looks.
    "--no-ignore-global",
    ...(includeIgnored ? ["--no-ignore"] : []),
    // ripgrep would also take a stray ignore file in /tmp, and one that names the root itself.
    ...(hasRulesAbove ? [] : ["--no-ignore-parent"]),
  ];
}

function typeOptions(globs: readonly string[]): string[] {
  const names = globs.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  // Only what both matchers read alike may narrow the walk.
  const areSimple = names.every((name) => /^[\w.@+\- *?]+$/u.test(name) && !name.includes("**"));
  const areWhole = globs.every((glob) => !/[{}[\]()!\\]/u.test(glob));
  if (names.length === 0 || !areSimple || !areWhole) return [];
  return [...names.map((name) => `--type-add=${globType}:${name}`), `--type=${globType}`];
}
