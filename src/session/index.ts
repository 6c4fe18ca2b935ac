export { messagesFromEvents, type ConversationQuery } from "./messages/conversation.ts";
export type { EventLogOptions } from "./events/event-log.ts";
export { openEventLog, openMemoryEventLog } from "./events/open-event-log.ts";
export { memoryFileStates, type FileStates } from "./state/file-state.ts";
export type { MemoryEventLogOptions } from "./events/memory-event-log.ts";
export {
  toolCallsOf,
  userMessage,
  type AssistantMessage,
  type AssistantPart,
  type Message,
  type ProviderData,
  type ProviderPart,
  type ToolCallPart,
  type ToolMessage,
  type ToolResultPart,
  type UserMessage,
} from "./messages/messages.ts";
export { sentMessage } from "./messages/sent-message.ts";
export { interruptedResult, isAnswer, repairMessages } from "./messages/repair-messages.ts";
export type {
  CollectEventsOptions,
  EventCollection,
  EventQuery,
  LogHealth,
  SessionLog,
  SessionSummary,
  StoredEvent,
} from "./events/session-log.ts";
export type { RunLog, StoredMail } from "./runs/run-log.ts";
export { ephemeralSteps, resultOf, type Steps, type StepBatch } from "./runs/steps.ts";
export { charsOf } from "./events/event-size.ts";
export { WaitingEvents } from "./events/waiting-events.ts";
export {
  workingDirectories,
  type KeepDirectoriesOptions,
  type WorkingDirectories,
} from "./state/working-directory.ts";
export { EventBus, type EventBusOptions, type EventFilter } from "./events/event-bus.ts";
export { openSessionStore } from "./store/open-session-store.ts";
export type { SessionStoreOptions } from "./store/sqlite-store.ts";
export type { AgentQuery, FoundAgent, StoredAgent } from "./runs/stored-agents.ts";
export type { ProcessNames } from "./store/claims.ts";
export type {
  CallRecord,
  ExportSessionOptions,
  ForkOptions,
  ImportOptions,
  PastRun,
  SessionLogEntry,
  NewCallRecord,
  NewRun,
  NewSession,
  RunEnd,
  SessionInfo,
  SessionStore,
  StoredConversation,
  StoredRun,
} from "./store/session-store.ts";
