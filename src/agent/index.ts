export type { EmbeddingSettings, ModelInfo, ModelSettings } from "../core/index.ts";
export {
  aiSdkModel,
  type AiSdkOptions,
  type LanguageModelCall,
  type LanguageModelLike,
} from "./models/ai-sdk/language-model.ts";
export { type ProviderOptions } from "./models/ai-sdk/load-provider.ts";
export { providerNames } from "./models/ai-sdk/provider-table.ts";
export { type RunClock } from "./loop/clock.ts";
export {
  budgetOfRun,
  createBudget,
  type BudgetLimits,
  type BudgetRequest,
  type BudgetReservation,
  type BudgetUse,
  type RunBudget,
} from "./loop/budget/budget.ts";
export type { CompactionOptions } from "./loop/compaction/compact-messages.ts";
export { type RunLimits } from "./loop/limits.ts";
export type {
  PrepareTurn,
  RequestOptions,
  TurnChanges,
  TurnInfo,
} from "./loop/turn/prepare-turn.ts";
export type { RetryOptions } from "./loop/turn/retry.ts";
export { loadModel, type LoadModelOptions } from "./models/load-model.ts";
export type {
  FinishReason,
  Model,
  ModelEvent,
  ModelRequest,
  ToolChoice,
  ModelTool,
} from "./models/model.ts";
export { startRun, type AgentRun, type RunOptions } from "./loop/run.ts";
export type { RunGates } from "./loop/loop-context.ts";
export { startHeardRun, type EarlyRun, type HeardRun, type Snapshot } from "./loop/run.ts";
export { askOnce } from "./models/ask-once.ts";
export { runEvents, type RunEvents } from "./loop/events/run-events.ts";
export type { RunResult, RunStatus } from "./loop/run-result.ts";
export { parseScript } from "./models/script/parse-script.ts";
export { recordedScript } from "./models/script/recorded-script.ts";
export type {
  Script,
  ScriptCall,
  ScriptCondition,
  ScriptReply,
  ScriptRule,
  ScriptTurn,
} from "./models/script/script.ts";
export { scriptedModel } from "./models/script/scripted-model.ts";
export { stepsFrom, type Step, type StepStatus, type StepType } from "./steps/steps-from.ts";
export { settleCalls, type SettleOptions } from "./resume/settle-calls.ts";
export {
  defaultPromptParts,
  defaultSystemPrompt,
  promptText,
  type PromptPart,
} from "./system-prompt.ts";
export {
  repairMessages,
  type RunLog,
  type StoredMail,
  type Steps,
  type StepBatch,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ProviderData,
  type ProviderPart,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
} from "../session/index.ts";
export { createAgents, type AgentsParts, type SharedAgents } from "./children/agents.ts";
export type { OpenChild, OpenedChild } from "./children/agent-job.ts";
export { foundInfo, interruptedAgent, type AgentStore } from "./children/keep-agents.ts";
export { completionText, startedCallText } from "./children/agent-outcome.ts";
export { forkedMessages } from "./children/fork.ts";
export { childPromptParts, chooseDefinition, generalAgent } from "./children/definitions.ts";
export { tokensOf } from "./loop/budget/estimate-tokens.ts";
export { delegateName, runDelegation } from "./delegate/run-delegation.ts";
export { delegatePrompts, type DelegatePrompts } from "./delegate/prompts.ts";
export { openWorktree, type OpenedWorktree, type WorktreeOptions } from "./worktrees/worktree.ts";
