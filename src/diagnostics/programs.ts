import type { Confinement, EndedProgram, Host } from "../core/index.ts";

/** Starts checkers and language servers the way commands of tools are started. */
export interface CheckPrograms {
  readonly host: Pick<Host, "proc" | "clock" | "fs">;
  readonly newId: () => string;
  /** Directory in which they start. */
  readonly workspace: string;
  /** Opens a confinement in which the workspace can be read and not changed. */
  readonly confine: (program: {
    readonly argv: readonly string[];
    /** The command as it is written, without the files to check. */
    readonly command: readonly string[];
    /** File of the workspace that names the program; undefined for one that needs no trust. */
    readonly file: string | undefined;
  }) => Promise<{
    /** Undefined if commands run unconfined here. */
    readonly confinement: Confinement | undefined;
    close(ended: readonly EndedProgram[]): Promise<unknown>;
  }>;
}
