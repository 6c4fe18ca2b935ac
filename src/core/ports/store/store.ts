import type { HostAppender, HostFs } from "../host/host-fs.ts";
import type { HostOptions } from "../host/host-stat.ts";

/** Name of a part of a store. */
export type StoreAreaName = "journal" | "trust" | "settings" | "tasks" | "artifacts" | "sessions";

/** Parts of a store, each with names of its own. */
export const storeAreas: readonly StoreAreaName[] = [
  "journal",
  "trust",
  "settings",
  "tasks",
  "artifacts",
  "sessions",
];

/**
 * Everything that haft stores for the user: journal, trust, settings of the user, tasks, artifacts and sessions. It is
 * on the machine of the user, also where tools act in a container or on another machine, and no tool reaches it.
 */
export interface Store {
  /** Returns a part of the store; always the same object for a name. */
  area(name: StoreAreaName): StoreArea;
  /** Directory of a store whose parts are files on this machine; absent elsewhere. */
  readonly directory?: string;
  /**
   * The store as files, for what names cannot express without cost: a range of a large file, a flush that several files
   * share, one write and one flush for a call in the journal. Absent: haft builds it from the areas, which copies more.
   */
  readonly files?: StoreFiles;
}

/**
 * One part of a store. A name is one or more components separated by slashes; nothing outside the area is reachable.
 * Names that are empty, absolute, or contain `.`, `..`, NUL or an empty component are refused with INVALID_INPUT.
 */
export interface StoreArea {
  /** Reads a file; undefined where there is none. */
  read(name: string): Promise<StoredFile | undefined>;
  /**
   * Replaces a file atomically and creates it if it is missing: a reader sees the complete old or the complete new
   * content.
   *
   * @throws STALE_READ or ALREADY_EXISTS where `ifMatch` does not hold.
   */
  replace(name: string, bytes: Uint8Array, options?: ReplaceOptions): Promise<StoredFile>;
  /**
   * Opens a file for records at its end. Several processes may append to one file: each append stays in one piece.
   */
  append(name: string): Promise<HostAppender>;
  /** Lists the files whose names begin with `prefix`, in no particular order. Default: all. */
  list(prefix?: string): AsyncIterable<StoredEntry>;
  /** Removes a file; does nothing where there is none. */
  remove(name: string): Promise<void>;
  /**
   * Waits until no other holder in this or another process has the lock of this name, and takes it for a limited time.
   *
   * @throws ABORTED if the signal fires meanwhile.
   */
  lock(name: string, options: LockOptions): Promise<Lease>;
  /** Directory of the area; only where its names are files on this machine. For SQLite, which needs one. */
  readonly directory?: string;
}

/** A stored file. */
export interface StoredFile {
  /** Content. Must not be modified. */
  readonly bytes: Uint8Array;
  /** `sha256:` and 64 hex digits of the content. */
  readonly hash: string;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly mtimeMs: number;
}

/** Entry of a listed area. */
export interface StoredEntry {
  /** Name within the area. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly mtimeMs: number;
}

/** How a file is replaced. */
export interface ReplaceOptions {
  /** Content hash that the file must have now, null when it must not exist. Default: any file is replaced. */
  readonly ifMatch?: string | null;
  /** Wait until the new content survives a crash of the machine. Default: false. */
  readonly durable?: boolean;
}

/** How a lock is taken. */
export interface LockOptions extends HostOptions {
  /** Milliseconds after which the lock counts as abandoned, unless its holder renews it. */
  readonly leaseMs: number;
}

/** A lock that its holder has until it expires or is released. */
export interface Lease {
  /** Extends the lease by its full time from now; false where another holder has taken the lock since. */
  renew(): Promise<boolean>;
  /** Releases the lock. */
  release(): Promise<void>;
}

/** A store as files. Paths are absolute. */
export interface StoreFiles {
  /** Operations on paths at or below the directories. */
  readonly fs: StoreFs;
  /** Directory of everything but what the user wrote. */
  readonly directory: string;
  /** Home directory of the user: `.haft` and the like in it hold what the user wrote. */
  readonly home: string;
  /** Directory of the administrator's settings: `/etc` on a machine. */
  readonly managed: string;
}

/** File operations that a store needs. `canonical` and `readLink` are absent where there are no links. */
export type StoreFs = Pick<
  HostFs,
  | "stat"
  | "readFile"
  | "readRange"
  | "open"
  | "writeAtomic"
  | "append"
  | "list"
  | "mkdir"
  | "remove"
  | "move"
  | "flush"
  | "appender"
> &
  Partial<Pick<HostFs, "canonical" | "readLink">>;
