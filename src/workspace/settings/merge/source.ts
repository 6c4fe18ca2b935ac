import { isAbsolutePath } from "../../../text/index.ts";
import type { Host } from "../../../core/index.ts";
import type { CompileOptions, RuleList, RuleSource } from "../../../policy/index.ts";
import { dangerousCommands } from "../dangerous-commands.ts";
import { isAmong, type UserSavedRules } from "../saved-rules.ts";
import type { SettingPath } from "../schema/setting.ts";
import type {
  PlacedRule,
  ReadSettings,
  SettingsContent,
  SettingsFile,
  SettingsScope,
} from "../loaded-settings.ts";

/** Settings of one origin as they were read. */
export interface SettingsSource {
  readonly scope: SettingsScope;
  readonly read: ReadSettings;
  /** Directory that `/x` in a rule is relative to. */
  readonly folder: string;
  readonly file?: SettingsFile;
  /** The whole value as it is in the file. */
  readonly written?: unknown;
  readonly lineOf?: (path: SettingPath) => number | undefined;
  /** Content of the file; absent where it cannot be read. */
  readonly content?: SettingsContent;
}

export interface MergeOptions {
  readonly fs: Host["fs"];
  readonly workspace: string;
  readonly home: string;
  readonly cwd?: string;
  readonly trusted: boolean;
  readonly saved?: readonly UserSavedRules[];
  readonly compile?: CompileOptions;
}

/** Whether a source may allow more than the ones below it: every one but the files of an untrusted workspace. */
export function mayWiden(
  scope: SettingsScope,
  { trusted }: Pick<MergeOptions, "trusted">,
): boolean {
  return trusted || (scope !== "project" && scope !== "local");
}

/** Rules of a source: those of its lists, and those that its other settings mean. */
export function ruleSources(source: SettingsSource, options: MergeOptions): readonly RuleSource[] {
  const { read, scope, folder, file } = source;
  const make = (list: RuleList, rules: readonly PlacedRule[]): RuleSource[] =>
    rules.length === 0
      ? []
      : [
          {
            scope,
            list,
            rules: rules.map(({ rule }) => rule),
            base: folder,
            cwd: options.cwd ?? options.workspace,
            home: options.home,
            file: file?.path,
            lines: rules.map(({ line }) => line),
          },
        ];
  const own = ownRules(source, options);
  const widens = mayWiden(scope, options);
  const allowed = (read.values.dangerousCommandWhitelist ?? []).map(
    (command) => `Bash(${command})`,
  );
  const dangerous = read.values.confirmDangerousCommands === true ? dangerousCommands : [];
  const executed = executedTools(source);
  return [
    ...make("deny", read.rules.deny),
    ...make("ask", read.rules.ask),
    ...make("ask", executed.ask),
    ...make(
      "ask",
      dangerous.map((rule) => plain({ rule, except: widens ? allowed : [] })),
    ),
    ...make("allow", read.rules.allow),
    ...make("allow", allowed.map(plain)),
    ...make("allow", executed.allow),
    // A rule that the user wrote or saved counts like an option, whichever file contains it.
    ...make("allow", widens ? [] : own).map((each) => ({ ...each, scope: "option" as const })),
  ];
}

/** Allow rules of a source that count only with trust. */
export function rulesWithoutEffect(source: SettingsSource, options: MergeOptions): number {
  const own = ownRules(source, options).length;
  const whitelisted = source.read.values.dangerousCommandWhitelist?.length ?? 0;
  return source.read.rules.allow.length - own + whitelisted + executedTools(source).allow.length;
}

/** Rules that `autoExecute` of a tool means. */
function executedTools({ read, lineOf }: SettingsSource): {
  readonly allow: readonly PlacedRule[];
  readonly ask: readonly PlacedRule[];
} {
  const placed = Object.entries(read.values.tools ?? {}).flatMap(([rule, { autoExecute }]) =>
    autoExecute === undefined
      ? []
      : [{ rule, autoExecute, line: lineOf?.(["tools", rule, "autoExecute"]) }],
  );
  return {
    allow: placed.filter(({ autoExecute }) => autoExecute),
    ask: placed.filter(({ autoExecute }) => !autoExecute),
  };
}

/** Allow rules of an untrusted file that the user saved on this system. */
function ownRules(
  { read, scope, file }: SettingsSource,
  { saved = [], workspace }: MergeOptions,
): readonly PlacedRule[] {
  // Only haft's own files: another program's file contains what the user answered in that program.
  if (file?.path.startsWith(`${workspace}/.haft/`) !== true) return [];
  return read.rules.allow.filter(({ rule }) => isAmong({ scope, rule }, saved));
}

function plain(rule: unknown): PlacedRule {
  return { rule, line: undefined };
}

/** Directory of a setting: relative to the workspace, or below the home directory. */
export async function canonicalDirectory(
  directory: string,
  { fs, workspace, home }: MergeOptions,
): Promise<string> {
  const path = directory === "~" ? home : directory.replace(/^~\//u, `${home}/`);
  return fs.canonical(path, isAbsolutePath(path) ? {} : { base: workspace });
}
