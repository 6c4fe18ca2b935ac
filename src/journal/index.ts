export type { JournalBudget } from "./capture/capture.ts";
export type { HookChangeTracker, HookedCall } from "./capture/hook-changes.ts";
export type { UndoOptions, UndoTarget } from "./undo/select-calls.ts";
export {
  createCompensations,
  type ToolUndoRecord,
  type Compensations,
} from "./undo/tool-undo-store.ts";
export type { ThreeWayDifference } from "./undo/conflict-error.ts";
export type { FileChange, FileState } from "./capture/file-state.ts";
export type {
  UndoAssessment,
  JournaledCall,
  Checkpoint,
  CheckpointInfo,
  JournalEntry,
  PathDifference,
} from "./history.ts";
export type { JournalReport } from "./examine.ts";
export { createJournal, type Journal } from "./journal.ts";
export type { JournalOptions } from "./journal-options.ts";
export type { JournalProcesses } from "./liveness/owner.ts";
export type { DecodeOlder } from "./preview/decode-sides.ts";
export type { NotCaptured, UndoLevel } from "./records.ts";
export type { Collected, JournalQuota } from "./log/collect.ts";
export type { HookPart, UndoResult } from "./undo/finish-undo.ts";
export { summaryOfChanges, textOfChanges } from "./preview/summarize.ts";
export {
  previewStaged,
  type StagedPreview,
  type StagedPreviewLimits,
  type StagedPreviewOptions,
} from "./preview/staged-preview.ts";
export { makeOwnFolder } from "./log/private-directory.ts";
