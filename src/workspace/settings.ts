import type { LimitOptions, Mode, SearchSettings } from "../core/index.ts";
import type { CompiledRules, RuleProblem, RuleSource } from "../policy/index.ts";

/** The permission part of a settings file or object, as people write it. */
export interface PermissionSettings {
  /** Each a text, or an object with a text in `rule` and conditions. */
  readonly deny?: readonly unknown[];
  readonly ask?: readonly unknown[];
  readonly allow?: readonly unknown[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: Mode;
  readonly disableBypassPermissionsMode?: "disable";
}

/** How programs that calls start are held, and what becomes of what they change. */
export interface SandboxSettings {
  /** "enforced": no program starts where nothing holds files and network; default "best-effort". Each result says what held. */
  readonly require?: "enforced" | "best-effort" | "off";
  /** Only this one: "bwrap", "landlock", "unshare", "sandbox-exec" or "srt". Default: the strongest that works. */
  readonly driver?: string;
  /** What programs reach. Default "open". */
  readonly network?: "none" | "open" | { readonly hosts: readonly string[] };
  /**
   * What becomes of the files a program changes, where it may change any and the system has overlays: "undo" brings
   * them to the workspace when it has ended, so that all of it can be taken back; "preview" shows them to a person
   * first; "off" lets it change them directly. Default "undo".
   */
  readonly overlay?: "undo" | "preview" | "off";
  /**
   * Secrets (docs/safety.md lists the known places): more of them, and those that are read like any other file. Each is
   * absolute or begins with `~/`; `*` in a name of `add` stands for any text.
   */
  readonly secrets?: { readonly add?: readonly string[]; readonly open?: readonly string[] };
  /**
   * Folders below the workspace that programs change directly, because they are large and made again: outside of undo.
   * Default: node_modules, .venv, venv, target, .gradle, .next, .turbo.
   */
  readonly through?: readonly string[];
}

/** Which files searches see. */
export interface SearchOptions {
  /**
   * Where the default list holds (`node_modules/`, `__pycache__/`, `vendor/`, `dist/`, `build/`, `.DS_Store`, `*.pyc`):
   * for what git does not track, for everything, or nowhere. Default "untracked".
   */
  readonly defaultExcludes?: SearchSettings["defaultExcludes"];
}

export interface GrepOptions {
  /** Who sees matches between `>>` and `<<`: the user in the metadata, the model as well, or neither. Default "people". */
  readonly markMatches?: SearchSettings["markMatches"];
}

/** What a settings file may hold, and what `createToolkit({ settings })` takes. */
export interface Settings {
  readonly permissions?: PermissionSettings;
  /** The folder to work in where none is named otherwise. */
  readonly defaultWorkingDirectory?: string;
  readonly restrictToWorkspace?: boolean;
  /** Commands allowed as they stand, below every deny rule and the floor. */
  readonly dangerousCommandWhitelist?: readonly string[];
  /** Ask before commands that destroy, publish or change permissions, also where a rule allows them. */
  readonly confirmDangerousCommands?: boolean;
  /** How much tools take, do and answer. A workspace that is not trusted may only lower them. */
  readonly limits?: LimitOptions;
  /** A workspace that is not trusted may only make it stricter. */
  readonly sandbox?: SandboxSettings;
  readonly search?: SearchOptions;
  readonly grep?: GrepOptions;
}

export type SettingsScope = "local" | "project" | "user" | "option";

/** Something in a settings file that is not as it should be, with where it stands. */
export interface SettingsProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
}

/** A settings file that was there. */
export interface SettingsFile {
  readonly path: string;
  readonly scope: SettingsScope;
  /** Another program's file: read, never written. */
  readonly isForeign: boolean;
}

/** Everything the settings of all places come to. */
export interface LoadedSettings {
  /** Input of `compileRules`; add the session's own and compile again to change them. */
  readonly sources: readonly RuleSource[];
  /** What `compileRules` made of the sources. */
  readonly compiled: CompiledRules;
  readonly files: readonly SettingsFile[];
  /** Of files and of rules, in the order they were read. */
  readonly problems: readonly (SettingsProblem | RuleProblem)[];
  /** Canonical. */
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: Mode | undefined;
  readonly isBypassDisabled: boolean;
  readonly defaultWorkingDirectory: string | undefined;
  readonly restrictToWorkspace: boolean;
  readonly limits: LimitOptions;
  readonly sandbox: SandboxSettings;
  readonly search: Partial<SearchSettings>;
  /** What an untrusted workspace asked for and did not get. */
  readonly withheld: readonly string[];
}
