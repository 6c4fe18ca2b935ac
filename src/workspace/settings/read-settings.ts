import { nearestName, type Mode } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { ruleTextProblem, type RuleList } from "../../policy/index.ts";
import { maxNameChars, plainName, readSetting, type SettingPath } from "./schema/setting.ts";
import {
  permissionRows,
  settingRows,
  type SettingName,
  type SettingRow,
  type SettingValues,
} from "./schema/settings-schema.ts";
import type { PlacedRule, ReadSettings, SettingsProblem } from "./loaded-settings.ts";
import type { SettingsText } from "./settings-text.ts";

export interface ReadSettingsOptions {
  readonly file?: string;
  readonly text?: SettingsText;
  /** Whether the file belongs to another program: only the keys that both know are read. */
  readonly isForeign?: boolean;
}

const keys = Object.keys(settingRows);
const permissionKeys = Object.keys(permissionRows);
const rows: Readonly<Record<string, SettingRow>> = settingRows;

/** Keys of another program that would neither widen nor narrow anything here. */
const foreignPermissionKeys: ReadonlySet<string> = new Set(["disableAutoMode"]);

/**
 * Validates the settings of one source. A value of the wrong type is reported and ignored; if that could hide a deny or
 * ask rule, every call needs approval until it is corrected.
 */
export function readSettings(value: unknown, options: ReadSettingsOptions = {}): ReadSettings {
  const problems: SettingsProblem[] = [];
  const report = reporter(problems, options);
  const rules: Record<RuleList, PlacedRule[]> = { deny: [], ask: [], allow: [] };
  if (options.text?.broken !== undefined) {
    const { message, line } = options.text.broken;
    report("error", [], {
      message: `This is not JSON (${message}), so what it denies may be lost.`,
      hint: "Correct it; until then every call is asked about and what it allows is ignored.",
      line,
    });
    rules.ask.push({ rule: "*", line });
  }
  for (const { key, line } of options.text?.repeated ?? []) {
    report("error", [], {
      message: `The key ${JSON.stringify(key)} occurs twice, so one of them is lost.`,
      hint: "Join them; until then every call is asked about.",
      line,
    });
    rules.ask.push({ rule: "*", line });
  }
  const settings = asRecord(value, () => {
    if (value === undefined) return;
    report("error", [], { message: "Settings must be an object.", hint: askedUntil });
    rules.ask.push({ rule: "*", line: options.text?.lineOf([]) });
  });
  const lost =
    options.isForeign === true ? [] : checkKeys(settings, { path: [], known: keys, report });
  const permissions = asRecord(settings["permissions"], () => {
    if (settings["permissions"] === undefined) return;
    report("error", ["permissions"], {
      message: "`permissions` must be an object.",
      hint: askedUntil,
    });
    rules.ask.push({ rule: "*", line: options.text?.lineOf(["permissions"]) });
  });
  lost.push(...checkKeys(permissions, { path: ["permissions"], known: permissionKeys, report }));
  const isBroken = rules.ask.length > 0;
  for (const path of lost) rules.ask.push({ rule: "*", line: options.text?.lineOf(path) });
  for (const list of ["deny", "ask", "allow"] as const) {
    const written = permissions[list];
    if (written === undefined) continue;
    const path = ["permissions", list];
    if (!Array.isArray(written)) {
      report("error", path, {
        message: `\`permissions.${list}\` must be a list of rules.`,
        hint: list === "allow" ? "It grants nothing." : askedUntil,
      });
      if (list !== "allow") rules.ask.push({ rule: "*", line: options.text?.lineOf(path) });
      continue;
    }
    if (list === "allow" && isBroken) continue;
    written.forEach((rule: unknown, index) => {
      rules[list].push({ rule, line: options.text?.lineOf([...path, index]) });
    });
  }
  const inPermissions = readPermissions(permissions, { report, ...options });
  const { bash = {}, ...read } = readValues(settings, { report, isBroken, ...options });
  const values = { ...read, ...readCeiling(read.allowedTools, report) };
  return {
    rules,
    additionalDirectories: isBroken
      ? []
      : [...(inPermissions.additionalDirectories ?? []), ...(bash.allowedDirectories ?? [])],
    defaultMode: isBroken ? undefined : inPermissions.defaultMode,
    isBypassDisabled: permissions["disableBypassPermissionsMode"] !== undefined,
    values: underOneName(values, bash),
    problems,
  };
}

const askedUntil = "Until it is corrected every call is asked about.";

interface Reading extends ReadSettingsOptions {
  readonly report: Report;
}

function readPermissions(
  permissions: Settings,
  { report, isForeign }: Reading,
): { readonly additionalDirectories?: readonly string[]; readonly defaultMode?: Mode } {
  const readOne = <T>(name: keyof typeof permissionRows, read: Reader<T>): T | undefined => {
    const given = permissions[name];
    if (given === undefined) return undefined;
    const { value, problems } = read(given, ["permissions", name]);
    for (const { path, ...what } of problems) {
      // Another program may know more modes than this one; here such a mode is only ignored.
      report(isForeign === true && name === "defaultMode" ? "warning" : "error", path, what);
    }
    return value;
  };
  const { additionalDirectories, defaultMode, disableBypassPermissionsMode } = permissionRows;
  const mode = readOne("defaultMode", readerOf(defaultMode));
  const directories = readOne("additionalDirectories", readerOf(additionalDirectories));
  readOne("disableBypassPermissionsMode", readerOf(disableBypassPermissionsMode));
  return {
    ...(directories === undefined ? {} : { additionalDirectories: directories }),
    ...(mode === undefined ? {} : { defaultMode: mode === "manual" ? "default" : mode }),
  };
}

type Reader<T> = (value: unknown, path: SettingPath) => ReturnType<typeof readSetting<T>>;

function readerOf<T>(setting: Parameters<typeof readSetting<T>>[0]): Reader<T> {
  return (value, path) => readSetting(setting, value, path);
}

/** Reads every setting but the permissions. Of a file that is not JSON only what makes things stricter is read. */
function readValues(
  settings: Settings,
  { report, isBroken, isForeign }: Reading & { readonly isBroken: boolean },
): SettingValues {
  const found: [string, unknown][] = [];
  for (const [name, { setting, trust, isShared }] of Object.entries(rows)) {
    const given = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (given === undefined || name === "permissions") continue;
    if (isForeign === true && isShared !== true) continue;
    const { value, problems } = readSetting(setting, given, [name]);
    for (const { path, ...what } of problems) report("error", path, what);
    if (value !== undefined && !(isBroken && trust === "needed")) found.push([name, value]);
  }
  const values: unknown = Object.fromEntries(found);
  return areValues(values) ? values : {};
}

/** The rules of a ceiling. One that cannot be read allows nothing, so it is left out and reported. */
function readCeiling(
  rules: readonly string[] | undefined,
  report: Report,
): Pick<SettingValues, "allowedTools"> {
  if (rules === undefined) return {};
  const problems = rules.map((rule) => ruleTextProblem(rule, { isCeiling: true }));
  problems.forEach((message, index) => {
    if (message === undefined) return;
    report("error", ["allowedTools", index], { message, hint: "It allows nothing." });
  });
  return { allowedTools: rules.filter((_rule, index) => problems[index] === undefined) };
}

/** Every value was read by the setting of its name. */
function areValues(values: unknown): values is SettingValues {
  return isRecord(values) && Object.keys(values).every((name) => isSettingName(name));
}

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settingRows, name);
}

/** Moves the settings of `bash` to the names they are another name of; a value under its own name counts more. */
function underOneName(values: SettingValues, bash: NonNullable<SettingValues["bash"]>) {
  const { enableSandbox, defaultWorkingDirectory, confirmDangerousCommands } = bash;
  const { dangerousCommandWhitelist, execTimeout } = bash;
  const require = enableSandbox === false ? ("off" as const) : ("enforced" as const);
  return {
    ...(defaultWorkingDirectory === undefined ? {} : { defaultWorkingDirectory }),
    ...values,
    ...(enableSandbox === undefined ? {} : { sandbox: { require, ...values.sandbox } }),
    ...(confirmDangerousCommands === true ? { confirmDangerousCommands } : {}),
    ...(dangerousCommandWhitelist === undefined
      ? {}
      : {
          dangerousCommandWhitelist: [
            ...(values.dangerousCommandWhitelist ?? []),
            ...dangerousCommandWhitelist,
          ],
        }),
    ...(execTimeout === undefined
      ? {}
      : {
          limits: {
            ...values.limits,
            bash: { timeoutMs: execTimeout, ...values.limits?.["bash"] },
          },
        }),
  };
}

type Report = (
  severity: SettingsProblem["severity"],
  path: SettingPath,
  what: { readonly message: string; readonly hint?: string; readonly line?: number },
) => void;

function reporter(problems: SettingsProblem[], options: ReadSettingsOptions): Report {
  return (severity, path, { message, hint, line: known }) => {
    const line = known ?? options.text?.lineOf(path);
    problems.push({
      severity,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(options.file === undefined ? {} : { file: options.file }),
      ...(line === undefined ? {} : { line }),
    });
  };
}

type Settings = Readonly<Record<string, unknown>>;

/** Reports unknown keys. Returns those that may have been meant as a deny or ask rule. */
function checkKeys(
  record: Settings,
  place: {
    readonly path: readonly string[];
    readonly known: readonly string[];
    readonly report: Report;
  },
): (readonly string[])[] {
  const lost: (readonly string[])[] = [];
  for (const [key, value] of Object.entries(record)) {
    if (place.known.includes(key) || foreignPermissionKeys.has(key)) continue;
    const nearest = nearestName(key.slice(0, maxNameChars), place.known);
    const belongs = place.path.length === 0 && permissionKeys.includes(key);
    const where = place.path.length === 0 ? "Settings have" : `\`${place.path.join(".")}\` has`;
    const meant = belongs ? key : nearest;
    const mayHide = meant !== undefined && hidesRules(meant, value);
    if (mayHide) lost.push([...place.path, key]);
    const ignored = mayHide ? askedUntil : "It is ignored.";
    place.report("error", [...place.path, key], {
      message: `${where} no key "${plainName(key)}".`,
      hint: belongs
        ? `${ignored} It belongs inside \`permissions\`.`
        : nearest === undefined
          ? `${ignored} The keys are ${place.known.join(", ")}.`
          : `${ignored} Did you mean ${JSON.stringify(nearest)}?`,
    });
  }
  return lost;
}

/** Whether the value of a mistyped key would deny something, or require approval for it, under the correct key. */
function hidesRules(meant: string, value: unknown): boolean {
  if (meant === "deny" || meant === "ask") return !Array.isArray(value) || value.length > 0;
  if (meant !== "permissions" || typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, list]) => (key === "deny" || key === "ask") && hidesRules(key, list),
  );
}

function asRecord(value: unknown, otherwise: () => void): Settings {
  if (isRecord(value)) return value;
  otherwise();
  return {};
}
