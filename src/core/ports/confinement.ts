/** `enforced`: no way around is known. `partial`: held, but for the gaps. `none`: not held. */
export type Strength = "enforced" | "partial" | "none";

/** Something that confines and does not stop this. */
export interface Gap {
  /** Stays the same; tests and settings may name it. */
  readonly id: string;
  readonly text: string;
}

/** What holds for a command, for people and programs. */
export interface SandboxReport {
  /** Name of the driver: `bwrap`, `landlock`, `unshare`, `sandbox-exec`, `srt` or `none`. */
  readonly provider: string;
  readonly version?: string;
  readonly filesystem: Strength;
  /** `granted` where the policy opens it. */
  readonly network: Strength | "granted";
  readonly ipc: Strength;
  /** `enforced`: others are neither seen nor reached, and what a command leaves behind is ended with it, within moments. */
  readonly process: Strength;
  /** What can be taken back of what a command did; drivers themselves take nothing back. */
  readonly undo: "full" | "partial" | "none";
  readonly gaps: readonly Gap[];
}

/** A descriptor a host opens anew for each start and hands to the program under this number. */
export type Descriptor =
  | { readonly number: number; readonly kind: "file"; readonly path: string }
  /** A connection to a unix socket. */
  | { readonly number: number; readonly kind: "socket"; readonly path: string };

/** What a host starts in place of a program; nothing else has to be known about what confines it. */
export interface Confined {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Numbered from 3 up. Numbers between them are left as they are, so what a program would inherit from this one (a
   * descriptor that is not closed on exec) is among them, with /dev/null in its place.
   */
  readonly descriptors: readonly Descriptor[];
  /** How many processes stand between what is started and the program: 2 where its parent's parent is. Default: none. */
  readonly depth?: number;
}

/** How programs are started so that they cannot do more than they may: in a sandbox, on an overlay, or both. */
export interface Confinement {
  /** `cwd` is a canonical directory; `env` comes on top of what the confinement lets through. */
  wrap(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Confined | Promise<Confined>;
  /**
   * Called once when a program and all that is waited for have ended, before its exit is told. Never fails: what goes
   * wrong is told by who made it. What it answers is told with what the program itself complained of.
   */
  ended?(): Promise<string | undefined>;
  /** Starts the same programs, confined in the same way, for less. Absent where there is nothing cheaper than `wrap`. */
  readonly helper?: ConfinedHelper;
}

/**
 * A process that stays, is confined, and starts programs, which are its children and held as it is. It is told what to
 * start over sockets, never over pipes or files, and runs nothing but the starting.
 */
export interface ConfinedHelper {
  /** What it holds its programs to. Those of one key are alike; no program is ever started by one of another key. */
  readonly key: string;
  /** It holds to what stood at these paths when it was started: once something else stands there, another one is. */
  readonly places?: readonly string[];
  /** What is started so that it runs this. */
  launch(argv: readonly string[]): Confined;
  /** What confines it before it starts anything: a module, whose `confine(data)` it calls. Absent where `launch` does. */
  readonly itself?: { readonly module: string; readonly data: string };
  /**
   * For one that sees files and processes in its own way: it cannot open what others hold, and its programs can be
   * signalled by nobody else. A private directory that is the same for both, where pipes for it are made.
   */
  readonly shared?: string;
  /** What it starts for a program. */
  plain(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Confined;
}

/** How a program of a call ended, with the last of what it complained. */
export interface EndedProgram {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** Canonical. */
  readonly cwd: string;
}

/** One path a command changed on an overlay of the real tree, where nothing has happened yet. */
export interface StagedChange {
  /** Canonical, in the real tree. */
  readonly path: string;
  /** What it becomes there. */
  readonly to: StagedEntry;
}

export type StagedEntry =
  | { readonly kind: "absent" }
  /** `source` is a file that has all of it (content, permission bits, times, attributes) and may be moved to the path. */
  | {
      readonly kind: "file";
      readonly source: string;
      readonly size: number;
      readonly mode: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number };

/** What a command did on its overlay, ready to be shown, applied or dropped. */
export interface StagedChanges {
  /** Milliseconds since the epoch when the command began: who touched a path in the real tree later was somebody else. */
  readonly since: number;
  /** By path. Everything below a deleted directory is named, so that all of it can be kept. */
  readonly changes: readonly StagedChange[];
  /** Changes that can not be brought to the real tree (a socket, a device), and why. */
  readonly refused: readonly { readonly path: string; readonly because: string }[];
  /** Trees the command wrote straight through: whatever it did there is not in `changes` and cannot be taken back. */
  readonly through: readonly string[];
  /** Where what leaves the real tree can be moved to, as long as the staged files are there. Left out: nowhere. */
  readonly aside?: string;
}
