import type { GrepQuery } from "../../../core/index.ts";
import { alwaysIgnoredGlobs } from "../visibility/always-ignored.ts";

/** Name of the file type that represents a glob. */
const globType = "haftglob";

/**
 * Options that select the files of a grep.
 *
 * An inclusive glob is not passed as `--glob`, which would override the ignore files. Its last component becomes a file
 * type, which narrows the walk; the results are then matched exactly.
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

/** Options that select files by their paths below the searched directory, overriding all ignore rules. */
export function listedSelection(files: readonly string[]): string[] {
  const everything = ["--no-config", "--hidden", "--no-follow", "--no-ignore"];
  const globs = files.map((file) => `--glob=/${literalGlob(file)}`);
  const chars = globs.reduce((sum, glob) => sum + glob.length + 3, 0);
  const isFlat = files.every((file) => !file.includes("/"));
  return [
    ...everything,
    ...(isFlat ? ["--max-depth=1"] : []),
    // If the paths do not fit on a command line, everything is searched and the results are filtered.
    ...(chars <= maxGlobChars ? globs : []),
  ];
}

/** Number of argument characters that every system accepts. */
const maxGlobChars = 24_000;

function literalGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}!]/gu, "[$&]").replaceAll("\\", "\\\\");
}

function excludedGlobs({ defaultExcludes }: GrepQuery): string[] {
  const globs = defaultExcludes === "never" ? [".git"] : [".git", ...alwaysIgnoredGlobs];
  return globs.map((glob) => `--glob=!${glob}`);
}

/** Options for the pattern and the output format. */
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
    // Results must not depend on the user's own git configuration.
    "--no-ignore-global",
    ...(includeIgnored ? ["--no-ignore"] : []),
    // ripgrep would also read a stray ignore file in /tmp, and one that excludes the root itself.
    ...(hasRulesAbove ? [] : ["--no-ignore-parent"]),
  ];
}

function typeOptions(globs: readonly string[]): string[] {
  const names = globs.map((glob) => glob.slice(glob.lastIndexOf("/") + 1));
  // Only names that both matchers interpret in the same way may narrow the walk.
  const areSimple = names.every((name) => /^[\w.@+\- *?]+$/u.test(name) && !name.includes("**"));
  const areWhole = globs.every((glob) => !/[{}[\]()!\\]/u.test(glob));
  if (names.length === 0 || !areSimple || !areWhole) return [];
  return [...names.map((name) => `--type-add=${globType}:${name}`), `--type=${globType}`];
}
