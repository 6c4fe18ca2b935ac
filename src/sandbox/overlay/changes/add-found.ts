import type { StagedEntry } from "../../../core/index.ts";

/** Collects the changes found in a walk. */
export interface FoundChanges {
  change(path: string, to: StagedEntry): void;
  refuse(path: string, because: string): void;
  /** Called at each step of a long walk. */
  pace(): Promise<void> | undefined;
}
