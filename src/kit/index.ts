export { type AgentRun, type KitRunOptions } from "./agent-run.ts";
export { createToolkit } from "./create-toolkit.ts";
export type { ConfinementReport, DoctorCheck, DoctorReport, DriverReport } from "./doctor.ts";
export type { CallPreview } from "./engine.ts";
export type { Kit } from "./kit.ts";
export type { ConfinedRun, RunConfinedOptions } from "./run-confined.ts";
export type { KitTasks, ReadTaskOptions, TaskText } from "./tasks.ts";
export type { ListedRule, Permissions, RuleAddition, RuleChange } from "./permissions.ts";
export type {
  Background,
  DeriveOptions,
  PreviewCallOptions,
  SandboxOption,
  ToolkitOptions,
  ToolSelection,
} from "./options.ts";
export type { CallsUndone, PastCall } from "./undo-calls.ts";
export type { WorkspaceTrust } from "./workspace-trust.ts";
