import type { HostOptions, HostStat } from "./host-stat.ts";

/** A file that was read. */
export interface HostFile {
  /** Must not be modified: the same array may be shared with other readers. */
  readonly bytes: Uint8Array;
  /** State of the file when it was read. */
  readonly stat: HostStat;
  /** `sha256:` and 64 hex digits of the content. */
  readonly hash: string;
}

/** Entry of a directory. */
export interface HostEntry {
  /** Name within the directory. */
  readonly name: string;
  /** Kind of the entry; a link is not followed. */
  readonly kind: HostStat["kind"];
}

/** Options for reading a file. */
export interface ReadOptions extends HostOptions {
  /** Maximum size; a larger file fails with TOO_LARGE. */
  readonly maxBytes?: number;
  /**
   * Accepts the copy captured for undo right before the call, because the file is changed only with `ifMatch`, which
   * refuses a change made in between. Default false: the file is read as it is now.
   */
  readonly asCaptured?: boolean;
}

/** Options for writing a file. */
export interface WriteOptions extends HostOptions {
  /**
   * Compare-and-swap: the content hash the file must have now, null when it must not exist.
   * Default: any existing file is replaced. A mismatch is STALE_READ, or ALREADY_EXISTS for null.
   */
  readonly ifMatch?: string | null;
  /** Permission bits of a new file; an existing file keeps its own. Default 0o666 less the umask. */
  readonly mode?: number;
  /** Wait until the new content survives a crash of the machine. Default false. */
  readonly durable?: boolean;
  /**
   * Called once the content is written to a draft, and must see to it that the draft is flushed. The content becomes
   * visible at its path only when the promise resolves; a rejection discards it. Default: flushes the draft. Only for
   * a host with the capability `heldWrites`.
   */
  readonly hold?: ((draft: WriteDraft) => Promise<unknown>) | undefined;
}

/** New content of a file that is not visible yet. */
export interface WriteDraft {
  /** File that contains it, for a flush that many writes share (`HostFs.flush`). */
  readonly path: string;
  /** Resolves when the content survives a crash of the machine. */
  flush(): Promise<void>;
}

/** A file open for appending. Several processes may append to one file: each append stays in one piece. */
export interface HostAppender {
  /**
   * With `durable` it resolves when this append and all earlier ones survive a crash of the machine. Once the promise
   * settles, the caller may reuse the memory of `data`.
   */
  append(data: Uint8Array, options?: { readonly durable?: boolean }): Promise<void>;
  /**
   * Whether the path still leads to this file with everything appended here: false where the file was removed, moved,
   * replaced or truncated meanwhile. Absent on a host that cannot tell.
   */
  isInPlace?(): boolean;
  /** Closes the file. */
  close(): Promise<void>;
}

/** A path with its canonical form. */
export interface LocatedPath {
  /** Canonical. */
  readonly path: string;
  /** Undefined where only `stat` can tell. */
  readonly exists: boolean | undefined;
  /** Whether it is a directory; undefined where only `stat` can tell. */
  readonly isFolder?: boolean;
}

/**
 * File operations of a host. Errors are ToolErrors: NOT_FOUND, IS_DIRECTORY, NOT_A_DIRECTORY, NOT_A_FILE,
 * ACCESS_DENIED, NO_SPACE, PATH_CHANGED, LINK_LOOP.
 */
export interface HostFs {
  /**
   * Returns the canonical form of a path: absolute, without `.` and `..`, with every link followed, also where
   * the last components do not exist yet. A relative path is resolved against `base`.
   */
  canonical(path: string, options?: HostOptions & { readonly base?: string }): Promise<string>;
  /**
   * Does the same as `canonical` and reports whether the path exists, as far as that is known from resolving it. Absent
   * on a host that learns nothing beyond `canonical`.
   */
  locate?(path: string, options?: HostOptions & { readonly base?: string }): Promise<LocatedPath>;
  /** Never follows a link in the last component: a canonical path has none. */
  stat(path: string, options?: HostOptions): Promise<HostStat>;
  /** Reads a regular file in full. FIFOs, sockets and devices are NOT_A_FILE and never opened. */
  readFile(path: string, options?: ReadOptions): Promise<HostFile>;
  /** Reads at most `length` bytes from `offset` (0 is the first byte); fewer at the end of the file. */
  readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array>;
  /**
   * Reads a regular file from `offset` in chunks; ending the loop closes the file. With `reuse` a chunk is valid
   * only until the next one is requested, and the host may reuse its memory.
   */
  open(
    path: string,
    options?: HostOptions & { readonly offset?: number; readonly reuse?: boolean },
  ): AsyncIterable<Uint8Array>;
  /**
   * Replaces a file atomically: a reader sees either the complete old content or the complete new one, also after a
   * crash of the machine, which may restore the old one. With `durable` the new content survives a crash once the
   * promise resolves. The directory must exist.
   */
  writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }>;
  /** Appends to a file and creates it if it is missing. */
  append(path: string, data: Uint8Array, options?: HostOptions): Promise<void>;
  /** Lists a directory in no particular order. `onExcluded` is called once for each entry that a grant excludes. */
  list(
    path: string,
    options?: HostOptions & { readonly onExcluded?: () => void },
  ): AsyncIterable<HostEntry>;
  /** Creates a directory and its missing parents; an existing directory is fine, any other entry is ALREADY_EXISTS. */
  mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void>;
  /** Removes an entry; a link itself, never its target. A directory without `recursive` is IS_DIRECTORY. */
  remove(path: string, options?: HostOptions & { readonly recursive?: boolean }): Promise<void>;
  /** Removes a directory in one step, only if it is empty: false where it is not. */
  removeEmpty?(path: string, options?: HostOptions): Promise<boolean>;
  /** Moves an entry; replaces a file at the target, never a directory. */
  move(from: string, to: string, options?: HostOptions): Promise<void>;
  /** Returns the text of a symbolic link; INVALID_INPUT where the path is not a link. */
  readLink(path: string, options?: HostOptions): Promise<string>;
  /** Creates a symbolic link with this text; ALREADY_EXISTS where the path exists. Absent on a host that cannot. */
  makeLink?(path: string, target: string, options?: HostOptions): Promise<void>;
  /**
   * Creates a hard link to a file; ALREADY_EXISTS where `path` exists. False where the entry at `file.path` is not the
   * file with this `node`. Absent on a host that cannot.
   */
  addName?(path: string, file: { readonly path: string; readonly node: string }): Promise<boolean>;
  /** Sets the permission bits of a file or directory, exactly. Absent on a host that cannot. */
  setMode?(path: string, mode: number, options?: HostOptions): Promise<void>;
  /** Sets the modification time of a file or directory, to the microsecond. Absent on a host that cannot. */
  setModified?(path: string, mtimeMs: number, options?: HostOptions): Promise<void>;
  /**
   * Resolves when the content of these regular files survives a crash of the machine. Tries all of them before it
   * fails. Absent on a host whose files do not outlive it.
   */
  flush?(paths: readonly string[], options?: HostOptions): Promise<void>;
  /** Opens a regular file for appending; creates it with mode 0o600 if it is missing. Absent on a host that cannot. */
  appender?(path: string, options?: HostOptions): Promise<HostAppender>;
}
