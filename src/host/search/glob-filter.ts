import ignore from "ignore";
import picomatch from "picomatch";
import { ToolError } from "../../core/index.ts";
import { typePattern } from "./file-types.ts";

/** Whether a path below the root is meant. */
export type PathFilter = (below: string) => boolean;

/** A glob as Glob and Grep take it: without `/` it matches at any depth; hidden names are matched too. */
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

/** Characters and wildcards of a glob: matching a longer one could take longer than anyone waits. */
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

/** Throws where a bracket or brace stays open or a range is none: such a glob would silently match nothing. */
function compiled(glob: string): PathFilter {
  // Without `debug` a glob that makes no regular expression matches nothing.
  const options = { dot: true, debug: true };
  try {
    return picomatch(glob, { ...options, strictBrackets: true });
  } catch (error) {
    // A round bracket alone, or one that closes nothing, is a letter of some name.
    const isLetter = error instanceof SyntaxError && /"[()]"|^Missing opening/u.test(error.message);
    if (!isLetter) throw error;
    return picomatch(glob, options);
  }
}

/** The files that match any of the globs and types, less what a leading `!` leaves out. */
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
