export type { JournalBudget } from "./capture.ts";
export type { UndoOptions, UndoTarget } from "./chosen-calls.ts";
export { createCompensations, type Compensation, type Compensations } from "./compensations.ts";
export type { ThreeWayDifference } from "./conflict-error.ts";
export type { Change, Image } from "./image.ts";
export type {
  Assessment,
  CallInfo,
  Checkpoint,
  CheckpointInfo,
  HistoryEntry,
  PathDifference,
} from "./history.ts";
export type { JournalReport } from "./examine.ts";
export { createJournal, type Journal, type JournalOptions } from "./journal.ts";
export type { JournalProcesses } from "./owner.ts";
export type { DecodeOlder } from "./readable-text.ts";
export type { Skipped, UndoLevel } from "./records.ts";
export type { Collected, JournalQuota } from "./retention.ts";
export type { UndoResult } from "./undo.ts";
export { summaryOfChanges, textOfChanges } from "./describe-preview.ts";
export {
  previewStaged,
  type StagedPreview,
  type StagedPreviewLimits,
  type StagedPreviewOptions,
} from "./staged-preview.ts";
