import { deepEqual, isRecord } from "../../../text/index.ts";
import { settingRows, type SettingRow } from "../schema/settings-schema.ts";
import { named, type SettingPath } from "../schema/setting.ts";
import type { LoadedSettings, SettingsLayer, SettingsScope } from "../loaded-settings.ts";

/** A value of a setting, its origin, and whether it counts. */
export interface SettingEntry {
  /** As in `limits.bash.timeoutMs`. */
  readonly key: string;
  /** Its value. */
  readonly value: unknown;
  /** Where the value comes from. */
  readonly scope: SettingsScope | "default";
  /** File that stores it. */
  readonly file?: string;
  /** Line in that file, counted from 1. */
  readonly line?: number;
  /**
   * "in effect", "overridden" by a more specific source, "needs trust" (its workspace is not trusted), or "ignored"
   * because it cannot be read.
   */
  readonly state: "in effect" | "overridden" | "needs trust" | "ignored";
}

const rows: Readonly<Record<string, SettingRow>> = settingRows;

/** Lists every value that a source sets, by key, the most specific source first. */
export function settingEntries(loaded: LoadedSettings): readonly SettingEntry[] {
  const merged = mergedValues(loaded);
  const decided = new Set<string>();
  const entries = loaded.layers.flatMap((layer) =>
    leavesOf(layer).map(({ path, value }): SettingEntry => {
      const key = named(path);
      const state = stateOf({ layer, path, value }, merged, decided);
      if (state === "in effect") decided.add(key);
      const line = layer.lineOf(path);
      return {
        key,
        value,
        scope: layer.scope,
        ...(layer.file === undefined ? {} : { file: layer.file }),
        ...(line === undefined ? {} : { line }),
        state,
      };
    }),
  );
  const order = Object.keys(rows);
  return entries.toSorted((one, other) => {
    const [first, second] = [one, other].map(({ key }) =>
      order.indexOf(key.split(/[.[]/u, 1)[0] ?? ""),
    );
    return (first ?? 0) - (second ?? 0) || compare(one.key, other.key);
  });
}

/** Defaults of the settings that have one, by key. */
export function defaultEntries(): readonly SettingEntry[] {
  return Object.entries(rows).flatMap(([name, { setting }]) => defaultsIn(setting.json, [name]));
}

function defaultsIn(json: Readonly<Record<string, unknown>>, path: SettingPath): SettingEntry[] {
  const own: SettingEntry[] =
    json["default"] === undefined
      ? []
      : [{ key: named(path), value: json["default"], scope: "default", state: "in effect" }];
  const { properties } = json;
  const parts = isRecord(properties) ? Object.entries(properties) : [];
  return [
    ...own,
    ...parts.flatMap(([name, part]) => (isRecord(part) ? defaultsIn(part, [...path, name]) : [])),
  ];
}

interface Leaf {
  readonly path: SettingPath;
  readonly value: unknown;
}

/** Values of a source: texts, numbers and flags, and every entry of a list. */
function leavesOf({ written, isForeign }: SettingsLayer): readonly Leaf[] {
  if (!isRecord(written)) return [];
  return Object.entries(written).flatMap(([name, value]) => {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    if (name === "$schema" || (isForeign && row?.isShared !== true)) return [];
    return leavesBelow(value, [name]);
  });
}

function leavesBelow(value: unknown, path: SettingPath): readonly Leaf[] {
  // Handlers and rules are read as a whole, so their parts are not settings of their own.
  const isWhole = path.length >= 3 && (path[0] === "hooks" || typeof path.at(-1) === "number");
  if (isWhole) return [{ path, value }];
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, each]) => leavesBelow(each, [...path, name]));
  }
  if (!Array.isArray(value) || value.length === 0) return [{ path, value }];
  return value.flatMap((each: unknown, index) => leavesBelow(each, [...path, index]));
}

interface Place extends Leaf {
  readonly layer: SettingsLayer;
}

function stateOf(
  { layer, path, value }: Place,
  merged: Readonly<Record<string, unknown>>,
  decided: ReadonlySet<string>,
): SettingEntry["state"] {
  const [name = ""] = path;
  const row = typeof name === "string" && Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined || isIgnored(layer, path)) return "ignored";
  const needsTrust = !layer.mayWiden && (row.trust === "needed" || widensByItself.has(keyOf(path)));
  if (needsTrust) return "needs trust";
  // Entries of lists of several sources all count.
  if (path.some((part) => typeof part === "number") || addsUp.has(keyOf(path))) return "in effect";
  if (decided.has(named(path))) return "overridden";
  if (layer.mayWiden) return "in effect";
  return deepEqual(at(merged, path), value) ? "in effect" : "needs trust";
}

/** Settings of a part of `permissions` and of other names that allow something. */
const widensByItself: ReadonlySet<string> = new Set([
  "permissions.allow",
  "permissions.additionalDirectories",
  "permissions.defaultMode",
  "bash.allowedDirectories",
  "bash.defaultWorkingDirectory",
  "bash.dangerousCommandWhitelist",
  "sandbox.passthrough",
  "sandbox.secrets.open",
]);

/** Settings that any source can switch on and none can switch off. */
const addsUp: ReadonlySet<string> = new Set([
  "confirmDangerousCommands",
  "permissions.disableBypassPermissionsMode",
  "bash.confirmDangerousCommands",
]);

/** A path without the positions in lists. */
function keyOf(path: SettingPath): string {
  return path.filter((part) => typeof part === "string").join(".");
}

/** Whether a problem of the source is about this value. */
function isIgnored(layer: SettingsLayer, path: SettingPath): boolean {
  const key = named(path);
  const line = layer.lineOf(path);
  return layer.read.problems.some(
    (problem) =>
      problem.severity === "error" &&
      problem.line === line &&
      (problem.message.includes(`\`${key}\``) || problem.message.includes(`"${path.at(-1)}"`)),
  );
}

function mergedValues(loaded: LoadedSettings): Readonly<Record<string, unknown>> {
  const { limits, sandbox, maxChars, restrictToWorkspace, enableToolCalls, search } = loaded;
  const { defaultExcludes, markMatches } = search;
  return {
    limits,
    sandbox,
    maxChars,
    restrictToWorkspace,
    enableToolCalls,
    search: { defaultExcludes },
    grep: { markMatches },
    bash: {
      execTimeout: limits.bash?.timeoutMs,
      enableSandbox: sandbox.require === "enforced",
    },
    tools: Object.fromEntries(
      Array.from(loaded.enabledTools, ([name, enabled]) => [name, { enabled, autoExecute: false }]),
    ),
  };
}

function at(value: unknown, [part, ...rest]: SettingPath): unknown {
  if (part === undefined) return value;
  if (Array.isArray(value) && typeof part === "number") return at(value[part], rest);
  return isRecord(value) && typeof part === "string" ? at(value[part], rest) : undefined;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
