export { type AgentRun, type KitRunOptions } from "./agent-run.ts";
export { createToolkit } from "./create-toolkit.ts";
export type { ConfinementReport, DoctorCheck, DoctorReport, DriverReport } from "./doctor.ts";
export type { CallPreview } from "./call-engine.ts";
export type { Kit } from "./kit.ts";
export type { ConfinedRun, RunConfinedOptions } from "./confinement/run-confined.ts";
export type { ForkSessionOptions, KitSessions } from "./sessions/kit-sessions.ts";
export type { SessionStorage } from "./sessions/session-file.ts";
export type {
  ExportOptions as ExportSessionOptions,
  LogEntry as SessionLogEntry,
  SessionInfo,
  StoredConversation,
} from "../session/index.ts";
export type { KitTasks, ReadTaskOptions, TaskText } from "./tasks.ts";
export type { ListedRule, Permissions, RuleAddition, RuleChange } from "./rules/permissions.ts";
export type {
  Background,
  DeriveOptions,
  PreviewCallOptions,
  SandboxOption,
  ToolkitOptions,
  ToolSelection,
} from "./options/options.ts";
export type { WorkspaceTrust } from "./rules/workspace-trust.ts";
