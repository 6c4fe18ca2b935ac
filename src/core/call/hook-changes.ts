/** Change of a file of a completed call while programs of its hooks ran, as a formatter makes. */
export interface HookChange {
  readonly path: string;
  /** Hooks whose programs ran meanwhile. */
  readonly hooks: readonly string[];
  /** Whether the change now belongs to the call, so that undo covers it. */
  readonly isPart: boolean;
  /** State in which the call left the file. */
  readonly before: HookChangeSide;
  readonly after: HookChangeSide;
}

/** State of a file before or after a change by a program of a hook. */
export interface HookChangeSide {
  readonly kind: "absent" | "file" | "symlink" | "directory" | "special";
  /** Hash of the content; missing for anything but a file. */
  readonly hash?: string;
  /** Missing where the file is large. */
  readonly bytes?: Uint8Array;
}

/**
 * Called directly before a program of a hook starts. The returned function is called directly after it and its children
 * have ended; `hasRun` is false if it could not start.
 */
export type HookProgramListener = (hook: string) => Promise<(hasRun: boolean) => Promise<void>>;
