import ignore from "ignore";
import picomatch from "picomatch";
import { ToolError } from "../../core/index.ts";
import { typePattern } from "./file-types.ts";

/** Whether a path relative to the root matches. */
export type PathFilter = (below: string) => boolean;

/** A glob of Glob and Grep: without `/` it matches at any depth; hidden names match too. */
export function globFilter(pattern: string): PathFilter {
  assertShortGlob(pattern);
  const wanted = normalized(pattern);
  try {
    return compiled(wanted);
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", `${pattern.slice(0, 200)} is not a usable glob.`, {
      hint: "Use *, **, ?, [abc] and {a,b}, each closed; put \\ before a bracket of the name itself.",
      cause,
    });
  }
}

/** Maximum number of characters and wildcards of a glob: matching a longer one could take unacceptably long. */
const maxGlobChars = 1000;
const maxWildcards = 50;

function assertShortGlob(pattern: string): void {
  const wildcards = pattern.match(/\*+|[+*?@!]\(/gu)?.length ?? 0;
  if (pattern.length <= maxGlobChars && wildcards <= maxWildcards) return;
  throw new ToolError("INVALID_INPUT", "The glob is too long.", {
    hint: `Use at most ${maxGlobChars} characters and ${maxWildcards} wildcards, or several globs.`,
    data: { characters: pattern.length, wildcards },
  });
}

/** Throws if a bracket or brace is not closed or a range is invalid: such a glob would silently match nothing. */
function compiled(glob: string): PathFilter {
  // Without `debug`, a glob with an invalid regular expression silently matches nothing.
  const options = { dot: true, debug: true };
  try {
    return picomatch(glob, { ...options, strictBrackets: true });
  } catch (error) {
    // A single or unmatched parenthesis is a literal character of a name.
    const isLetter = error instanceof SyntaxError && /"[()]"|^Missing opening/u.test(error.message);
    if (!isLetter) throw error;
    return picomatch(glob, options);
  }
}

/** Matches files by any of the globs and types, minus those excluded by a leading `!`. */
export function filesFilter(
  globs: readonly string[] | undefined,
  types: readonly string[] | undefined,
): PathFilter | undefined {
  const wanted = (globs ?? []).filter((glob) => !glob.startsWith("!")).map(globFilter);
  const unwanted = (globs ?? []).filter((glob) => glob.startsWith("!"));
  const typed = (types ?? []).map((type) => globFilter(typePattern(type)));
  if (wanted.length === 0 && unwanted.length === 0 && typed.length === 0) return undefined;
  for (const glob of unwanted) assertShortGlob(glob);
  const left = ignore({ ignorecase: false }).add(unwanted.map((glob) => glob.slice(1)));
  return (below) =>
    (wanted.length === 0 || wanted.some((matches) => matches(below))) &&
    (typed.length === 0 || typed.some((matches) => matches(below))) &&
    !left.ignores(below);
}

function normalized(pattern: string): string {
  if (pattern === "") {
    throw new ToolError("INVALID_INPUT", "The glob is empty.", {
      hint: "Use ** for every file, or a pattern like **/*.ts.",
    });
  }
  const relative = pattern.replace(/^(?:\.\/)+/u, "");
  if (!relative.includes("/")) return `**/${relative}`;
  const anchored = relative.replace(/^\/+/u, "");
  return anchored.endsWith("/") ? `${anchored}**` : anchored;
}
