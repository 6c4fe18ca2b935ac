export { dangerousCommands } from "./dangerous-commands.ts";
export { loadSettings, settingsFiles, type LoadSettingsOptions } from "./load-settings.ts";
export { overLimits, readLimits, type LimitProblem, type LimitValues } from "./read-limits.ts";
export { readSearch, searchChoices } from "./read-search.ts";
export { ruleFile, rulesAsSaved, type SavedRule, type SaveRuleOptions } from "./rule-file.ts";
export { savedByPerson, type SavedByPerson, type SavedRulesOptions } from "./saved-rules.ts";
export { overlays, readSecrets, requires } from "./read-sandbox.ts";
export { removeRule, saveRule, trusting } from "./saving.ts";
export type {
  GrepOptions,
  LoadedSettings,
  PermissionSettings,
  Settings,
  SettingsFile,
  SettingsProblem,
  SettingsScope,
  SandboxSettings,
  SearchOptions,
} from "./settings.ts";
export {
  defaultDataDirectory,
  isTrusted,
  trustedConfiguration,
  type TrustOptions,
  type TrustState,
} from "./trust.ts";
