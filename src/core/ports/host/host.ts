import type { HostFs } from "./host-fs.ts";
import type { HostProc } from "./host-process.ts";
import type { HostSearch } from "./host-search.ts";
import type { HostOptions } from "./host-stat.ts";

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
  /**
   * Whether haft's own files may be on this host: "this-machine" where it is the machine of this process, "itself"
   * where it is a machine of its own that only a test sees. Absent: they are in the store of the user's machine, and
   * this host sees none of them.
   */
  readonly holdsStore?: "this-machine" | "itself";
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
  /** Whether `writeAtomic` accepts `hold`. Default false. */
  readonly heldWrites?: boolean;
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

/** Options of a request over HTTP. */
export interface HostNetOptions extends HostOptions {
  /**
   * The address itself may be on a private network: the user wrote this origin into settings, a command line or
   * options. "by-name": only if the host is not public by its name or address, so that the user who allowed that name knew it.
   * Tools cannot choose, their grant decides. Default false: only public addresses are reached.
   */
  readonly allowsPrivate?: boolean | "by-name";
}

/** Network of a host. */
export interface HostNet {
  /**
   * Sends one request; a redirect is returned, never followed, so that each hop is judged. The name is resolved once,
   * and the connection goes to an address that was checked. Rejects with PERMISSION_DENIED for an address that is not
   * public, INVALID_INPUT for other schemes, credentials in the address and ports of other protocols, and UNAVAILABLE
   * where no answer comes.
   */
  fetch(request: HostRequest, options?: HostNetOptions): Promise<HostResponse>;
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
