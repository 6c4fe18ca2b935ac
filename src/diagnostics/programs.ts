import type { Confinement, EndedProgram, Host } from "../core/index.ts";

/** Starts checkers and language servers the way commands of tools are started. */
export interface CheckPrograms {
  readonly host: Pick<Host, "proc" | "clock" | "fs">;
  readonly newId: () => string;
  /** Directory in which they start. */
  readonly workspace: string;
  /** Rejects if the program may not run, or not continue to, as when the workspace is not trusted any more. */
  readonly verify: (program: {
    /** The command as it is written. */
    readonly command: readonly string[];
    /** File of the workspace that names the program; undefined for one that needs no trust. */
    readonly file: string | undefined;
  }) => Promise<void>;
  /** Opens a confinement in which the workspace can be read and not changed. */
  readonly confine: (argv: readonly string[]) => Promise<{
    /** Undefined if commands run unconfined here. */
    readonly confinement: Confinement | undefined;
    close(ended: readonly EndedProgram[]): Promise<unknown>;
  }>;
}
