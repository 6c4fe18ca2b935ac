export { hookName, handlerText, type Hook, type HookOrigin } from "./hooks/hook.ts";
export { hookEvents, type HookEventName } from "./hooks/hook-events.ts";
export { absoluteInput, hookInput, hookVariables } from "./hooks/hook-input.ts";
export type { HookSet, HookVerdicts } from "./hooks/hook-set.ts";
export { loadHooks, type LoadedHooks } from "./hooks/load-hooks.ts";
export type { HookContext, HookRun } from "./hooks/run-hook.ts";
export { dangerousCommands } from "./settings/dangerous-commands.ts";
export { loadSettings, settingsFiles, type LoadSettingsOptions } from "./settings/load-settings.ts";
export {
  overLimits,
  readLimits,
  type LimitProblem,
  type LimitValues,
} from "./settings/read-limits.ts";
export { readSearch, searchChoices } from "./settings/read-search.ts";
export {
  ruleFile,
  rulesAsSaved,
  type SavedRule,
  type SaveRuleOptions,
} from "./settings/rule-file.ts";
export {
  savedByPerson,
  type SavedByPerson,
  type SavedRulesOptions,
} from "./settings/saved-rules.ts";
export { overlays, readSecrets, requires } from "./settings/read-sandbox.ts";
export { removeRule, saveRule, trusting } from "./settings/saving.ts";
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
} from "./settings/settings.ts";
export {
  defaultDataDirectory,
  isTrusted,
  trustedConfiguration,
  type TrustOptions,
  type TrustState,
} from "./trust/trust.ts";
