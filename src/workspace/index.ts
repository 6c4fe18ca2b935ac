export {
  hookName,
  handlerText,
  type Hook,
  type HookCaller,
  type HookOrigin,
} from "./hooks/hook.ts";
export { hookEvents, type HookEventName } from "./hooks/hook-events.ts";
export { absoluteInput, hookInput, hookVariables } from "./hooks/hook-input.ts";
export type { HookSet, HookVerdicts } from "./hooks/hook-set.ts";
export { hooksOfDocument, loadHooks } from "./hooks/lazy-hooks.ts";
export type { HooksOfDocument, LoadedHooks } from "./hooks/load-hooks.ts";
export type { AskHookModel, CallHookTool, HookContext, HookRun } from "./hooks/run-hook.ts";
export { dangerousCommands } from "./settings/dangerous-commands.ts";
export {
  areTrustedSettings,
  loadSettings,
  settingsFiles,
  watchedFiles,
  type LoadSettingsOptions,
} from "./settings/load-settings.ts";
export { overLimits } from "./settings/merge/limits.ts";
export {
  overlays,
  requires,
  contextShare,
  searchChoices,
  secretSettings,
} from "./settings/schema/named-settings.ts";
export { readSetting, type SettingPath } from "./settings/schema/setting.ts";
export type { SettingValues } from "./settings/schema/settings-schema.ts";
export {
  ruleFile,
  rulesAsSaved,
  type SavedRule,
  type SaveRuleOptions,
} from "./settings/rule-file.ts";
export {
  savedByUser,
  type UserSavedRules,
  type SavedRulesOptions,
} from "./settings/saved-rules.ts";
export { removeRule, saveRule, trusting } from "./settings/saving.ts";
export type {
  AgentSettings,
  BashSettings,
  DeferralSettings,
  DiagnosticSettings,
  GrepOptions,
  PermissionSettings,
  Settings,
  SandboxSettings,
  SearchOptions,
  SkillHubSettings,
  ToolAgentSettings,
  WebSearchSettings,
} from "./settings/settings.ts";
export type {
  HookSource,
  LoadedSettings,
  SettingsFile,
  SettingsLayer,
  SettingsProblem,
  SettingsScope,
} from "./settings/loaded-settings.ts";
export { dataDirectories, defaultDataDirectory, workspaceId } from "./data-directory.ts";
export { trustedConfiguration } from "./trust/configuration.ts";
export { trustRecord, type TrustedGuards, type TrustOptions } from "./trust/record.ts";
export { isTrusted, trustState, type TrustState } from "./trust/trust.ts";
export type { TrustedProgram } from "./trust/change-trust.ts";
export {
  coveredPaths,
  filesOfRecord,
  isTrustedContent,
  isTrustRevoked,
  trustedFiles,
  verifyProgram,
  verifyServer,
  type TrustedFiles,
} from "./trust/trusted-files.ts";
export { loadServers } from "./servers/lazy-servers.ts";
export type { FoundServer } from "./servers/load-servers.ts";
export { documentDirectories } from "./documents/document-directories.ts";
export { hasAgentFiles } from "./agents/agent-directories.ts";
export { loadAgents, type LoadAgentsOptions } from "./agents/load-agents.ts";
export type { CheckedFile, FileProblem } from "./check/checked-file.ts";
export type { SettingEntry } from "./settings/show/setting-entries.ts";
export type { SavedSetting } from "./settings/show/set-setting.ts";

export type { SettingDifference, SettingsValues } from "./settings/show/settings-difference.ts";

/** Loads what shows, checks and changes settings; a session that only runs calls needs none of it. */
export const configuration = async () => await import("./settings/show/configuration.ts");
export { loadPlugins, pluginTools } from "./plugins/lazy-plugins.ts";
export {
  pluginServers,
  type LoadedPlugins,
  type Plugin,
  type PluginServer,
} from "./plugins/plugin.ts";
export type { PluginSource } from "./plugins/plugin-store.ts";
export type { PluginProblem } from "./plugins/read-manifest.ts";
export type { PackagePart } from "./plugins/plugin-contents.ts";
export type { PluginPlace, ReviewedPlugin } from "./plugins/install-plugin.ts";
export type { HiddenText, ReviewedFile } from "./packages/review-package.ts";

/** Loads what installs plugins. */
export const pluginInstaller = async () => await import("./plugins/installer.ts");
export { hubAddresses } from "./hubs/hub-addresses.ts";
export type { HubSkill } from "./hubs/hub.ts";
export type { FoundHubSkills } from "./hubs/hubs.ts";
export type { ReviewedSkillProblem } from "./hubs/install-skill.ts";
export type { InstalledSkill } from "./hubs/skill-lock.ts";

/** Loads what searches hubs and installs skills. */
export const skillHubReader = async () => await import("./hubs/reader.ts");
export { expandSkill } from "./skills/expand-skill.ts";
export { loadSkills, readSkillAt, readSkillFiles, skillFields } from "./skills/lazy-skills.ts";
export type { FoundSkill, LoadedSkills } from "./skills/load-skills.ts";
export type {
  InstructionFile,
  InstructionProblem,
  Instructions,
  ReadInstructionsOptions,
} from "./instructions/read-instructions.ts";

/** Loads the reader of instructions with the first run. */
export const instructionReader = async () => await import("./instructions/reader.ts");
export { notUsable } from "./documents/not-usable.ts";
export { hasCommandFiles } from "./commands/command-directories.ts";
export type { LoadedCommands } from "./commands/load-commands.ts";
export type { CommandFile } from "./commands/load-commands.ts";
export type { CommandProblem, SlashCommand } from "./commands/read-command.ts";

/** Loads what reads slash commands with the first one. */
export const commandReader = async () => await import("./commands/reader.ts");
export { explainedPrograms, type ExplainedProgram } from "./plugins/explained-program.ts";
export { ToolProblems, unstoredHint } from "./check/tool-problems.ts";
