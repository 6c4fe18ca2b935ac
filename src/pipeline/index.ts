export { hiddenEvent } from "./hidden-event.ts";
export { CallState } from "./call-state.ts";
export {
  AskQueue,
  FailureStreaks,
  type AfterHookAnswer,
  type AfterHookInput,
  type ApprovalGrounds,
  type ApprovalRefused,
  type BeforeHookAnswer,
  type BeforeHookInput,
  type CallConfinement,
  type Checkpoints,
  type ConfinementAccount,
  type ConfineRequest,
  type Hooks,
  type PipelineEnvironment,
  type Taint,
  type Tracer,
} from "./environment.ts";
export { compensateCall } from "./compensate.ts";
export { RedactedStream, redact } from "./redact.ts";
export { declaredPreview, previewCall, type PreviewOptions } from "./preview.ts";
export { shownPreview } from "./shown-preview.ts";
export {
  explainCall,
  forecastCall,
  runCall,
  toolErrorOf,
  type Admit,
  type RunCallOptions,
} from "./run-call.ts";
export { shareStops } from "./stops.ts";
export { TurnState } from "./turn-state.ts";
