import type { Host, PathTurns, SaveScope } from "../../core/index.ts";
import { families, type RuleList } from "../../policy/index.ts";
import { settingsFiles } from "./load-settings.ts";

export interface SaveRuleOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly workspace: string;
  readonly home: string;
  readonly scope: Exclude<SaveScope, "session">;
  /** Directory of the trust records: with it, a trusted workspace stays trusted after this change. */
  readonly dataDirectory?: string;
  /** Turns among the processes that change the trust records. */
  readonly turns?: PathTurns | undefined;
  /**
   * List to change.
   *
   * @default "allow"
   */
  readonly list?: RuleList;
  /** Rule in the syntax of `parseRule`; several are separated by line breaks. */
  readonly rule: string;
}

/** A saved rule and where it is now. */
export interface SavedRule {
  /** Text of the rule. */
  readonly rule: string;
  /** List it is in. */
  readonly list: RuleList;
  /** Settings that store it. */
  readonly scope: Exclude<SaveScope, "session">;
  /** File that stores it. */
  readonly file: string;
  /** Line in that file, counted from 1. */
  readonly line: number;
  /** Whether the rule was already in the file, so that nothing was written. */
  readonly wasThere: boolean;
}

/** Settings file in which rules of this scope are saved. */
export function ruleFile(options: Pick<SaveRuleOptions, "workspace" | "home" | "scope">): string {
  const file = settingsFiles(options.workspace, options.home).find(
    ({ scope, isForeign }) => scope === options.scope && !isForeign,
  );
  if (file === undefined) throw new TypeError(`There is no settings file for ${options.scope}.`);
  return file.path;
}

/** Rules as they would be written, one for each line of the given rule. */
export function rulesAsSaved(
  options: Pick<SaveRuleOptions, "rule" | "scope" | "workspace">,
): readonly string[] {
  return options.rule.split("\n").map((rule) => absoluteWhereNeeded(rule.trim(), options));
}

/** Writes an absolute path where needed: in the user's own file, a leading slash would mean the settings directory. */
function absoluteWhereNeeded(
  rule: string,
  { scope, workspace }: Pick<SaveRuleOptions, "scope" | "workspace">,
): string {
  if (scope !== "user") return rule;
  const tool = /^(\w+)\(\/(?!\/)/u.exec(rule)?.[1] ?? "";
  const family = families.get(tool)?.family;
  // A command is not a path pattern.
  if (family !== "read" && family !== "write") return rule;
  return `${tool}(/${workspace}/${rule.slice(tool.length + 2)}`;
}
