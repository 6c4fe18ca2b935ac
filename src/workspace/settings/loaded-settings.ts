import type { LimitOptions, Mode, ModelSettings, SearchSettings } from "../../core/index.ts";
import type { CompiledRules, RuleList, RuleProblem, RuleSource } from "../../policy/index.ts";
import type { SettingPath } from "./schema/setting.ts";
import type { SettingValues } from "./schema/settings-schema.ts";
import type {
  SandboxSettings,
  DeferralSettings,
  AgentSettings,
  ToolAgentSettings,
  WebSearchSettings,
  SkillHubSettings,
  DiagnosticSettings,
} from "./settings.ts";

/** Origin of a setting; "option" is the command line or the embedding program. */
export type SettingsScope = "managed" | "option" | "local" | "project" | "user";

/** Validated settings of one source: only values of the right type, each list of rules with its line numbers. */
export interface ReadSettings {
  readonly rules: Readonly<Record<RuleList, readonly PlacedRule[]>>;
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: Mode | undefined;
  readonly isBypassDisabled: boolean;
  /** Every other setting; those of `bash` are under the names that they are another name of. */
  readonly values: SettingValues;
  readonly problems: readonly SettingsProblem[];
}

export interface PlacedRule {
  readonly rule: unknown;
  readonly line: number | undefined;
}

/** Hooks of one source, as they are written. */
export interface HookSource {
  /** An object of lists by event; undefined if the source only sets `disableAllHooks`. */
  readonly hooks: unknown;
  readonly disableAllHooks: boolean;
  readonly scope: SettingsScope;
  readonly file?: string;
  /** Whether the file belongs to another program. */
  readonly isForeign: boolean;
  /** Whether the workspace is not trusted, so that these hooks must not run. */
  readonly needsTrust: boolean;
  /** Plugin that brings them; absent for those of settings. */
  readonly plugin?: HookPlugin;
  /** Line, from 1, of a value below `hooks`, as `["PreToolUse", 0, "matcher"]`. */
  lineOf(path: SettingPath): number | undefined;
}

/** Plugin that brings hooks. */
export interface HookPlugin {
  readonly name: string;
  /** Its directory. Canonical. */
  readonly root: string;
  /** Rejects with PERMISSION_DENIED if its files are not the ones that were installed. */
  readonly verify: () => Promise<void>;
}

/** Settings of one source, as they were read. */
export interface SettingsLayer {
  readonly scope: SettingsScope;
  readonly file?: string;
  readonly isForeign: boolean;
  /** Whether it may allow more than other sources; false for the files of an untrusted workspace. */
  readonly mayWiden: boolean;
  readonly read: ReadSettings;
  /** The value as it is in the file; undefined if the file cannot be read. */
  readonly written: unknown;
  /** Line, from 1, on which a value begins. */
  lineOf(path: SettingPath): number | undefined;
  /** Content of the file; absent where there is no file, or it cannot be read. */
  readonly content?: SettingsContent;
}

/** Content of a settings file when it was read. */
export interface SettingsContent {
  readonly hash: string;
  /** Version of the file, by which a change is noticed without reading it. */
  readonly version: string;
}

/** Problem in a settings file, with its position. */
export interface SettingsProblem {
  /** `error`: the setting does not apply; `warning`: it applies. */
  readonly severity: "error" | "warning";
  /** Problem, in one sentence. */
  readonly message: string;
  /** Next step. */
  readonly hint?: string;
  /** File that has the problem. */
  readonly file?: string;
  /** Line in that file, counted from 1. */
  readonly line?: number;
}

/** A settings file that exists. */
export interface SettingsFile {
  readonly path: string;
  readonly scope: SettingsScope;
  /** Whether the file belongs to another program; such a file is read, never written. */
  readonly isForeign: boolean;
}

/** Merged settings of all sources. */
/** Checkers and language servers, each with the file of the workspace that names it. */
export interface PlacedDiagnostics {
  readonly checkers: readonly (NonNullable<DiagnosticSettings["checkers"]>[number] & FromFile)[];
  readonly servers: Readonly<
    Record<string, NonNullable<DiagnosticSettings["servers"]>[string] & FromFile>
  >;
}

interface FromFile {
  /** Absent for one that needs no trust, as that of the user. */
  readonly file?: string;
}

/** Which servers of `.mcp.json` are started, by name. */
export interface ProjectServerSettings {
  /** The only ones; undefined: all. */
  readonly enabled: readonly string[] | undefined;
  readonly disabled: readonly string[];
}

export interface LoadedSettings {
  /** Input of `compileRules`. To add the session's own rules, append them and compile again. */
  readonly sources: readonly RuleSource[];
  /** Result of `compileRules` for the sources. */
  readonly compiled: CompiledRules;
  readonly files: readonly SettingsFile[];
  /** Problems in files and in rules, in the order in which they were read. */
  readonly problems: readonly (SettingsProblem | RuleProblem)[];
  /** Canonical paths. */
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: Mode | undefined;
  readonly isBypassDisabled: boolean;
  readonly defaultWorkingDirectory: string | undefined;
  readonly restrictToWorkspace: boolean;
  readonly limits: LimitOptions;
  readonly sandbox: SandboxSettings;
  readonly search: Partial<SearchSettings>;
  readonly models: ModelSettings;
  /** Whether tools are offered and calls run. */
  readonly enableToolCalls: boolean;
  /** Tools that a source switched on or off, by name. */
  readonly enabledTools: ReadonlyMap<string, boolean>;
  /** Ceilings, one for each source that has one. */
  readonly allowedTools: readonly (readonly string[])[];
  /** The built-in allow rules that stay; undefined: all. */
  readonly builtInAllow: readonly string[] | undefined;
  readonly maxChars: number | undefined;
  /** Hooks of every source, the most specific first, those that need trust included. */
  readonly hooks: readonly HookSource[];
  readonly env: Readonly<Record<string, string>>;
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly toolAgentSettings: ToolAgentSettings;
  readonly toolSearch: DeferralSettings;
  readonly webSearch: WebSearchSettings;
  /** Servers by name, each as it is written; only those that need no trust or have it. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** The only servers to start; undefined: all. */
  readonly mcpServerIds: readonly string[] | undefined;
  readonly projectServers: ProjectServerSettings;
  readonly directMcpServers: Readonly<Record<string, unknown>>;
  readonly skillHubs: readonly SkillHubSettings[];
  readonly diagnostics: PlacedDiagnostics;
  /** Every source that was read, the most specific first. */
  readonly layers: readonly SettingsLayer[];
  /** Requests of an untrusted workspace that were ignored. */
  readonly withheld: readonly string[];
}
