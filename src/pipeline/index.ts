export { CallState } from "./call-state.ts";
export {
  AskQueue,
  FailureStreaks,
  type AfterHookAnswer,
  type AfterHookInput,
  type ApprovalGrounds,
  type ApprovalRefused,
  type BeforeHook,
  type BeforeHookAnswer,
  type BeforeHookInput,
  type HookVerdict,
  type CallRecordRequest,
  type CallConfinement,
  type Checkpoints,
  type ConfinementAccount,
  type ConfineRequest,
  type Hooks,
  type PipelineEnvironment,
  type Taint,
  type Tracer,
} from "./environment.ts";
export { compensateCall } from "./undo/compensate.ts";
export { reconcileCall } from "./undo/reconcile.ts";
export { declaredPreview, previewCall, type PreviewOptions } from "./preview/preview.ts";
export { shownPreview } from "./preview/shown-preview.ts";
export {
  explainCall,
  forecastCall,
  runCall,
  type Admit,
  type RunCallOptions,
} from "./run/run-call.ts";
export { toolErrorOf } from "./run/call-errors.ts";
export { shareStops } from "./run/abort-listeners.ts";
export { TurnState } from "./run/turn-state.ts";
export { Turns } from "./run/latest-turns.ts";
export {
  type UndoReport,
  type HistoryEntry,
  type PastParts,
  pastCalls,
  redoPast,
  undoPast,
} from "./undo/undo-calls.ts";
