export type { CreatedToolCheck, CreatedToolInfo, KitCreatedTools } from "./created/lazy-created.ts";
export type { AgentRun } from "./runs/agent-run.ts";
export type { KitRunOptions } from "./runs/run-options.ts";
export type { DelegateTask, KitAgents, StartAgentOptions } from "./agents/bound-agents.ts";
export { createToolkit } from "./create-toolkit.ts";
export type { CallPreview } from "./call-engine.ts";
export type { Kit } from "./kit.ts";
export type { KitEvents, KitStorage, KitWorkspace } from "./groups/workspace-groups.ts";
export type { KitDeferral } from "./groups/kit-deferral.ts";
export type { CollectionReport } from "./kit-parts.ts";
export type { ConfinedRun } from "./confinement/run-confined.ts";
export type { ForkSessionOptions, KitSessions } from "./sessions/kit-sessions.ts";
export type { SessionStorage } from "./sessions/session-file.ts";
export type {
  ExportSessionOptions,
  SessionLogEntry,
  SessionInfo,
  StoredConversation,
} from "../session/index.ts";
export type { ModelChoice } from "./runs/models.ts";
export type { ExportedSkill, KitSkillList, SkillFault, SkillListing } from "./skills/skill-list.ts";
export type {
  KitMcp,
  McpLogin,
  McpLoginOptions,
  McpServerCheck,
  McpServerInfo,
  McpToolInfo,
} from "./mcp/kit-mcp.ts";
export type { McpProvider, McpProviderContext, McpProviderServer } from "./mcp/providers.ts";
export type { HookListing, HookSample, HookTestResult, KitHookList } from "./hooks/hook-list.ts";
export type {
  KitPlugins,
  PluginListing,
  PluginReview,
  PluginReviewOptions,
} from "./plugins/kit-plugins.ts";
export type { KitSkillHubs, SkillReview, SkillReviewOptions } from "./skills/skill-hubs.ts";
export type { KitTasks, TaskText } from "./tasks.ts";
export type { ListedRule, Permissions } from "./rules/permissions.ts";
export type {
  BackgroundOption,
  DelegateOptions,
  DeriveOptions,
  NotifyOptions,
  PreviewCallOptions,
  ReadTaskOptions,
  RuleAddition,
  RuleChange,
  RunConfinedOptions,
  SandboxOption,
  ToolkitOptions,
  ToolSelection,
} from "./options/options.ts";
export type { WorkspaceTrust } from "./rules/workspace-trust.ts";
export type { KitSettings, ListSettingsOptions, SettingChange } from "./settings/kit-settings.ts";
export type {
  KitInstructions,
  PromptInstruction,
  PromptInstructions,
} from "./instructions/kit-instructions.ts";
export type {
  CommandList,
  ExpandCommandOptions,
  ExpandedCommand,
  KitCommands,
  ListedCommand,
} from "./commands/kit-commands.ts";
