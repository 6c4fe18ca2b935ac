import type { Confinement } from "./confinement.ts";
import type { HostSearch } from "./host-search.ts";
import type { HostOptions, HostStat } from "./host-stat.ts";

/**
 * The environment in which tools act: one machine, container, in-memory file system or overlay. Every
 * implementation passes the same contract test, so no tool knows which one it has.
 *
 * Paths given to the raw host are absolute and canonical (`fs.canonical` makes them so): a symbolic
 * link inside such a path is refused with PATH_CHANGED, because it was not there when the path was judged.
 * Tools get a narrowed host, which canonicalizes first and then checks the grant.
 */
export interface Host extends AsyncDisposable {
  /** Stable name, recorded with every call. */
  readonly id: string;
  /** System, paths and abilities. */
  readonly info: HostInfo;
  /** Files and directories. */
  readonly fs: HostFs;
  /** Processes. */
  readonly proc: HostProc;
  /** Network. */
  readonly net: HostNet;
  /** Search in files and names. */
  readonly search: HostSearch;
  /** Time. */
  readonly clock: HostClock;
}

/** System, paths and abilities of a host. */
export interface HostInfo {
  /** Operating system. */
  readonly os: "linux" | "darwin" | "windows";
  /** Processor architecture, such as `x64`. */
  readonly arch: string;
  /** Canonical absolute paths. */
  readonly home: string;
  /** Directory for temporary files, canonical. */
  readonly temporary: string;
  /** Directory in which the host was started: the default workspace. */
  readonly cwd: string;
  /** Locations of the files of the machine's users; absent where the host is not a machine. */
  readonly users?: HostUsers;
  /** Directories that are searched for programs, in order. */
  readonly path: readonly string[];
  /**
   * Returns the directories of `path` that contain an entry of this name, in order; absent where each of them must be
   * checked.
   */
  readonly foldersWith?: (program: string) => readonly string[];
  /**
   * Returns the absolute path of a system program that haft may run for its own purposes and no project can replace;
   * undefined where there is none. Absent where the host cannot tell: then PATH outside the workspace is searched.
   */
  readonly systemProgram?: (program: string) => string | undefined;
  /**
   * Whether users other than root and the current one can add programs to the directory with this canonical path.
   * Absent where the permission bits from `stat` decide.
   */
  readonly isWritableByOthers?: (directory: string) => Promise<boolean>;
  /** argv of the shell for command text, without the text: `["/bin/bash", "--norc", "--noprofile", "-c"]`. */
  readonly shell: readonly string[];
  /** Abilities. */
  readonly capabilities: HostCapabilities;
}

/** Locations of users' files, including secrets. */
export interface HostUsers {
  /** Home directories whose files the current user can read, without `home`. */
  readonly homes: readonly string[];
  /** Environment variables, which can direct programs to store files elsewhere. */
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** Abilities of a host. */
export interface HostCapabilities {
  /** Whether it can start programs. */
  readonly processes: boolean;
  /** Whether it can reach the network. */
  readonly network: boolean;
  /** Whether its file system has symbolic links. */
  readonly links: boolean;
  /** Whether programs can be started through a `Confinement`. Default false. */
  readonly confinement?: boolean;
  /** Whether `writeAtomic` accepts `beforeVisible`. Default false. */
  readonly heldWrites?: boolean;
}

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
  readonly asKept?: boolean;
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
   * Called once the content is written, while it is fsynced. The content becomes visible at its path only when the
   * promise resolves; a rejection discards it. Only for a host with the capability `heldWrites`.
   */
  readonly beforeVisible?: (() => Promise<unknown>) | undefined;
  /**
   * Called with the file that contains the draft, to fsync it instead of the host, so that many writes share one wait
   * for the disk. The content becomes visible at its path only when the promise resolves; a rejection discards it. A
   * host without `flush` does not call it.
   */
  readonly makeSafe?: ((draft: string) => Promise<unknown>) | undefined;
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

/** A program to start. */
export interface ProcessSpec {
  /** Chosen by the caller; starting an id that already runs returns the running process. */
  readonly id: string;
  /** Program and arguments. */
  readonly argv: readonly string[];
  /** Directory in which to start it, absolute and canonical. */
  readonly cwd: string;
  /** Added to the host's own scrubbed environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Variables of the host's environment to pass on; `LC_*` is every name with this prefix. Default: all. */
  readonly keepEnv?: readonly string[];
  /** Default "none": reading it ends at once. */
  readonly stdin?: "pipe" | "none";
  /** Limits in milliseconds and bytes; without one there is no limit. */
  readonly limits?: {
    readonly timeoutMs?: number;
    readonly maxOutputBytes?: number;
    /** Milliseconds from TERM to KILL when the program is ended. Default: the host's own. */
    readonly terminateMs?: number;
    /** Milliseconds from KILL until the host stops waiting. Default: the host's own. */
    readonly killMs?: number;
  };
  /**
   * Confinement to start the program in. A host that cannot confine (see HostCapabilities) refuses with UNAVAILABLE and
   * starts nothing. A narrowed host uses its own instead of a tool's.
   */
  readonly confinement?: Confinement;
  /**
   * The program works alongside others (a server, a watcher, any background program), so it must see and change the
   * real tree immediately. Default false: its changes may reach the tree when it has ended.
   */
  readonly live?: boolean;
  /**
   * The program was requested to keep running if the process that started it is killed and cannot end it. Default
   * false: it ends then too, where the host can ensure that. Disposing the host ends it in both cases.
   */
  readonly outlives?: boolean;
}

/** A process that the host started. */
export interface ProcessRef {
  /** Id given when it was started. */
  readonly id: string;
  /** Process id. */
  readonly pid: number;
  /** Start time, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /**
   * Identifies this process together with the pid, also after a restart of the machine; opaque. Absent where the
   * machine cannot tell.
   */
  readonly startToken?: string;
  /**
   * Identifies the process and everything it starts to a later host on this machine (`HostProc.endTree`); opaque.
   * Absent where the machine cannot tell.
   */
  readonly tree?: string;
}

/** How a process ended. */
export interface ProcessExit {
  /** Null when a signal ended the program. */
  readonly code: number | null;
  /** Signal that ended it; null if it exited. */
  readonly signal: string | null;
  /** Why the host ended the program, if it did. */
  readonly endedBy?: "timeout" | "abort" | "output-limit" | "dispose";
  /** Processes of its group that still hold the output open after the drain. */
  readonly leftRunning: readonly number[];
}

/**
 * A chunk of a program's output, or its exit. Memory is bounded: without a reader, the oldest output is
 * dropped. `lostBefore` is then the number of bytes missing between the previous chunk of this reader and this
 * one; absent when none are. An attached reader loses nothing, because a slow one makes the program wait.
 */
export type ProcessChunk =
  | {
      readonly seq: number;
      readonly stream: "stdout" | "stderr";
      readonly bytes: Uint8Array;
      readonly lostBefore?: number;
    }
  | { readonly seq: number; readonly exit: ProcessExit; readonly lostBefore?: number };

/** Processes of a host. */
export interface HostProc {
  /**
   * Starts a program as the leader of its own process group. A missing program is NOT_FOUND. Aborting `signal` ends
   * the group: TERM, 5 s, KILL, 2 s.
   */
  start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef>;
  /**
   * Streams all output after `afterSeq` (0 = from the start), ending with one exit chunk. The exit follows the end
   * of the program after a drain of at most 250 ms, whether or not children still have the pipe open. With `reuse`
   * the bytes of a chunk are overwritten once the next one is requested; without it they stay unchanged.
   */
  output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk>;
  /** Writes to stdin: NOT_FOUND once the program has ended, INVALID_INPUT where its stdin is "none". */
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  /** Signals the program alone, or with `tree` its group and everything else it started. */
  signal(
    id: string,
    name: "INT" | "TERM" | "KILL",
    options?: { readonly tree?: boolean },
  ): Promise<void>;
  /** Processes that this host started and that are running. */
  list(): Promise<readonly ProcessRef[]>;
  /**
   * Ends the processes that an earlier host started and left running (`ProcessRef.tree`): TERM, then KILL, including
   * sandbox processes around a program and processes that created their own session. False where a process survived.
   * Absent on a host whose programs end with it.
   */
  endTree?(
    tree: string,
    patience: { readonly terminateMs: number; readonly killMs: number },
  ): Promise<boolean>;
}

/** Request over HTTP. */
export interface HostRequest {
  /** Address. */
  readonly url: string;
  /** Method. Default: `GET`. */
  readonly method?: string;
  /** Headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body. Default: none. */
  readonly body?: string | Uint8Array;
}

/** Answer over HTTP. */
export interface HostResponse {
  /** Address that answered, after redirects. */
  readonly url: string;
  /** Status code. */
  readonly status: number;
  /** Headers, by name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body in pieces. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Network of a host. */
export interface HostNet {
  /** Sends one request; a redirect is returned, never followed, so that each hop is judged. */
  fetch(request: HostRequest, options?: HostOptions): Promise<HostResponse>;
}

/** Time of a host. */
export interface HostClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, rejects with ABORTED when the signal fires; leaves no timer behind. */
  sleep(ms: number, options?: HostOptions): Promise<void>;
  /**
   * Calls back once after `ms`; the returned function cancels. The timer keeps the process alive unless `keepsAlive` is
   * false.
   */
  timer(ms: number, callback: () => void, options?: { readonly keepsAlive?: boolean }): () => void;
}
