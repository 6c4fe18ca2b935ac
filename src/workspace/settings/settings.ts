import type { LimitOptions, Mode, ModelSettings, SearchSettings } from "../../core/index.ts";
import type { CompiledRules, RuleProblem, RuleSource } from "../../policy/index.ts";

/** Permission part of a settings file or object, as the user writes it. */
export interface PermissionSettings {
  /** Entries are strings, or objects with a string in `rule` and conditions. */
  readonly deny?: readonly unknown[];
  readonly ask?: readonly unknown[];
  readonly allow?: readonly unknown[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: Mode;
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
  readonly permissions?: PermissionSettings;
  /** Working directory if none is given otherwise. */
  readonly defaultWorkingDirectory?: string;
  readonly restrictToWorkspace?: boolean;
  /** Commands that are allowed exactly as written, subject to every deny rule and the floor. */
  readonly dangerousCommandWhitelist?: readonly string[];
  /** Ask before commands that destroy data, publish something or change permissions, even if a rule allows them. */
  readonly confirmDangerousCommands?: boolean;
  /** Limits on what tools accept, do and return. A workspace that is not trusted may only lower them. */
  readonly limits?: LimitOptions;
  /** Confinement of programs. A workspace that is not trusted may only make it stricter. */
  readonly sandbox?: SandboxSettings;
  readonly search?: SearchOptions;
  readonly grep?: GrepOptions;
  /** Models, their short names, sizes and prices. Those of an untrusted workspace are ignored. */
  readonly models?: ModelSettings;
}

export type SettingsScope = "local" | "project" | "user" | "option";

/** Problem in a settings file, with its position. */
export interface SettingsProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
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
  /** Requests of an untrusted workspace that were ignored. */
  readonly withheld: readonly string[];
}
