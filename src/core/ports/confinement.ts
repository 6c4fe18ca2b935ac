/** `enforced`: no bypass is known. `partial`: enforced except for the listed gaps. `none`: not enforced. */
export type SandboxStrength = "enforced" | "partial" | "none";

/** A known way past a confinement: something it does not stop. */
export interface SandboxGap {
  /** Stable across versions; tests and settings may refer to it. */
  readonly id: string;
  /** Operation that is not stopped, in one sentence. */
  readonly text: string;
}

/** Report of the confinement in force for a command, for users and programs. */
export interface SandboxReport {
  /** Name of the driver, such as `bwrap`; `none` where nothing is confined. */
  readonly provider: string;
  /** Version of the driver's program. */
  readonly version?: string;
  /** Confinement of files. */
  readonly filesystem: SandboxStrength;
  /** `granted` where the policy allows network access. */
  readonly network: SandboxStrength | "granted";
  /** Confinement of communication with other processes. */
  readonly ipc: SandboxStrength;
  /**
   * `enforced`: the command can neither see nor reach other processes, and the processes it leaves behind are ended
   * with it, within moments.
   */
  readonly process: SandboxStrength;
  /** How much of a command's changes can be undone; drivers themselves undo nothing. */
  readonly undo: "full" | "partial" | "none";
  /** Known ways past the confinement. */
  readonly gaps: readonly SandboxGap[];
}

/** A descriptor that the host opens again for each start and passes to the program under this number. */
export type Descriptor =
  | { readonly number: number; readonly kind: "file"; readonly path: string }
  /** A connection to a unix socket. */
  | { readonly number: number; readonly kind: "socket"; readonly path: string };

/** A command line that the host starts instead of the program; it needs to know nothing else about the confinement. */
export interface Confined {
  /** Program and arguments that start the confined program. */
  readonly argv: readonly string[];
  /** Directory in which to start it. */
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Numbered from 3 up. Unlisted numbers in between are left as they are, so a descriptor that the program would
   * inherit from this process (one that is not closed on exec) is listed, with /dev/null as its file.
   */
  readonly descriptors: readonly Descriptor[];
  /**
   * Number of generations from the started process down to the program: 2 where the program's grandparent is started.
   * Default: the started process is the program.
   */
  readonly depth?: number;
}

/** A way to start programs so that they cannot exceed their permissions: in a sandbox, on an overlay, or both. */
export interface Confinement {
  /** `cwd` is a canonical directory; `env` is added to the variables that the confinement passes on. */
  wrap(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Confined | Promise<Confined>;
  /**
   * Called once when a program and everything the host waits for have ended, before the exit is reported. Never
   * rejects: the creator of the confinement reports failures. The returned text is appended to the program's stderr.
   */
  ended?(): Promise<string | undefined>;
  /** Starts the same programs under the same confinement at lower cost. Absent where nothing is cheaper than `wrap`. */
  readonly helper?: ConfinedHelper;
}

/**
 * A resident, confined process that starts programs as its children, under its own confinement. It receives start
 * requests over sockets, never over pipes or files, and does nothing but start programs.
 */
export interface ConfinedHelper {
  /**
   * Identifies the confinement of its programs. Helpers with the same key are interchangeable; a program is never
   * started by a helper with another key.
   */
  readonly key: string;
  /**
   * Paths whose files or directories are bound when the helper starts: once one of them is replaced, a new helper is
   * started.
   */
  readonly places?: readonly string[];
  /** Returns the command to start so that the helper runs `argv`. */
  launch(argv: readonly string[]): Confined;
  /**
   * Module whose `confine(data)` the helper calls to confine itself before it starts anything. Absent where `launch`
   * confines it.
   */
  readonly itself?: { readonly module: string; readonly data: string };
  /**
   * Private directory that the host and the helper both see, where the helper's pipes are created. Set for a helper
   * with its own view of files and processes, which cannot open the descriptors of other processes and whose programs
   * only it can signal.
   */
  readonly shared?: string;
  /** Returns the command that the helper starts for a program. */
  plain(
    argv: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ): Confined;
}

/** The exit of a call's program, with the end of its stderr. */
export interface EndedProgram {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  /** Canonical. */
  readonly cwd: string;
}

/** One path that a command changed on an overlay; the real tree is still unchanged. */
export interface StagedChange {
  /** Canonical path in the real tree. */
  readonly path: string;
  /** State of the path once the change is applied. */
  readonly to: StagedEntry;
}

/** State of a path after a staged change. */
export type StagedEntry =
  | { readonly kind: "absent" }
  /**
   * `source` is a complete file (content, permission bits, times, attributes) that may be moved to the path.
   */
  | {
      readonly kind: "file";
      readonly source: string;
      readonly size: number;
      readonly mode: number;
      readonly mtimeMs: number;
    }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number };

/** The changes of a command on its overlay, ready to be shown, applied or dropped. */
export interface StagedChanges {
  /**
   * Start of the command, in milliseconds since the epoch: a later change in the real tree was made by another process.
   */
  readonly since: number;
  /** Sorted by path. Lists everything below a deleted directory, so that all of it can be stored for undo. */
  readonly changes: readonly StagedChange[];
  /** Changes that cannot be applied to the real tree (a socket, a device), with the reason. */
  readonly refused: readonly { readonly path: string; readonly because: string }[];
  /** Trees that the command wrote directly: changes there are not in `changes` and cannot be undone. */
  readonly through: readonly string[];
  /**
   * Directory to which entries removed from the real tree can be moved, available as long as the staged files are.
   * Default: none.
   */
  readonly aside?: string;
}
