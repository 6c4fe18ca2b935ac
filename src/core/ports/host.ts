import type { Confinement } from "./confinement.ts";
import type { HostSearch } from "./host-search.ts";
import type { HostOptions, HostStat } from "./host-stat.ts";

/**
 * Where tools act. A host is one machine, container, memory image or overlay; every implementation
 * passes the same contract test, so no tool knows which one it has.
 *
 * Paths given to the raw host are absolute and canonical (`fs.canonical` makes them so): a symbolic
 * link met inside such a path is refused with PATH_CHANGED, because it was not there when the path was
 * judged. Tools hold a narrowed host, which canonicalises first and then checks the grant.
 */
export interface Host extends AsyncDisposable {
  /** Stable name, recorded with every call. */
  readonly id: string;
  readonly info: HostInfo;
  readonly fs: HostFs;
  readonly proc: HostProc;
  readonly net: HostNet;
  readonly search: HostSearch;
  readonly clock: HostClock;
}

export interface HostInfo {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: string;
  /** Canonical absolute paths. */
  readonly home: string;
  readonly temporary: string;
  /** Where the host was started: the workspace of who names none. */
  readonly cwd: string;
  /** What says where users of the machine keep their files; absent where the host is not a machine. */
  readonly users?: HostUsers;
  /** Folders that are searched for programs, in order. */
  readonly path: readonly string[];
  /** Those of them in which something of this name stands, in order; left out where every one has to be looked at. */
  readonly foldersWith?: (program: string) => readonly string[];
  /**
   * Absolute path of a program of the system that haft may run for itself, which no project can replace; undefined where
   * there is none. Left out where a host does not know: PATH outside of the workspace is searched then.
   */
  readonly systemProgram?: (program: string) => string | undefined;
  /**
   * Whether other users than root and this one can put programs into a directory, given by its canonical path. Left out
   * where the permission bits that `stat` gives decide.
   */
  readonly isWritableByOthers?: (directory: string) => Promise<boolean>;
  /** argv of the shell that runs command text, without the text: `["/bin/bash", "--norc", "--noprofile", "-c"]`. */
  readonly shell: readonly string[];
  readonly capabilities: HostCapabilities;
}

/** Where users keep their files, secrets among them. */
export interface HostUsers {
  /** Home directories whose files this user can read, the one of `home` left out. */
  readonly homes: readonly string[];
  /** The environment, in which programs are told to keep files elsewhere. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface HostCapabilities {
  readonly processes: boolean;
  readonly network: boolean;
  readonly links: boolean;
  /** Whether programs can be started through a `Confinement`. Left out: no. */
  readonly confinement?: boolean;
  /** Whether `writeAtomic` takes `beforeVisible`. Left out: no. */
  readonly heldWrites?: boolean;
}

export interface HostFile {
  /** Not to be changed: others may hold the same bytes. */
  readonly bytes: Uint8Array;
  readonly stat: HostStat;
  /** `sha256:` and 64 hex digits of the content. */
  readonly hash: string;
}

export interface HostEntry {
  readonly name: string;
  readonly kind: HostStat["kind"];
}

export interface ReadOptions extends HostOptions {
  /** A larger file is TOO_LARGE. */
  readonly maxBytes?: number;
  /**
   * The file as it was kept for undo right before the call will do, because it is only changed with `ifMatch`: what
   * came in between is refused then. Left out, the file is read as it is now.
   */
  readonly asKept?: boolean;
}

export interface WriteOptions extends HostOptions {
  /**
   * Compare-and-swap: the content hash the file must have now, null when it must not exist.
   * Left out, whatever is there is replaced. A mismatch is STALE_READ, or ALREADY_EXISTS for null.
   */
  readonly ifMatch?: string | null;
  /** Permission bits of a new file; an existing file keeps its own. Default 0o666 less the umask. */
  readonly mode?: number;
  /** Wait until a crash of the machine cannot bring the old content back any more. Default false. */
  readonly durable?: boolean;
  /**
   * Called when the content is written, beside making it safe; only when that has come true the content takes its place,
   * and not at all where it is rejected. Only for a host that says `heldWrites`.
   */
  readonly beforeVisible?: (() => Promise<unknown>) | undefined;
  /**
   * Makes the content safe in place of the host, which says in what file it is written: so that many writes wait for the
   * disk once. Only when that has come true the content takes its place, and not at all where it is rejected. A host
   * without `flush` does not ask.
   */
  readonly makeSafe?: ((draft: string) => Promise<unknown>) | undefined;
}

/** A file kept open for adding to its end. Several programs may add to one file: what each adds stays in one piece. */
export interface HostAppender {
  /**
   * With `durable` it resolves when this and everything added before survives a crash of the machine. When it is settled
   * the memory of `data` may be used for something else.
   */
  append(data: Uint8Array, options?: { readonly durable?: boolean }): Promise<void>;
  /**
   * Whether the path still leads to this file, with everything that was added here: false where it was removed, moved,
   * replaced or cut meanwhile. Missing on a host that cannot tell.
   */
  isInPlace?(): boolean;
  close(): Promise<void>;
}

export interface LocatedPath {
  /** Canonical. */
  readonly path: string;
  /** Undefined where `stat` has to tell. */
  readonly exists: boolean | undefined;
  /** Whether it is a folder; undefined where `stat` has to tell. */
  readonly isFolder?: boolean;
}

/** Errors are ToolErrors: NOT_FOUND, IS_DIRECTORY, NOT_A_DIRECTORY, NOT_A_FILE, ACCESS_DENIED, NO_SPACE, PATH_CHANGED, LINK_LOOP. */
export interface HostFs {
  /**
   * The canonical form of a path: absolute, `.` and `..` gone, every link on the way followed, also where
   * the last components do not exist yet. A relative path starts at `base`.
   */
  canonical(path: string, options?: HostOptions & { readonly base?: string }): Promise<string>;
  /**
   * The same, and whether anything stands there as far as that is found out on the way. Missing on a host that finds out
   * nothing more than `canonical`.
   */
  locate?(path: string, options?: HostOptions & { readonly base?: string }): Promise<LocatedPath>;
  /** Never follows a link at the end: a canonical path has none. */
  stat(path: string, options?: HostOptions): Promise<HostStat>;
  /** The whole of a regular file. FIFOs, sockets and devices are NOT_A_FILE and never opened. */
  readFile(path: string, options?: ReadOptions): Promise<HostFile>;
  /** At most `length` bytes from `offset` (0 is the first byte); shorter at the end of the file. */
  readRange(
    path: string,
    range: { readonly offset: number; readonly length: number },
    options?: HostOptions,
  ): Promise<Uint8Array>;
  /**
   * The bytes of a regular file from `offset`, in chunks; ending the loop closes the file. With `reuse` a
   * chunk holds only until the next one is asked for, and the host may use its memory again.
   */
  open(
    path: string,
    options?: HostOptions & { readonly offset?: number; readonly reuse?: boolean },
  ): AsyncIterable<Uint8Array>;
  /**
   * A reader sees the old content or the new one, whole, also after a crash of the machine, which may bring the old
   * one back. With `durable` the new one is there to stay when it resolves. The directory must exist.
   */
  writeAtomic(
    path: string,
    data: Uint8Array,
    options?: WriteOptions,
  ): Promise<HostStat & { readonly hash: string }>;
  /** Adds to the end of a file, making it where it is missing. */
  append(path: string, data: Uint8Array, options?: HostOptions): Promise<void>;
  /** In no order. `onExcluded` is called once for each entry that a grant withholds. */
  list(
    path: string,
    options?: HostOptions & { readonly onExcluded?: () => void },
  ): AsyncIterable<HostEntry>;
  /** Makes missing parents too; an existing directory is fine, anything else there is ALREADY_EXISTS. */
  mkdir(path: string, options?: HostOptions & { readonly mode?: number }): Promise<void>;
  /** A link is removed, never what it names. A directory without `recursive` is IS_DIRECTORY. */
  remove(path: string, options?: HostOptions & { readonly recursive?: boolean }): Promise<void>;
  /** Removes a directory in one step, and only while nothing is in it: false where something is. */
  removeEmpty?(path: string, options?: HostOptions): Promise<boolean>;
  /** Replaces a file at the target, never a directory. */
  move(from: string, to: string, options?: HostOptions): Promise<void>;
  /** The text of the link itself; INVALID_INPUT where there is no link. */
  readLink(path: string, options?: HostOptions): Promise<string>;
  /** Makes a link with this text where nothing is, else ALREADY_EXISTS. Missing on a host that cannot. */
  makeLink?(path: string, target: string, options?: HostOptions): Promise<void>;
  /**
   * Gives a file another name (a hard link) where nothing is, else ALREADY_EXISTS. False where what stands at its path is
   * not the file with this `node`. Missing on a host that cannot.
   */
  addName?(path: string, file: { readonly path: string; readonly node: string }): Promise<boolean>;
  /** Sets the permission bits of a file or directory, exactly. Missing on a host that cannot. */
  setMode?(path: string, mode: number, options?: HostOptions): Promise<void>;
  /** Sets when a file or directory was last modified, to the microsecond. Missing on a host that cannot. */
  setModified?(path: string, mtimeMs: number, options?: HostOptions): Promise<void>;
  /**
   * Resolves when a crash of the machine cannot take the content of these regular files any more. All are tried before
   * it fails. Missing on a host whose files are lost with it.
   */
  flush?(paths: readonly string[], options?: HostOptions): Promise<void>;
  /** Keeps a regular file open for appending, making it (mode 0o600) where it is missing. Missing on a host that cannot. */
  appender?(path: string, options?: HostOptions): Promise<HostAppender>;
}

export interface ProcessSpec {
  /** Chosen by the caller; starting an id that already runs returns the running process. */
  readonly id: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Added to the host's own scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the host's own environment only these names are passed on; `LC_*` is every name that begins so. Default: all. */
  readonly keepEnv?: readonly string[];
  /** Default "none": reading it ends at once. */
  readonly stdin?: "pipe" | "none";
  readonly limits?: {
    readonly timeoutMs?: number;
    readonly maxOutputBytes?: number;
    /** From TERM to KILL when it is ended, and from there until it is given up. Default: the host's own. */
    readonly terminateMs?: number;
    readonly killMs?: number;
  };
  /** Start it so. A host that cannot (see HostCapabilities) refuses with UNAVAILABLE and starts nothing. A narrowed host takes its own in place of a tool's. */
  readonly confinement?: Confinement;
  /**
   * It works beside others while it runs (a server, a watcher, whatever goes on in the background), so it must see and
   * change the real tree at once. Default false: what it changes may reach the tree when it has ended.
   */
  readonly live?: boolean;
  /**
   * It was asked to go on where the program that has started it is killed and can end nothing. Default false: it ends then
   * as well, where the host can see to that. Disposing the host ends it either way.
   */
  readonly outlives?: boolean;
}

export interface ProcessRef {
  readonly id: string;
  readonly pid: number;
  readonly startedAtMs: number;
  /** With the pid it names this process and never another, also after a restart; opaque. Missing where the machine cannot tell. */
  readonly startToken?: string;
  /**
   * Names it and everything it starts, for a host of this machine that comes later (`HostProc.endTree`); opaque. Missing
   * where the machine cannot tell.
   */
  readonly tree?: string;
}

export interface ProcessExit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** Why the host ended it, if it did. */
  readonly endedBy?: "timeout" | "abort" | "output-limit" | "dispose";
  /** Processes of its group that still hold the output open after the drain. */
  readonly leftRunning: readonly number[];
}

/**
 * Memory is bounded: with nobody reading, the oldest output falls out. `lostBefore` then says how many
 * bytes are missing between the previous chunk of this reading and this one; absent when none are. A
 * reader that keeps up loses nothing, because a slow one makes the program wait.
 */
export type ProcessChunk =
  | {
      readonly seq: number;
      readonly stream: "stdout" | "stderr";
      readonly bytes: Uint8Array;
      readonly lostBefore?: number;
    }
  | { readonly seq: number; readonly exit: ProcessExit; readonly lostBefore?: number };

export interface HostProc {
  /** Starts a program as the leader of its own group. A missing program is NOT_FOUND. Aborting `signal` ends the group: TERM, 5 s, KILL, 2 s. */
  start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef>;
  /**
   * Everything after `afterSeq` (0 = from the start), ending with one exit chunk. The exit comes when the
   * program ended plus a drain of at most 250 ms, whether or not children still hold the pipe. With `reuse` the
   * bytes of a chunk are overwritten once the next one is asked for; without, they stay what they were.
   */
  output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk>;
  /** NOT_FOUND once the program ended, INVALID_INPUT where its stdin is "none". */
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  /** To the program alone, or with `tree` to its group and everything else it started. */
  signal(
    id: string,
    name: "INT" | "TERM" | "KILL",
    options?: { readonly tree?: boolean },
  ): Promise<void>;
  list(): Promise<readonly ProcessRef[]>;
  /**
   * Ends what an earlier host started and left (`ProcessRef.tree`): TERM, then KILL, also for what stands around a program
   * in a sandbox and what made a session of its own. False where something outlived even that. Missing on a host
   * whose programs end with it.
   */
  endTree?(
    tree: string,
    patience: { readonly terminateMs: number; readonly killMs: number },
  ): Promise<boolean>;
}

export interface HostRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HostResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HostNet {
  /** One request; a redirect is returned, never followed, so that each hop is judged. */
  fetch(request: HostRequest, options?: HostOptions): Promise<HostResponse>;
}

export interface HostClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, rejects with ABORTED when the signal fires; leaves no timer behind. */
  sleep(ms: number, options?: HostOptions): Promise<void>;
  /** Calls back once after `ms`; the returned function cancels. The program stays alive until then, unless that is not wanted. */
  timer(ms: number, callback: () => void, options?: { readonly keepsAlive?: boolean }): () => void;
}
