import { isAbsolutePath } from "../../text/index.ts";
import { ToolError, type Host, type RuleScope } from "../../core/index.ts";
import {
  compileRules,
  type CompileOptions,
  type RuleList,
  type RuleSource,
} from "../../policy/index.ts";
import { dangerousCommands } from "./dangerous-commands.ts";
import { mergeModels } from "./read-models.ts";
import { mergeSandbox } from "./read-sandbox.ts";
import { defaultLimit, limitOptions, type LimitValues } from "./read-limits.ts";
import { readSettings, type ReadSettings } from "./read-settings.ts";
import type {
  LoadedSettings,
  Settings,
  SettingsFile,
  SettingsProblem,
  SettingsScope,
  SandboxSettings,
} from "./settings.ts";
import { isAmong, type SavedByPerson } from "./saved-rules.ts";

export interface LoadSettingsOptions {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  /** Canonical path. */
  readonly home: string;
  /** Directory against which relative patterns are resolved. Default: the workspace. */
  readonly cwd?: string;
  /** Whether the workspace's files may widen permissions. */
  readonly trusted: boolean;
  /**
   * Rules in the workspace's files that the user saved on this system; they apply even if the workspace is not trusted.
   */
  readonly saved?: readonly SavedByPerson[];
  /** Settings given by the embedding program, read like a file that takes precedence over all others. */
  readonly settings?: Settings;
  /**
   * Whether to read the files too.
   *
   * @default true
   */
  readonly files?: boolean;
  readonly compile?: CompileOptions;
}

/** Settings files, the most specific first and those of another program last. */
export function settingsFiles(workspace: string, home: string): readonly SettingsFile[] {
  return [".haft", ".claude"].flatMap((folder) => {
    const isForeign = folder === ".claude";
    return [
      { path: `${workspace}/${folder}/settings.local.json`, scope: "local", isForeign },
      { path: `${workspace}/${folder}/settings.json`, scope: "project", isForeign },
      { path: `${home}/${folder}/settings.json`, scope: "user", isForeign },
    ] as const;
  });
}

/**
 * Loads the settings of all sources. Lists are concatenated; a single value comes from the most specific source. Until
 * the workspace is trusted, what its files allow, add or set as the mode is ignored and listed in `withheld`; their
 * deny and ask rules always apply. If a file exists but cannot be read, every call needs approval.
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const places: Place[] = [];
  if (options.settings !== undefined) {
    places.push({
      scope: "option",
      read: readSettings(options.settings),
      folder: options.workspace,
    });
  }
  const found: SettingsFile[] = [];
  if (options.files !== false) {
    for (const file of settingsFiles(options.workspace, options.home)) {
      const read = await readFile(file, options.host);
      if (read === undefined) continue;
      found.push(file);
      // A leading slash means the project in the project's files, and the settings directory in the user's own file.
      const folder =
        file.scope === "user" ? file.path.slice(0, file.path.lastIndexOf("/")) : options.workspace;
      places.push({ scope: file.scope, read, folder, file: file.path });
    }
  }
  return merge(places, found, options);
}

interface Place {
  readonly scope: SettingsScope;
  readonly read: ReadSettings;
  /** Directory that `/x` is relative to. */
  readonly folder: string;
  readonly file?: string;
}

async function readFile(
  file: SettingsFile,
  host: Pick<Host, "fs">,
): Promise<ReadSettings | undefined> {
  let text: string;
  try {
    const path = await host.fs.canonical(file.path);
    const { bytes } = await host.fs.readFile(path, { maxBytes: maxSettingsBytes });
    text = new TextDecoder().decode(bytes);
  } catch (error) {
    if (ToolError.is(error) && isAbsent.has(error.code)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    return unreadable(file, reason);
  }
  // Most workspaces have no settings file, so its parser is loaded with the first one.
  const { readSettingsText } = await import("./settings-text.ts");
  const read = readSettingsText(text);
  return readSettings(read.value, { file: file.path, text: read, isForeign: file.isForeign });
}

const maxSettingsBytes = 4_000_000;
const isAbsent: ReadonlySet<string> = new Set(["NOT_FOUND", "NOT_A_DIRECTORY"]);

function unreadable(file: SettingsFile, reason: string): ReadSettings {
  const problem: SettingsProblem = {
    severity: "error",
    file: file.path,
    message: `This file is there and cannot be read, so what it denies is not known. ${reason}`,
    hint: "Make it readable or remove it; until then every call is asked about.",
  };
  return { ...readSettings({ permissions: { ask: ["*"] } }), problems: [problem] };
}

async function merge(
  places: readonly Place[],
  files: readonly SettingsFile[],
  options: LoadSettingsOptions,
): Promise<LoadedSettings> {
  const withheld: string[] = [];
  const problems: SettingsProblem[] = [];
  const sources: RuleSource[] = [];
  const directories: string[] = [];
  for (const place of places) {
    const { read, scope } = place;
    problems.push(...read.problems);
    sources.push(...ruleSources(place, options));
    if (mayWiden(scope, options)) {
      for (const directory of read.additionalDirectories) {
        directories.push(await canonicalDirectory(directory, options));
      }
      continue;
    }
    const where = place.file ?? scope;
    const foreign = read.rules.allow.filter(({ rule }) => !isOwn(rule, place, options));
    const allowed = foreign.length + read.dangerousCommandWhitelist.length;
    if (allowed > 0)
      withheld.push(`${where}: ${allowed} allow ${allowed === 1 ? "rule" : "rules"}`);
    if (read.defaultMode !== undefined) withheld.push(`${where}: mode ${read.defaultMode}`);
    for (const directory of read.additionalDirectories) {
      withheld.push(`${where}: folder ${directory}`);
    }
    for (const name of Object.keys(read.models)) withheld.push(`${where}: models.${name}`);
  }
  const widening = places.filter(({ scope }) => mayWiden(scope, options));
  const isBypassDisabled = places.some(({ read }) => read.isBypassDisabled);
  const mode = widening.find(({ read }) => read.defaultMode !== undefined)?.read.defaultMode;
  const compiled = compileRules(sources, {
    ...options.compile,
    roots: [options.workspace, ...directories, ...(options.compile?.roots ?? [])],
  });
  return {
    sources,
    compiled,
    files,
    problems: [...problems, ...compiled.problems],
    additionalDirectories: [...new Set(directories)],
    defaultMode: mode === "bypassPermissions" && isBypassDisabled ? undefined : mode,
    isBypassDisabled,
    defaultWorkingDirectory: widening.find(({ read }) => read.defaultWorkingDirectory !== undefined)
      ?.read.defaultWorkingDirectory,
    restrictToWorkspace: restricts(places, options),
    limits: limitOptions(mergedLimits(places, options, withheld)),
    sandbox: mergedSandbox(places, options, withheld),
    // The most specific source decides. Each answer reports what search left out, so trust is not required.
    search: Object.assign({}, ...places.toReversed().map(({ read }) => read.search)),
    models: mergeModels(widening.toReversed().map(({ read }) => read.models)),
    withheld,
  };
}

function plain(rule: unknown): { readonly rule: unknown; readonly line: undefined } {
  return { rule, line: undefined };
}

function mayWiden(scope: SettingsScope, { trusted }: LoadSettingsOptions): boolean {
  return trusted || (scope !== "project" && scope !== "local");
}

/**
 * Whether access is restricted to the workspace. The most specific source decides; an untrusted one may only restrict.
 */
function restricts(places: readonly Place[], options: LoadSettingsOptions): boolean {
  for (const { read, scope } of places) {
    if (read.restrictToWorkspace === true) return true;
    if (read.restrictToWorkspace === false && mayWiden(scope, options)) return false;
  }
  return false;
}

/**
 * Merges limits. The most specific source decides; an untrusted one may only lower a value: a higher one would cost the
 * user money and memory, or let a command run longer than the user is willing to wait. An untrusted source cannot
 * change how long artifacts are stored and what undo retains, because other workspaces depend on those too.
 */
function mergedLimits(
  places: readonly Place[],
  options: LoadSettingsOptions,
  withheld: string[],
): LimitValues {
  const merged = new Map<string, number>();
  for (const { read, scope, file } of places.toReversed()) {
    for (const [key, value] of read.limits) {
      const now = merged.get(key) ?? defaultLimit(key);
      const isLower = now !== undefined && value <= now && !/^(?:artifacts|undo)\./u.test(key);
      if (isLower || mayWiden(scope, options)) merged.set(key, value);
      else withheld.push(`${file ?? scope}: limit ${key} ${value}`);
    }
  }
  return merged;
}

/**
 * Merges sandbox settings. The most specific source decides; an untrusted one may only confine programs more strictly.
 */
function mergedSandbox(
  places: readonly Place[],
  options: LoadSettingsOptions,
  withheld: string[],
): SandboxSettings {
  const layers = places.toReversed().map((place) => ({
    place,
    values: place.read.sandbox,
    mayWiden: mayWiden(place.scope, options),
  }));
  const merged = mergeSandbox(layers);
  for (const { layer, what } of merged.withheld) {
    const place = layers.find((each) => each === layer)?.place;
    withheld.push(`${place?.file ?? place?.scope}: ${what}`);
  }
  return merged.values;
}

function ruleSources(place: Place, options: LoadSettingsOptions): readonly RuleSource[] {
  const { read, scope, folder, file } = place;
  const make = (
    list: RuleList,
    rules: readonly { rule: unknown; line: number | undefined }[],
  ): RuleSource[] =>
    rules.length === 0
      ? []
      : [
          {
            scope: scope satisfies RuleScope,
            list,
            rules: rules.map(({ rule }) => rule),
            base: folder,
            cwd: options.cwd ?? options.workspace,
            home: options.home,
            file,
            lines: rules.map(({ line }) => line),
          },
        ];
  const own = read.rules.allow.filter(({ rule }) => isOwn(rule, place, options));
  const allowed = read.dangerousCommandWhitelist.map((command) => `Bash(${command})`);
  const except = mayWiden(scope, options) ? allowed : [];
  return [
    ...make("deny", read.rules.deny),
    ...make("ask", read.rules.ask),
    ...make(
      "ask",
      read.confirmDangerousCommands ? dangerousCommands.map((rule) => plain({ rule, except })) : [],
    ),
    ...make("allow", read.rules.allow),
    ...make("allow", allowed.map(plain)),
    // A rule that the user wrote or saved counts like an option, whichever file contains it.
    ...make("allow", mayWiden(scope, options) ? [] : own).map((source) => ({
      ...source,
      scope: "option" as const,
    })),
  ];
}

/** Whether the user saved this rule of the workspace's own file on this system. */
function isOwn(
  rule: unknown,
  { scope, file }: Pick<Place, "scope" | "file">,
  { saved = [], workspace }: LoadSettingsOptions,
): boolean {
  // Only haft's own files: another program's file contains what the user answered in that program.
  return file?.startsWith(`${workspace}/.haft/`) === true && isAmong({ scope, rule }, saved);
}

async function canonicalDirectory(
  directory: string,
  { host, workspace, home }: LoadSettingsOptions,
): Promise<string> {
  const path = directory === "~" ? home : directory.replace(/^~\//u, `${home}/`);
  return host.fs.canonical(path, isAbsolutePath(path) ? {} : { base: workspace });
}
