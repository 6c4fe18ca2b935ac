import type { LimitOptions, Mode, ModelSettings, SearchSettings } from "../../core/index.ts";
import type { CompiledRules, RuleList, RuleProblem, RuleSource } from "../../policy/index.ts";
import type { SettingPath } from "./schema/setting.ts";
import type { SettingValues } from "./schema/settings-schema.ts";

/** Permission part of a settings file or object, as the user writes it. */
export interface PermissionSettings {
  /** Entries are strings, or objects with a string in `rule` and conditions. */
  readonly deny?: readonly unknown[];
  /** Rules of calls that ask. */
  readonly ask?: readonly unknown[];
  /** Rules of calls that are allowed. */
  readonly allow?: readonly unknown[];
  /** Directories that count as part of the workspace. */
  readonly additionalDirectories?: readonly string[];
  /** Mode to start in. */
  readonly defaultMode?: Mode;
  /** Forbids the mode bypassPermissions. */
  readonly disableBypassPermissionsMode?: "disable";
}

/** How programs started by calls are confined, and how their changes are handled. */
export interface SandboxSettings {
  /**
   * "enforced": no program starts unless its access to files and the network is confined. Each result reports which
   * confinement applied.
   *
   * @default "best-effort"
   */
  readonly require?: "enforced" | "best-effort" | "off";
  /**
   * The only driver to use: "bwrap", "landlock", "unshare", "sandbox-exec" or "srt". Default: the strongest one that
   * works.
   */
  readonly driver?: string;
  /**
   * Network access of programs.
   *
   * @default "open"
   */
  readonly network?: "none" | "open" | { readonly hosts: readonly string[] };
  /**
   * Handling of files that a program changes, if it may change any and the system supports overlays: "undo" applies the
   * changes to the workspace when the program has ended, so that all of them can be undone; "preview" shows them to the
   * user first; "off" lets the program change files directly.
   *
   * @default "undo"
   */
  readonly overlay?: "undo" | "preview" | "off";
  /**
   * Secret files in addition to the known ones (docs/safety.md lists them), and secret files that are read like any
   * other file. Each path is absolute or begins with `~/`; `*` in a name of `add` matches any text.
   */
  readonly secrets?: { readonly add?: readonly string[]; readonly open?: readonly string[] };
  /**
   * Directories below the workspace that programs change directly, without undo, because they are large and can be
   * generated again. Default: node_modules, .venv, venv, target, .gradle, .next, .turbo.
   */
  readonly through?: readonly string[];
}

/** Files that searches include. */
export interface SearchOptions {
  /**
   * Where the default list of excludes (`node_modules/`, `__pycache__/`, `vendor/`, `dist/`, `build/`, `.DS_Store`,
   * `*.pyc`) applies: to files that git does not track, to all files, or nowhere.
   *
   * @default "untracked"
   */
  readonly defaultExcludes?: SearchSettings["defaultExcludes"];
}

/** When a model sees only the core tools and those it has found. */
export interface DeferralSettings {
  /**
   * Number of tools above which the others are deferred, if some are not built in; false: never. With `auto:10%` they are
   * deferred if all definitions take more than that share of the context of the kit's model; where its size is not
   * known, the default counts.
   *
   * @default 15
   */
  readonly threshold?: number | false | `auto:${number}%`;
  /**
   * How a model calls a tool that it found: the list of tools grows, or the list stays the same byte for byte, so that a
   * provider's cache stays valid, and the tool is called through `tool_call`.
   *
   * @default "growing"
   */
  readonly calls?: "growing" | "envelope";
}

/** Settings of Grep; what is left out has its default. */
export interface GrepOptions {
  /**
   * Readers that see matches marked with `>>` and `<<`: the user in the metadata, the model as well, or neither.
   *
   * @default "people"
   */
  readonly markMatches?: SearchSettings["markMatches"];
}

/** Content of a settings file, also accepted by `createToolkit({ settings })`. */
export interface Settings {
  /** Rules, mode and directories. */
  readonly permissions?: PermissionSettings;
  /** Working directory if none is given otherwise. */
  readonly defaultWorkingDirectory?: string;
  /** Whether paths outside the workspace are denied instead of asked about. Default: false. */
  readonly restrictToWorkspace?: boolean;
  /** Commands that are allowed exactly as written, subject to every deny rule and the floor. */
  readonly dangerousCommandWhitelist?: readonly string[];
  /** Ask before commands that destroy data, publish something or change permissions, even if a rule allows them. */
  readonly confirmDangerousCommands?: boolean;
  /** Limits on what tools accept, do and return. A workspace that is not trusted may only lower them. */
  readonly limits?: LimitOptions;
  /** Confinement of programs. A workspace that is not trusted may only make it stricter. */
  readonly sandbox?: SandboxSettings;
  /** Settings of all searches. */
  readonly search?: SearchOptions;
  /** Which tools a model sees before it searches for others (docs/tools.md). */
  readonly toolSearch?: DeferralSettings;
  /** Settings of Grep. */
  readonly grep?: GrepOptions;
  /** Models, their short names, sizes and prices. Those of an untrusted workspace are ignored. */
  readonly models?: ModelSettings;
  /**
   * Whether tools are offered and calls run at all.
   *
   * @default true
   */
  readonly enableToolCalls?: boolean;
  /**
   * Tools by name. `enabled` decides whether a tool is offered. `autoExecute: true` is an allow rule for the tool, below
   * deny rules, ask rules and the floor; false is an ask rule. An untrusted workspace may only switch off.
   */
  readonly tools?: Readonly<
    Record<string, { readonly enabled?: boolean; readonly autoExecute?: boolean }>
  >;
  /**
   * The only tools and rules that calls may use, as in `Read` or `Bash(git *)`. The list is a ceiling and allows nothing
   * by itself; of several sources each is a ceiling of its own.
   */
  readonly allowedTools?: readonly string[];
  /** The built-in allow rules that stay: some of "interact", "device", "delegate". */
  readonly builtInAllow?: readonly string[];
  /** Characters of an answer that the model sees. An untrusted workspace may only lower the number. */
  readonly maxChars?: number;
  /** Settings of commands under other names (docs/settings.md). */
  readonly bash?: BashSettings;
  /** Agents by name, in addition to those of definition files (docs/settings.md). */
  readonly agents?: Readonly<Record<string, AgentSettings>>;
  /** Agent that runs delegated tasks. */
  readonly toolAgentSettings?: ToolAgentSettings;
  /** Search service of web searches. */
  readonly webSearch?: WebSearchSettings;
  /** MCP servers by name. */
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  /** The only MCP servers that are started, by name. */
  readonly mcpServerIds?: readonly string[];
  /** MCP servers whose tools are offered at once, without a search. */
  readonly directMcpServers?: Readonly<Record<string, unknown>>;
  /** Handlers by event, in the established shape. */
  readonly hooks?: Readonly<Record<string, unknown>>;
  /**
   * Whether no hook of a settings file runs.
   *
   * @default false
   */
  readonly disableAllHooks?: boolean;
  /** Environment variables of commands. Those of an untrusted workspace are ignored. */
  readonly env?: Readonly<Record<string, string>>;
  /** Hubs that skills are found on. */
  readonly skillHubs?: readonly SkillHubSettings[];
  /** Checkers and language servers that look at files after an edit. */
  readonly diagnostics?: DiagnosticSettings;
}

/** Settings of commands under the names that other programs use. A value under its own name counts more. */
export interface BashSettings {
  /** True: `sandbox.require` "enforced"; false: "off". */
  readonly enableSandbox?: boolean;
  /** The same as `defaultWorkingDirectory`. */
  readonly defaultWorkingDirectory?: string;
  /** The same as `permissions.additionalDirectories`. */
  readonly allowedDirectories?: readonly string[];
  /** The same as `confirmDangerousCommands`. */
  readonly confirmDangerousCommands?: boolean;
  /** The same as `dangerousCommandWhitelist`. */
  readonly dangerousCommandWhitelist?: readonly string[];
  /** The same as `limits.bash.timeoutMs`. */
  readonly execTimeout?: number;
}

/** An agent, as settings define or change it. */
export interface AgentSettings {
  /** Whether the agent may be started. Default true. */
  readonly enabled?: boolean;
  /** When to use it, for the model that starts agents. */
  readonly description?: string;
  /** Its system prompt. */
  readonly prompt?: string;
  /** Its model; "inherit" is that of the parent. */
  readonly model?: string;
  /** Tools of the agent, as rules. */
  readonly tools?: readonly string[];
  /** Tools that it must not use, as rules. */
  readonly disallowedTools?: readonly string[];
  /** The only tools and rules it may use. */
  readonly allowedTools?: readonly string[];
  /** Its mode, never wider than that of the parent. */
  readonly permissionMode?: string;
  /** Maximum number of turns. */
  readonly maxTurns?: number;
  /** Skills it starts with. */
  readonly skills?: readonly string[];
  /** MCP servers it may use, by name. */
  readonly mcpServerIds?: readonly string[];
  /** MCP servers of its own. */
  readonly directMcpServers?: unknown;
  /** Whether it runs in the background unless the call says otherwise. */
  readonly background?: boolean;
  /** Where it works, if not in the directory of its parent. */
  readonly isolation?: "worktree";
}

/** Agent that runs delegated tasks. */
export interface ToolAgentSettings {
  /** Tool calls of one task. */
  readonly maxToolCalls?: number;
  /** Milliseconds of one task. */
  readonly timeoutMs?: number;
  /** Answers questions with yes; deny and ask rules and the floor still count. Default false. */
  readonly autoConfirmDangerous?: boolean;
  /** Provider of its model. */
  readonly providerId?: string;
  /** Its model. */
  readonly model?: string;
}

/** Settings of web searches. */
export interface WebSearchSettings {
  /** Search service. Default "auto": the first that is configured. */
  readonly provider?:
    | "auto"
    | "native"
    | "tavily"
    | "jina"
    | "searxng"
    | "brave"
    | "exa"
    | "google";
  /** Services to try when that one fails. */
  readonly failover?: readonly string[];
  /** Address of the search service. Default: the public one of the provider. */
  readonly baseUrl?: string;
  /** Environment variable with the key. */
  readonly apiKeyEnv?: string;
  /** Results of a search. */
  readonly count?: number;
}

/** A source of skills. */
export interface SkillHubSettings {
  /** Kind of the source. */
  readonly kind: "skills.sh" | "well-known" | "clawhub" | "mcp-registry";
  /** Address of the source. Default: the public one of its kind. */
  readonly url?: string;
}

/** Checks of files after an edit. */
export interface DiagnosticSettings {
  /** Programs that check files after an edit. */
  readonly checkers?: readonly {
    readonly name: string;
    readonly command: readonly string[];
    /** Patterns of the files it checks. */
    readonly files: readonly string[];
    readonly timeoutMs?: number;
  }[];
  /** Language servers by name. */
  readonly servers?: Readonly<
    Record<string, { readonly command?: readonly string[]; readonly files?: readonly string[] }>
  >;
}

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
  readonly directMcpServers: Readonly<Record<string, unknown>>;
  readonly skillHubs: readonly SkillHubSettings[];
  readonly diagnostics: Required<DiagnosticSettings>;
  /** Every source that was read, the most specific first. */
  readonly layers: readonly SettingsLayer[];
  /** Requests of an untrusted workspace that were ignored. */
  readonly withheld: readonly string[];
}
