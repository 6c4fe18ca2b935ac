import type { GrepSkipped, ToolContext, ToolResult } from "../../core/index.ts";
import { counted, displayPath, grouped, inFolder } from "../files/paths/display-path.ts";
import { ignoredNote, type IgnoredReport } from "../files/paths/ignored-directories.ts";
import { inexactNames } from "../files/paths/undecodable-names.ts";
import { maxOffset, type Input } from "./grep-input.ts";

/** Maximum number of lines or files held, whatever is requested. */
export const maxKept = 10_000;

/** Search of a call. */
export interface Search {
  readonly input: Input;
  /** Canonical path. */
  readonly root: string;
  /** Whether the root is a file itself. */
  readonly isFile: boolean;
  readonly from: number;
  readonly limit: number;
}

/** Facts reported at the end of a search; undefined ones if it was stopped early. */
export interface SearchEnd {
  readonly withheld: number;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly skipped: GrepSkipped;
  readonly isCut: boolean;
}

/** Page of a search result. */
export interface Found {
  readonly text: string;
  /** Paths that `text` shows. */
  readonly paths: readonly string[];
  readonly shown: number;
  /** Number of results found, including those of earlier pages. */
  readonly found: number;
  /** Offset of the next page; undefined if there is none. */
  readonly next: number | undefined;
  /** Whether earlier pages may have used another order. */
  readonly isByPath: boolean;
  readonly noun: "line" | "file";
  readonly total: string;
  readonly end: SearchEnd;
  /** Whether a single file, searched without result, contains the pattern after a NUL. */
  readonly isBinaryMatch: boolean;
  readonly ignored: IgnoredReport;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Builds the result of the call. */
export function answer(search: Search, { cwd }: ToolContext, found: Found): ToolResult {
  const { input, root, from } = search;
  const { text, shown, end, noun, next } = found;
  const last = from - 1 + shown;
  const hasMore = next !== undefined;
  const notes: string[] = [];
  if (found.found === 0) {
    notes.push(nothingNote(search, found, cwd));
  } else if (shown === 0) {
    notes.push(`There are only ${counted(found.found, noun)}; use a smaller offset.`);
  } else if (hasMore) {
    const of = end.isCut ? "" : ` of ${grouped(found.found)}`;
    const more = next > maxOffset ? "there are more, so" : `more with offset ${next}, or`;
    notes.push(
      `${noun === "line" ? "Lines" : "Files"} ${from} to ${last}${of}; ${more} narrow the search.`,
    );
    if (end.isCut && !found.isByPath && next <= maxOffset) {
      notes.push(
        "The search stopped here, so they are in the order found; later pages have the rest.",
      );
    } else if (end.isCut && found.isByPath) {
      notes.push(`It stopped at ${grouped(maxKept)}, so another page may repeat or miss some.`);
    }
  } else {
    notes.push(`${found.total}.`);
  }
  if (found.isByPath && shown > 0 && !end.isCut) {
    notes.push("In the order of their paths, whatever earlier pages showed.");
  }
  notes.push(...endNotes(end));
  const ignored = ignoredNote(found.ignored, cwd);
  if (ignored !== undefined) notes.push(ignored);
  notes.push(...inexactNames(found.paths));
  const footer = `(${notes.join(" ")})`;
  return {
    content: shown === 0 ? footer : `${text}\n${footer}`,
    title: `Grep ${input.pattern}`,
    summary:
      found.found === 0 ? "no match" : hasMore && end.isCut ? "more than shown" : found.total,
    metadata: {
      root,
      ...found.metadata,
      shown,
      isCut: end.isCut,
      withheld: end.withheld,
      skipped: end.skipped,
      ignoredDirectories: found.ignored.directories,
      ...(next === undefined || next > maxOffset ? {} : { next }),
    },
  };
}

function nothingNote(
  { input, root, isFile }: Search,
  { isBinaryMatch }: Found,
  cwd: string,
): string {
  const where = inFolder(root, cwd);
  if (isBinaryMatch) {
    return `${displayPath(root, cwd)} is a binary file that matches ${input.pattern}; no line of it can be shown.`;
  }
  // No file is searched beyond its first NUL byte.
  return isFile
    ? `No match for ${input.pattern}${where}.`
    : `No match for ${input.pattern} in text files${where}.`;
}

function endNotes({ withheld, isPartial, notes, skipped }: SearchEnd): string[] {
  const told: string[] = [];
  if (withheld > 0) told.push(`${counted(withheld, "file")} withheld by permission rules.`);
  if (skipped.binary > 0) {
    told.push(`${counted(skipped.binary, "binary file")} searched only up to the first NUL byte.`);
  }
  if (skipped.tooLarge > 0) told.push(`${counted(skipped.tooLarge, "file")} too large to search.`);
  if (skipped.unreadable > 0) {
    told.push(`${grouped(skipped.unreadable)} could not be read.`);
  } else if (isPartial) told.push("Some files could not be searched.");
  return [...told, ...notes];
}
