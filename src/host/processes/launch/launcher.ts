import type { Readable, Writable } from "node:stream";
import type { ConfinedHelper, Descriptor } from "../../../core/index.ts";
import type { FileIdentity } from "../helper/protocol.ts";

/** A program to start. */
export interface LaunchSpec {
  readonly argv: readonly string[];
  /** A path that leads to the directory while `start` runs; it may lead through a descriptor of this process. */
  readonly cwd: string;
  /** The whole environment; nothing is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the program gets a `stdin` pipe; otherwise its input is empty. */
  readonly hasInput: boolean;
  /** Descriptors opened for this start only, passed on under their numbers, from 3 up. */
  readonly descriptors?: readonly Descriptor[] | undefined;
  /**
   * The same program for a confined helper, used if the launcher has helpers; all other fields apply if it has none.
   */
  readonly helped?: HelperStart | undefined;
}

/** A program to start through a confined helper. */
export interface HelperStart {
  readonly helper: ConfinedHelper;
  readonly argv: readonly string[];
  /** As in `LaunchSpec`. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly at?: FileIdentity | undefined;
  readonly file?: { readonly path: string; readonly at?: FileIdentity } | undefined;
}

/** A program that was started, as the leader of its own session and process group. */
export interface Child {
  readonly pid: number;
  /** Start time in clock ticks of the machine; together with the pid it is unique. */
  readonly startTicks: number | undefined;
  /** Emits only `data`; the bytes are overwritten once the listener has returned. */
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  /** Calls back once when the program itself has ended, even if other processes still hold its output open. */
  onExit(callback: (code: number | null, signal: string | null) => void): void;
}

/**
 * Starts programs for a host: directly, through a helper process, or confined. The programs are processes of this
 * machine and can be inspected and signalled by their pid.
 */
export interface Launcher {
  /** Prefix of the tags of the host's programs. Default: created by the host. */
  mark?(): Promise<string>;
  /**
   * Resolves once the program runs; throws NOT_FOUND for a missing program and ACCESS_DENIED for one that may not be
   * executed.
   */
  start(spec: LaunchSpec): Promise<Child>;
  /** Releases all resources. The host ends its programs before. */
  dispose(): Promise<void>;
}
