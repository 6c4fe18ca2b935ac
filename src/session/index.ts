export { messagesFromEvents, type ConversationQuery } from "./conversation.ts";
export type { EventLogOptions } from "./event-log.ts";
export { openEventLog } from "./open-event-log.ts";
export { memoryFileStates, type FileStates } from "./file-state.ts";
export { keptJobs, type KeepJobsOptions, type KeptJobs } from "./jobs/jobs.ts";
export { outputsInUse } from "./jobs/outputs-in-use.ts";
export { memoryEventLog, type MemoryEventLogOptions } from "./memory-event-log.ts";
export {
  toolCallsOf,
  userMessage,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ProviderData,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
} from "./messages.ts";
export { interruptedResult, repairMessages } from "./repair-messages.ts";
export type {
  EventQuery,
  LogHealth,
  SessionLog,
  SessionSummary,
  StoredEvent,
} from "./session-log.ts";
export { WaitingEvents } from "./waiting-events.ts";
export {
  workingDirectories,
  type KeepDirectoriesOptions,
  type WorkingDirectories,
} from "./working-directory.ts";
