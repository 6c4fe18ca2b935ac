import { ToolError, type GrepQuery } from "../../../core/index.ts";
import { unknownType } from "../file-types.ts";
import { patternError } from "../search-pattern.ts";

/** The error of a run that could not begin, from ripgrep's error output; undefined if it only met unreadable files. */
export function rgError(errors: string, query: Partial<GrepQuery>): ToolError | undefined {
  const type = /unrecognized file type: (.+)/u.exec(errors)?.[1];
  if (type !== undefined) return unknownType(type);
  const glob = /error parsing glob '(.+)': (.+)/u.exec(errors);
  if (glob !== null) {
    return new ToolError("INVALID_INPUT", `${glob[1]} is not a usable glob: ${glob[2]}.`, {
      hint: "Use *, **, ?, [abc] and {a,b}.",
    });
  }
  const reason = patternReason(errors);
  return reason === undefined ? undefined : patternError(query.pattern ?? "", reason);
}

/** The first five error lines, with paths below `root`. */
export function rgNotes(errors: string, root: string): string[] {
  const lines = errors.split("\n").filter((line) => line !== "");
  return lines.slice(0, 5).map((line) => line.replace(/^rg: (?:\.\/)?/u, `${root}/`));
}

function patternReason(errors: string): string | undefined {
  const usual = /^error: (.+)$/mu.exec(errors)?.[1];
  const extended = /^PCRE2: error compiling pattern at offset \d+: (.+)$/mu.exec(errors)?.[1];
  // ripgrep tried both engines; if only PCRE2 supports the pattern, the default engine's message is misleading.
  const isBeyondUsual = usual !== undefined && /not supported/u.test(usual);
  return isBeyondUsual ? (extended ?? usual) : (usual ?? extended);
}
