import type { LimitOptions, Mode, ModelSettings, SearchSettings } from "../../core/index.ts";

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
   * The only driver to use, by its name; `haft doctor` lists them. Default: the strongest one that works and is not
   * experimental.
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
  readonly passthrough?: readonly string[];
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
   * provider's cache stays valid, and the tool is called through `tool_call`. With `native`, providers that can keep
   * tools from a model until they are found (Anthropic, OpenAI's Responses API) get all of them, and the list stays the
   * same; for other models it grows. With `auto`, runs on a model whose provider is known to cache prompts use
   * `tool_call`, and for all others the list grows.
   *
   * @default "auto"
   */
  readonly calls?: "auto" | "growing" | "envelope" | "native";
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
  /** The only servers of `.mcp.json` that are started, by name. */
  readonly enabledMcpjsonServers?: readonly string[];
  /** Servers of `.mcp.json` that are not started, by name. */
  readonly disabledMcpjsonServers?: readonly string[];
  /** Whether servers of `.mcp.json` are started that `enabledMcpjsonServers` does not name. */
  readonly enableAllProjectMcpServers?: boolean;
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
  /** Hubs to search for skills. */
  readonly skillHubs?: readonly SkillHubSettings[];
  /** Checkers and language servers that check files after an edit. */
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
