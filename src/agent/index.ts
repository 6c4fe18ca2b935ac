export { aiSdkModel, type AiSdkOptions, type LanguageModelLike } from "./ai-sdk/language-model.ts";
export { providerNames, type ProviderOptions } from "./ai-sdk/providers.ts";
export { type RunClock } from "./clock.ts";
export { type RunLimits } from "./limits.ts";
export { loadModel, type LoadModelOptions } from "./load-model.ts";
export type { FinishReason, Model, ModelEvent, ModelRequest, ToolDefinition } from "./model.ts";
export { startRun, type AgentRun, type RunOptions } from "./run.ts";
export type { Denial, RunResult, RunStatus } from "./run-result.ts";
export { parseScript } from "./script/parse-script.ts";
export type {
  Script,
  ScriptCall,
  ScriptCondition,
  ScriptReply,
  ScriptRule,
  ScriptTurn,
} from "./script/script.ts";
export { scriptedModel } from "./script/scripted-model.ts";
export { type Steps, type WorkTogether } from "./steps.ts";
export { defaultSystemPrompt } from "./system-prompt.ts";
export {
  repairMessages,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ProviderData,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
} from "../session/index.ts";
