import type { Confinement } from "./confinement.ts";
import type { Span } from "../call/effects.ts";
import type { HostOptions, HostStat } from "./host-stat.ts";

/**
 * Where the default list of names holds (`node_modules/`, `__pycache__/`, `vendor/`, `dist/`, `build/`, `.DS_Store`,
 * `*.pyc`): for what git does not track, for everything, or nowhere.
 */
export type DefaultExcludes = "untracked" | "always" | "never";

export interface GrepQuery {
  /** A directory, searched without following links, or one file, searched whatever ignore files say. */
  readonly root: string;
  /** A regular expression as ripgrep and JavaScript both read it. */
  readonly pattern: string;
  /** Take `pattern` as plain text. Default false. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly multiline?: boolean;
  /** Only files whose path below the root matches one of these globs; a leading `!` leaves out (gitignore syntax). */
  readonly globs?: readonly string[];
  /** ripgrep type names: `ts`, `py`. */
  readonly types?: readonly string[];
  readonly before?: number;
  readonly after?: number;
  /** Only which files match, and in how many places. */
  readonly countOnly?: boolean;
  /** Only which files match, binary ones too: `count` with one match for a text, `binary` for the others. */
  readonly presenceOnly?: boolean;
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  /** Asked for each file before anything of it is reported; a true answer leaves the file out and counts it. */
  readonly isExcluded?: (path: string) => boolean;
  /** How a program that searches is started, if at all: by its helper, or there is none and the host searches by itself. */
  readonly confinement?: Pick<Confinement, "helper">;
}

export type GrepEvent =
  | {
      readonly kind: "match" | "context";
      readonly path: string;
      readonly line: number;
      /** The line without its end; in a multiline search all the lines that the match covers. */
      readonly text: string;
      /** UTF-16 offsets of the matches in `text`. */
      readonly ranges: readonly Span[];
    }
  | { readonly kind: "count"; readonly path: string; readonly matches: number }
  | { readonly kind: "binary"; readonly path: string }
  /** Last; `excluded` counts the files withheld by `isExcluded`, matching or not; `partial` says some could not be read. */
  | {
      readonly kind: "end";
      readonly excluded: number;
      readonly partial: boolean;
      readonly notes: readonly string[];
      /** Left out where nothing was skipped. */
      readonly skipped?: GrepSkipped;
    };

/** Files a search did not read to their end, as far as it came to know of them. */
export interface GrepSkipped {
  /** With a match before their first NUL, behind which nothing is searched. */
  readonly binary: number;
  readonly tooLarge: number;
  /** Files and folders. */
  readonly unreadable: number;
}

export interface GlobQuery {
  readonly root: string;
  /** Without `/` it matches at any depth. */
  readonly pattern: string;
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  /** Tell size and time of each file. Default false. */
  readonly dated?: boolean;
  readonly isExcluded?: (path: string) => boolean;
}

export interface GlobFile {
  readonly path: string;
  /** Bytes; only where `dated` was asked for, and not of a file whose name is no text, which cannot be looked at. */
  readonly size?: number;
  /** Milliseconds since the epoch; only where `dated` was asked for. */
  readonly mtimeMs?: number;
}

export type GlobEvent =
  | { readonly kind: "files"; readonly files: readonly GlobFile[] }
  /** Last; everything counted is what matches the pattern, as far as the walk came by. */
  | {
      readonly kind: "end";
      readonly excluded: number;
      /** Files; what lies in a folder that is not visible is not counted. */
      readonly ignored: number;
      /** Directories that are not visible and were not opened, whatever they hold; `.git` is not counted. */
      readonly ignoredDirectories: IgnoredDirectories;
      /** Paths of symbolic links, at most 20; links are never files here. */
      readonly links: readonly string[];
      readonly partial: boolean;
    };

export interface IgnoredDirectories {
  readonly count: number;
  /** The first of them, at most 5. */
  readonly examples: readonly string[];
}

export interface ListQuery {
  readonly root: string;
  /** Levels below the root. Default 1: what lies directly in it. */
  readonly depth?: number;
  /** Entries told at most; the others of opened folders are counted. */
  readonly maxEntries?: number;
  /** Leave out files and links; those that are not visible are counted. Default false. */
  readonly directoriesOnly?: boolean;
  /** Entries left out, in gitignore syntax, from the root. */
  readonly leaveOut?: readonly string[];
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  readonly isExcluded?: (path: string) => boolean;
}

export interface ListEntry {
  readonly kind: HostStat["kind"];
  readonly path: string;
  readonly name: string;
  /** Bytes of a file; missing where it went away meanwhile. */
  readonly size?: number;
  /** What a link says. */
  readonly target?: string;
  /** A link below the root to something below the root that is not there. */
  readonly isBroken?: boolean;
  /** A folder that is not visible: it is named and not opened. */
  readonly isIgnored: boolean;
}

export type ListEvent =
  | { readonly kind: "entry"; readonly entry: ListEntry }
  | {
      readonly kind: "end";
      /** Entries withheld by `isExcluded`. */
      readonly excluded: number;
      /** Files and links that are not visible. */
      readonly ignored: number;
      /** Entries seen beyond `maxEntries`. */
      readonly notTold: number;
      /** A folder could not be read, or has more entries than are looked at. */
      readonly partial: boolean;
    };

/**
 * Runs next to the data. Ending the loop early stops the work. A pattern that does not parse is INVALID_INPUT.
 *
 * All three see the same. Visible are hidden files, and everything but what ignore files (`.gitignore`, `.ignore`,
 * `.rgignore`, `.git/info/exclude`; those above the root count inside a repository) name, `.git`, and directories
 * called `node_modules`, `__pycache__`, `vendor`, `dist` or `build`, `.DS_Store` and `*.pyc`. What git tracks is
 * visible in spite of `.gitignore` and of that list, unless `defaultExcludes` says otherwise. A root is looked into
 * even where it is not visible itself. Links are never followed and are not files.
 */
export interface HostSearch {
  grep(query: GrepQuery, options?: HostOptions): AsyncIterable<GrepEvent>;
  /** Files come in no order. */
  glob(query: GlobQuery, options?: HostOptions): AsyncIterable<GlobEvent>;
  /** Level by level; the entries of a folder together, folders first, then by name. */
  list(query: ListQuery, options?: HostOptions): AsyncIterable<ListEvent>;
}
