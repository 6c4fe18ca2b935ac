import type { StagedEntry } from "../../../core/index.ts";

/** What has been found so far. */
export interface FoundChanges {
  change(path: string, to: StagedEntry): void;
  refuse(path: string, because: string): void;
  /** Called at each step of a long walk. */
  pace(): Promise<void> | undefined;
}
