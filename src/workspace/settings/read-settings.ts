import {
  modes,
  nearestName,
  type Mode,
  type ModelSettings,
  type SearchSettings,
} from "../../core/index.ts";
import type { RuleList } from "../../policy/index.ts";
import { readLimits, type LimitValues } from "./read-limits.ts";
import { readModels } from "./read-models.ts";
import { readSearch } from "./read-search.ts";
import { readSandbox } from "./read-sandbox.ts";
import type { SandboxSettings, SettingsProblem } from "./settings.ts";
import type { SettingsText } from "./settings-text.ts";

/** Validated settings of one source: only values of the right type, each list with its line numbers. */
export interface ReadSettings {
  readonly rules: Readonly<Record<RuleList, readonly PlacedRule[]>>;
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: Mode | undefined;
  readonly isBypassDisabled: boolean;
  readonly defaultWorkingDirectory: string | undefined;
  readonly restrictToWorkspace: boolean | undefined;
  readonly dangerousCommandWhitelist: readonly string[];
  readonly confirmDangerousCommands: boolean;
  readonly limits: LimitValues;
  readonly sandbox: SandboxSettings;
  readonly search: Partial<SearchSettings>;
  readonly models: ModelSettings;
  readonly problems: readonly SettingsProblem[];
}

export interface PlacedRule {
  readonly rule: unknown;
  readonly line: number | undefined;
}

export interface ReadSettingsOptions {
  readonly file?: string;
  readonly text?: SettingsText;
  /** Whether the file belongs to another program, so that unknown keys are not reported. */
  readonly isForeign?: boolean;
}

const keys = [
  "$schema",
  "permissions",
  "defaultWorkingDirectory",
  "restrictToWorkspace",
  "dangerousCommandWhitelist",
  "confirmDangerousCommands",
  "limits",
  "sandbox",
  "search",
  "grep",
  "models",
  // Read by other parts of the workspace layer.
  "hooks",
  "mcpServers",
  "env",
] as const;

const permissionKeys = [
  "deny",
  "ask",
  "allow",
  "additionalDirectories",
  "defaultMode",
  "disableBypassPermissionsMode",
] as const;

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
    report("error", [], { message: "Settings are an object.", hint: askedUntil });
    rules.ask.push({ rule: "*", line: options.text?.lineOf([]) });
  });
  const lost =
    options.isForeign === true ? [] : checkKeys(settings, { path: [], known: keys, report });
  const permissions = asRecord(settings["permissions"], () => {
    if (settings["permissions"] === undefined) return;
    report("error", ["permissions"], { message: "`permissions` is an object.", hint: askedUntil });
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
        message: `\`${list}\` is a list of rules.`,
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
  const own = options.isForeign === true ? {} : settings;
  const read = { record: own, path: [], report };
  const inPermissions = { record: permissions, path: ["permissions"], report };
  const mode = readText(inPermissions, "defaultMode");
  const defaultMode = mode === "manual" ? "default" : modes.find((each) => each === mode);
  if (mode !== undefined && defaultMode === undefined) {
    report(options.isForeign === true ? "warning" : "error", ["permissions", "defaultMode"], {
      message: `There is no mode ${JSON.stringify(mode)}.`,
      hint: `The modes are ${modes.join(", ")}.`,
    });
  }
  const disabled = permissions["disableBypassPermissionsMode"];
  if (disabled !== undefined && disabled !== "disable") {
    report("error", ["permissions", "disableBypassPermissionsMode"], {
      message: '`disableBypassPermissionsMode` is "disable" or left out.',
      hint: "It is taken as disabled.",
    });
  }
  const restrict = readFlag(read, "restrictToWorkspace");
  const limits = readLimits(own["limits"] ?? {});
  for (const { path, message, hint } of limits.problems) {
    report("error", ["limits", ...path], { message, hint });
  }
  const sandbox = readSandbox(own["sandbox"]);
  for (const { path, message, hint } of sandbox.problems) {
    report("error", ["sandbox", ...path], { message, hint });
  }
  const search = readSearch(own);
  for (const { path, message, hint } of search.problems) report("error", path, { message, hint });
  const models = readModels(own["models"]);
  for (const { path, message, hint } of models.problems) {
    report("error", ["models", ...path], { message, hint });
  }
  return {
    rules,
    additionalDirectories: isBroken ? [] : readTexts(inPermissions, "additionalDirectories"),
    defaultMode: isBroken ? undefined : defaultMode,
    isBypassDisabled: disabled !== undefined,
    defaultWorkingDirectory: readText(read, "defaultWorkingDirectory"),
    restrictToWorkspace: restrict,
    dangerousCommandWhitelist: isBroken ? [] : readTexts(read, "dangerousCommandWhitelist"),
    confirmDangerousCommands: readFlag(read, "confirmDangerousCommands") ?? false,
    limits: limits.values,
    sandbox: sandbox.values,
    search: search.values,
    models: models.values,
    problems,
  };
}

const askedUntil = "Until it is corrected every call is asked about.";

type Report = (
  severity: SettingsProblem["severity"],
  path: readonly string[],
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

interface Place {
  readonly record: Settings;
  readonly path: readonly string[];
  readonly report: Report;
}

/** Reports unknown keys. Resolves to those that may have been meant as a deny or ask rule. */
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
    const nearest = nearestName(key, place.known);
    const belongs = place.path.length === 0 && permissionKeys.some((each) => each === key);
    const where = place.path.length === 0 ? "Settings have" : `\`${place.path.join(".")}\` has`;
    const meant = belongs ? key : nearest;
    const mayHide = meant !== undefined && hidesRules(meant, value);
    if (mayHide) lost.push([...place.path, key]);
    const ignored = mayHide ? askedUntil : "It is ignored.";
    place.report("error", [...place.path, key], {
      message: `${where} no key ${JSON.stringify(key)}.`,
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

function readText({ record, path, report }: Place, key: string): string | undefined {
  const value = record[key];
  if (value === undefined || typeof value === "string") return value;
  report("error", [...path, key], { message: `\`${key}\` is a text.`, hint: "It is ignored." });
  return undefined;
}

/** Reads a flag that restricts; any value that is not a boolean counts as true. */
function readFlag({ record, path, report }: Place, key: string): boolean | undefined {
  const value = record[key];
  if (value === undefined || typeof value === "boolean") return value;
  report("error", [...path, key], {
    message: `\`${key}\` is true or false.`,
    hint: "It is taken as true.",
  });
  return true;
}

function readTexts({ record, path, report }: Place, key: string): readonly string[] {
  const value = record[key];
  if (value === undefined) return [];
  if (Array.isArray(value)) {
    const texts = value.filter((each) => typeof each === "string");
    if (texts.length === value.length) return texts;
  }
  report("error", [...path, key], {
    message: `\`${key}\` is a list of texts.`,
    hint: "It is ignored.",
  });
  return [];
}

function asRecord(value: unknown, otherwise: () => void): Settings {
  if (isRecord(value)) return value;
  otherwise();
  return {};
}

function isRecord(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
