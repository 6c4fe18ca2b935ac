export { CallState } from "./call-state.ts";
export { blockedHint } from "./approval/denial-messages.ts";
export { isAnswerTo } from "./approval/check-answer.ts";
export { QuestionQueue, FailureStreaks } from "./environment/ask-queue.ts";
export { eventSource } from "./event-source.ts";
export { resolved } from "./step.ts";
export { type Checkpoints } from "./environment/checkpoints.ts";
export {
  type ApprovalContext,
  type ApprovalRefused,
  type CallConfinement,
  type ConfinementAccount,
  type ConfineRequest,
} from "./environment/confinement.ts";
export {
  type CallRecordRequest,
  type PipelineEnvironment,
  type Taint,
  type Tracer,
} from "./environment/environment.ts";
export {
  type AfterHookAnswer,
  type AfterHookInput,
  type BeforeHook,
  type BeforeHookAnswer,
  type BeforeHookInput,
  type HookVerdict,
  type Hooks,
  givenHooksNotes,
  type KnownHooks,
} from "./environment/hooks.ts";
export { compensateCall } from "./undo/tool-undo.ts";
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
export { Turns, TurnState } from "./run/turn-state.ts";
export {
  type UndoReport,
  type HistoryEntry,
  type PastParts,
  pastCalls,
  redoPast,
  undoPast,
} from "./undo/undo-calls.ts";
