import type { Readable, Writable } from "node:stream";
import type { ConfinedHelper, Descriptor } from "../../../core/index.ts";
import type { FileIdentity } from "../helper/protocol.ts";

/** A program to start. */
export interface LaunchSpec {
  readonly argv: readonly string[];
  /** A path that leads to the directory while `start` runs; it may be one of a descriptor of this program. */
  readonly cwd: string;
  /** The whole environment; nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the program gets a `stdin` to write to; without, reading it ends at once. */
  readonly hasInput: boolean;
  /** Opened for this start alone and handed on under their numbers, from 3 up. */
  readonly descriptors?: readonly Descriptor[] | undefined;
  /** The same program as a confined helper starts it, where this launcher has helpers; all the rest is for where not. */
  readonly helped?: HelperStart | undefined;
}

/** A program to start through a confined helper. */
export interface HelperStart {
  readonly helper: ConfinedHelper;
  readonly argv: readonly string[];
  /** As that of a `LaunchSpec`. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly at?: FileIdentity | undefined;
  readonly file?: { readonly path: string; readonly at?: FileIdentity } | undefined;
}

/** A program that was started, as the leader of its own session and group. */
export interface Child {
  readonly pid: number;
  /** When it was started, in clock ticks of the machine: with the pid, a name that is never used twice. */
  readonly startTicks: number | undefined;
  /** Told by `data` alone, and the bytes are another's once the listener has returned. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  /** Calls back once when the program itself has ended, whoever still holds its output. */
  onExit(callback: (code: number | null, signal: string | null) => void): void;
}

/**
 * Starts programs for a host: from this program, through a helper process, or confined. Its programs
 * are processes of this machine that can be seen and signalled by their pid.
 */
export interface Launcher {
  /** Begins the marks of the programs of its host. Left out: the host finds one. */
  mark?(): Promise<string>;
  /** Resolves once the program runs; a missing program is NOT_FOUND, one that may not be executed ACCESS_DENIED. */
  start(spec: LaunchSpec): Promise<Child>;
  /** Lets go of whatever it holds. Its programs have ended before. */
  dispose(): Promise<void>;
}
