import type { Span } from "../../call/effects.ts";
import type { Confinement } from "../confinement.ts";
import type { HostOptions, HostStat } from "./host-stat.ts";

/**
 * Scope of the default list of excluded names (`node_modules/`, `__pycache__/`, `vendor/`, `dist/`, `build/`,
 * `.DS_Store`, `*.pyc`): files that git does not track, all files, or no file.
 */
export type DefaultExcludes = "untracked" | "always" | "never";

/** Search in the contents of files. */
export interface GrepQuery {
  /** A directory, searched without following links, or one file, searched even if ignore files exclude it. */
  readonly root: string;
  /** A regular expression that ripgrep and JavaScript interpret alike. */
  readonly pattern: string;
  /** Take `pattern` as plain text. Default false. */
  readonly literal?: boolean;
  /** Whether upper and lower case are equal. Default: false. */
  readonly ignoreCase?: boolean;
  /** Whether a match may span lines. Default: false. */
  readonly multiline?: boolean;
  /** Only files whose path below the root matches one of these globs; a leading `!` excludes (gitignore syntax). */
  readonly globs?: readonly string[];
  /** ripgrep type names: `ts`, `py`. */
  readonly types?: readonly string[];
  /** Lines of context before a match. Default: 0. */
  readonly before?: number;
  /** Lines of context after a match. Default: 0. */
  readonly after?: number;
  /** Report only the matching files, with their number of matches. */
  readonly countOnly?: boolean;
  /** Report only the matching files, including binary ones: `count` with one match for a text file, else `binary`. */
  readonly presenceOnly?: boolean;
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  /** Called for each file before any of its content is reported; true excludes the file and counts it. */
  readonly isExcluded?: (path: string) => boolean;
  /** Confinement whose helper starts the search program; without a helper the host searches by itself. */
  readonly confinement?: Pick<Confinement, "helper">;
}

/** Result of a search in files. */
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
  /**
   * The last event. `excluded` counts the files excluded by `isExcluded`, matching or not; `partial`: some files could
   * not be read.
   */
  | {
      readonly kind: "end";
      readonly excluded: number;
      readonly partial: boolean;
      readonly notes: readonly string[];
      /** Absent where nothing was skipped. */
      readonly skipped?: GrepSkipped;
    };

/** Files that a search did not read to their end, as far as it encountered them. */
export interface GrepSkipped {
  /** Files with a match before their first NUL; the content after it is not searched. */
  readonly binary: number;
  /** Number of files beyond the size limit. */
  readonly tooLarge: number;
  /** Files and directories. */
  readonly unreadable: number;
}

/** Search for file names. */
export interface GlobQuery {
  /** Directory to search, absolute and canonical. */
  readonly root: string;
  /** Without `/` it matches at any depth. */
  readonly pattern: string;
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  /** Report the size and modification time of each file. Default false. */
  readonly dated?: boolean;
  /** Whether a path must be left out. */
  readonly isExcluded?: (path: string) => boolean;
}

/** A file that was found. */
export interface GlobFile {
  /** Absolute path. */
  readonly path: string;
  /** Bytes; only with `dated`, and not for a file whose name cannot be decoded, which cannot be inspected. */
  readonly size?: number;
  /** Milliseconds since the epoch; only with `dated`. */
  readonly mtimeMs?: number;
}

/** Result of a search for names. */
export type GlobEvent =
  | { readonly kind: "files"; readonly files: readonly GlobFile[] }
  /** The last event; its counts cover entries that match the pattern, as far as the walk reached them. */
  | {
      readonly kind: "end";
      readonly excluded: number;
      /** Files that are not visible; the content of directories that are not visible is not counted. */
      readonly ignored: number;
      /** Directories that are not visible and were not opened, whatever they hold; `.git` is not counted. */
      readonly ignoredDirectories: IgnoredDirectories;
      /** Paths of symbolic links, at most 20; links are never files here. */
      readonly links: readonly string[];
      readonly partial: boolean;
    };

/** Directories that a search left out. */
export interface IgnoredDirectories {
  /** Number of them. */
  readonly count: number;
  /** The first 5 at most. */
  readonly examples: readonly string[];
}

/** Listing of a tree. */
export interface ListQuery {
  /** Directory to list, absolute and canonical. */
  readonly root: string;
  /** Levels below the root. Default 1: its direct entries. */
  readonly depth?: number;
  /** Maximum number of entries reported; the others in opened directories are counted. */
  readonly maxEntries?: number;
  /** Leave out files and links; those that are not visible are counted. Default false. */
  readonly directoriesOnly?: boolean;
  /** Entries left out, in gitignore syntax, from the root. */
  readonly leaveOut?: readonly string[];
  /** Also what is not visible (see HostSearch). Default false. */
  readonly includeIgnored?: boolean;
  /** Default "untracked". */
  readonly defaultExcludes?: DefaultExcludes | undefined;
  /** Whether a path must be left out. */
  readonly isExcluded?: (path: string) => boolean;
}

/** Entry of a listed tree. */
export interface ListEntry {
  /** Kind of the entry; a link is not followed. */
  readonly kind: HostStat["kind"];
  /** Absolute path. */
  readonly path: string;
  /** Name within its directory. */
  readonly name: string;
  /** Bytes of a file; absent where it was deleted meanwhile. */
  readonly size?: number;
  /** Text of a link. */
  readonly target?: string;
  /** A link below the root to a missing path below the root. */
  readonly isBroken?: boolean;
  /** A directory that is not visible: it is listed and not opened. */
  readonly isIgnored: boolean;
}

/** Result of listing a tree. */
export type ListEvent =
  | { readonly kind: "entry"; readonly entry: ListEntry }
  | {
      readonly kind: "end";
      /** Entries excluded by `isExcluded`. */
      readonly excluded: number;
      /** Files and links that are not visible. */
      readonly ignored: number;
      /** Entries seen beyond `maxEntries`. */
      readonly notTold: number;
      /** A directory could not be read, or has more entries than the limit. */
      readonly partial: boolean;
    };

/**
 * Searches where the data is. Ending the loop early stops the work. An invalid pattern is INVALID_INPUT.
 *
 * All three functions have the same view. Everything is visible, hidden files included, except: entries that ignore
 * files exclude (`.gitignore`, `.ignore`, `.rgignore`, `.git/info/exclude`; inside a repository also those above the
 * root), `.git`, directories named `node_modules`, `__pycache__`, `vendor`, `dist` or `build`, `.DS_Store` and
 * `*.pyc`. A file that git tracks is visible despite `.gitignore` and that list, unless `defaultExcludes` changes
 * this. A root is searched even if it is not visible itself. Links are never followed and are not files.
 */
export interface HostSearch {
  /** Searches the contents of files. */
  grep(query: GrepQuery, options?: HostOptions): AsyncIterable<GrepEvent>;
  /** Files are in no particular order. */
  glob(query: GlobQuery, options?: HostOptions): AsyncIterable<GlobEvent>;
  /** Lists level by level; the entries of a directory are together, directories first, then sorted by name. */
  list(query: ListQuery, options?: HostOptions): AsyncIterable<ListEvent>;
}
