import { defaultMaxChars, type ModelSettings } from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { compileRules } from "../../../policy/index.ts";
import { settingRows, type SettingName, type SettingValues } from "../schema/settings-schema.ts";
import type { SandboxSettings } from "../settings.ts";
import type { HookSource, LoadedSettings, PlacedDiagnostics } from "../loaded-settings.ts";
import { mergeLimits } from "./limits.ts";
import { mergeSandbox } from "./sandbox.ts";
import {
  canonicalDirectory,
  mayWiden,
  ruleSources,
  rulesWithoutEffect,
  type MergeOptions,
  type SettingsSource,
} from "./source.ts";

/** Merges the settings of all sources, the most specific first. */
export async function mergeSettings(
  sources: readonly SettingsSource[],
  options: MergeOptions,
): Promise<LoadedSettings> {
  const directories: string[] = [];
  const withheld: string[] = [];
  for (const source of sources) {
    if (mayWiden(source.scope, options)) {
      for (const directory of source.read.additionalDirectories) {
        directories.push(await canonicalDirectory(directory, options));
      }
    } else withheld.push(...withheldOf(source, options));
  }
  const widening = sources.filter(({ scope }) => mayWiden(scope, options));
  const isBypassDisabled = sources.some(({ read }) => read.isBypassDisabled);
  const mode = widening.find(({ read }) => read.defaultMode !== undefined)?.read.defaultMode;
  const compiledSources = sources.flatMap((source) => ruleSources(source, options));
  const compiled = compileRules(compiledSources, {
    ...options.compile,
    roots: [options.workspace, ...directories, ...(options.compile?.roots ?? [])],
  });
  const merging = { sources, widening, options, withheld };
  const limits = mergedLimits(merging);
  const sandbox = mergedSandbox(merging);
  return {
    sources: compiledSources,
    compiled,
    files: sources.flatMap(({ file }) => (file === undefined ? [] : [file])),
    problems: [...sources.flatMap(({ read }) => read.problems), ...compiled.problems],
    additionalDirectories: [...new Set(directories)],
    defaultMode: mode === "bypassPermissions" && isBypassDisabled ? undefined : mode,
    isBypassDisabled,
    defaultWorkingDirectory: first(widening, "defaultWorkingDirectory"),
    restrictToWorkspace: restricts(sources, options),
    limits,
    sandbox,
    // The most specific source decides. Each answer reports what search left out, so trust is not required.
    search: Object.assign({}, ...below(sources, "search"), ...below(sources, "grep")),
    models: mergeModels(below(widening, "models")),
    enableToolCalls: sources.every(({ read }) => read.values.enableToolCalls !== false),
    enabledTools: mergedTools(merging),
    allowedTools: all(sources, "allowedTools"),
    builtInAllow: intersection(all(sources, "builtInAllow")),
    maxChars: mergedMaxChars(merging),
    hooks: sources.flatMap((source) => hookSource(source, options)),
    env: Object.assign({}, ...below(widening, "env")),
    agents: mergedEntries(below(widening, "agents")),
    toolAgentSettings: Object.assign({}, ...below(widening, "toolAgentSettings")),
    toolSearch: Object.assign({}, ...below(sources, "toolSearch")),
    webSearch: Object.assign({}, ...below(widening, "webSearch")),
    mcpServers: mergedEntries(below(widening, "mcpServers")),
    mcpServerIds: intersection(all(sources, "mcpServerIds")),
    projectServers: projectServers(merging),
    directMcpServers: mergedEntries(below(widening, "directMcpServers")),
    skillHubs: all(widening, "skillHubs").flat(),
    diagnostics: mergedDiagnostics(widening),
    layers: sources.map((source) => ({
      scope: source.scope,
      ...(source.file === undefined ? {} : { file: source.file.path }),
      isForeign: source.file?.isForeign ?? false,
      mayWiden: mayWiden(source.scope, options),
      read: source.read,
      written: source.written,
      lineOf: source.lineOf ?? (() => undefined),
      ...(source.content === undefined ? {} : { content: source.content }),
    })),
    withheld,
  };
}

interface Merging {
  /** The most specific first. */
  readonly sources: readonly SettingsSource[];
  /** The sources that need no trust or have it. */
  readonly widening: readonly SettingsSource[];
  readonly options: MergeOptions;
  readonly withheld: string[];
}

/** Values that the sources give to a setting, the most specific first. */
function all<K extends SettingName>(
  sources: readonly SettingsSource[],
  name: K,
): NonNullable<SettingValues[K]>[] {
  return sources.flatMap(({ read: { values } }) => {
    const value: SettingValues[K] | undefined = values[name];
    return value === undefined || value === null ? [] : [value];
  });
}

/** The same, the least specific first, so that `Object.assign` lets the most specific decide. */
function below<K extends SettingName>(
  sources: readonly SettingsSource[],
  name: K,
): NonNullable<SettingValues[K]>[] {
  return all(sources, name).toReversed();
}

function first<K extends SettingName>(
  sources: readonly SettingsSource[],
  name: K,
): NonNullable<SettingValues[K]> | undefined {
  return all(sources, name)[0];
}

/** Merges settings, the least specific first. Of two aliases or entries with the same name, the more specific counts. */
export function mergeModels(layers: readonly ModelSettings[]): ModelSettings {
  const merged: ModelSettings = Object.assign({}, ...layers);
  const aliases = mergedEntries(layers.map((layer) => layer.aliases ?? {}));
  const catalog = mergedEntries(layers.map((layer) => layer.catalog ?? {}));
  return { ...merged, aliases, catalog };
}

/** Joins objects with free names; a name such as `__proto__` is an entry like any other. */
function mergedEntries<T>(
  records: readonly Readonly<Record<string, T>>[],
): Readonly<Record<string, T>> {
  return Object.fromEntries(records.flatMap((record) => Object.entries(record)));
}

/** Entries that every source with a list has in common; undefined if no source has one. */
function intersection(lists: readonly (readonly string[])[]): readonly string[] | undefined {
  const [one, ...others] = lists;
  return one?.filter((each) => others.every((other) => other.includes(each)));
}

/**
 * Whether access is restricted to the workspace. The most specific source decides; an untrusted one may only restrict.
 */
function restricts(sources: readonly SettingsSource[], options: MergeOptions): boolean {
  for (const { read, scope } of sources) {
    if (read.values.restrictToWorkspace === true) return true;
    if (read.values.restrictToWorkspace === false && mayWiden(scope, options)) return false;
  }
  return false;
}

function mergedLimits({ sources, options, withheld }: Merging): LoadedSettings["limits"] {
  return mergeLimits(
    sources.toReversed().map((source) => ({
      limits: source.read.values.limits,
      mayWiden: mayWiden(source.scope, options),
      withhold: (what) => withheld.push(`${placeOf(source)}: ${what}`),
    })),
  );
}

/**
 * Merges sandbox settings. The most specific source decides; an untrusted one may only confine programs more strictly.
 */
function mergedSandbox({ sources, options, withheld }: Merging): SandboxSettings {
  const layers = sources.toReversed().map((source) => ({
    source,
    values: source.read.values.sandbox ?? {},
    mayWiden: mayWiden(source.scope, options),
  }));
  const merged = mergeSandbox(layers);
  for (const { layer, what } of merged.withheld) {
    const source = layers.find((each) => each === layer)?.source;
    if (source !== undefined) withheld.push(`${placeOf(source)}: ${what}`);
  }
  return merged.values;
}

/** Checkers and language servers of all sources. Those of the workspace end with its trust, so they keep their file. */
function mergedDiagnostics(widening: readonly SettingsSource[]): PlacedDiagnostics {
  const placed = widening.map(({ scope, file, read: { values } }) => {
    const { checkers = [], servers = {} } = values.diagnostics ?? {};
    const isWorkspace = scope === "project" || scope === "local";
    const from = isWorkspace && file !== undefined ? { file: file.path } : {};
    return {
      checkers: checkers.map((each) => ({ ...each, ...from })),
      servers: Object.fromEntries(
        Object.entries(servers).map(([name, each]) => [name, { ...each, ...from }]),
      ),
    };
  });
  return {
    checkers: placed.flatMap(({ checkers }) => checkers),
    servers: mergedEntries(placed.toReversed().map(({ servers }) => servers)),
  };
}

/** Servers of `.mcp.json`: every source may switch one off. Lists of those that are used are joined. */
function projectServers({ sources, widening }: Merging): LoadedSettings["projectServers"] {
  const areAll = first(widening, "enableAllProjectMcpServers");
  const lists = all(widening, "enabledMcpjsonServers");
  const isLimited = areAll === false || (areAll === undefined && lists.length > 0);
  return {
    enabled: isLimited ? lists.flat() : undefined,
    disabled: all(sources, "disabledMcpjsonServers").flat(),
  };
}

/** Whether each tool is offered. The most specific source decides; an untrusted one may only switch a tool off. */
function mergedTools({ sources, options }: Merging): ReadonlyMap<string, boolean> {
  const enabled = new Map<string, boolean>();
  for (const { read, scope } of sources.toReversed()) {
    for (const [name, tool] of Object.entries(read.values.tools ?? {})) {
      if (tool.enabled === false || (tool.enabled === true && mayWiden(scope, options)))
        enabled.set(name, tool.enabled);
    }
  }
  return enabled;
}

/** Characters of an answer. The most specific source decides; an untrusted one may only lower the number. */
function mergedMaxChars({ sources, options, withheld }: Merging): number | undefined {
  let merged: number | undefined;
  for (const source of sources.toReversed()) {
    const { maxChars } = source.read.values;
    if (maxChars === undefined) continue;
    const isLower = maxChars <= (merged ?? defaultMaxChars);
    if (isLower || mayWiden(source.scope, options)) merged = maxChars;
    else withheld.push(`${placeOf(source)}: maxChars ${maxChars}`);
  }
  return merged;
}

function hookSource(source: SettingsSource, options: MergeOptions): readonly HookSource[] {
  const { hooks, disableAllHooks } = source.read.values;
  if (hooks === undefined && disableAllHooks === undefined) return [];
  return [
    {
      hooks,
      disableAllHooks: disableAllHooks ?? false,
      scope: source.scope,
      ...(source.file === undefined ? {} : { file: source.file.path }),
      isForeign: source.file?.isForeign ?? false,
      needsTrust: !mayWiden(source.scope, options),
      lineOf: (path) => source.lineOf?.(["hooks", ...path]),
    },
  ];
}

/** Requests of a source that has no trust, which are therefore ignored. */
function withheldOf(source: SettingsSource, options: MergeOptions): readonly string[] {
  const { read } = source;
  const where = placeOf(source);
  const allowed = rulesWithoutEffect(source, options);
  return [
    ...(allowed > 0 ? [`${where}: ${allowed} allow ${allowed === 1 ? "rule" : "rules"}`] : []),
    ...(read.defaultMode === undefined ? [] : [`${where}: mode ${read.defaultMode}`]),
    ...read.additionalDirectories.map((directory) => `${where}: directory ${directory}`),
    ...Object.entries(read.values.tools ?? {}).flatMap(([name, { enabled }]) =>
      enabled === true ? [`${where}: tool ${name}`] : [],
    ),
    ...Object.entries(settingRows).flatMap(([name, { trust }]) =>
      trust === "needed" && !hasOwnLine.has(name) ? namesIn(name, source.read.values, where) : [],
    ),
  ];
}

/** Settings that need trust and are listed otherwise, or decide only where the program starts. */
const hasOwnLine: ReadonlySet<string> = new Set([
  "dangerousCommandWhitelist",
  "defaultWorkingDirectory",
]);

function namesIn(name: string, values: SettingValues, where: string): readonly string[] {
  const value = Object.entries(values).find(([each]) => each === name)?.[1];
  if (value === undefined) return [];
  if (!isRecord(value)) return [`${where}: ${name}`];
  return Object.keys(value).map((each) => `${where}: ${name}.${each}`);
}

function placeOf({ file, scope }: SettingsSource): string {
  return file?.path ?? scope;
}
