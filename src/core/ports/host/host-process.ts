import type { Confinement } from "../confinement.ts";
import type { HostOptions } from "./host-stat.ts";

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
