import type { Host, SaveScope } from "../core/index.ts";
import type { RuleList } from "../policy/index.ts";
import { settingsFiles } from "./load-settings.ts";

export interface SaveRuleOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly workspace: string;
  readonly home: string;
  readonly scope: Exclude<SaveScope, "session">;
  /** Where trust is recorded: a trusted workspace then stays so although this very change was made to it. */
  readonly dataDirectory?: string;
  /** Default "allow". */
  readonly list?: RuleList;
  /** As `parseRule` reads it; several stand one a line. */
  readonly rule: string;
}

/** Where a saved rule stands now. */
export interface SavedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: Exclude<SaveScope, "session">;
  readonly file: string;
  readonly line: number;
  /** It stood there before; nothing was written. */
  readonly wasThere: boolean;
}

/** The settings file that rules of this scope are saved in. */
export function ruleFile(options: Pick<SaveRuleOptions, "workspace" | "home" | "scope">): string {
  const file = settingsFiles(options.workspace, options.home).find(
    ({ scope, isForeign }) => scope === options.scope && !isForeign,
  );
  if (file === undefined) throw new TypeError(`There is no settings file for ${options.scope}.`);
  return file.path;
}

/** The texts that saving would write, one for each line of the rule. */
export function rulesAsSaved(
  options: Pick<SaveRuleOptions, "rule" | "scope" | "workspace">,
): readonly string[] {
  return options.rule.split("\n").map((rule) => absoluteWhereNeeded(rule.trim(), options));
}

/** In a person's own file a slash would start at the settings folder, so the path is spelled in full. */
function absoluteWhereNeeded(
  rule: string,
  { scope, workspace }: Pick<SaveRuleOptions, "scope" | "workspace">,
): string {
  if (scope !== "user") return rule;
  return rule.replace(/^(\w+)\(\/(?!\/)/u, (_, tool: string) => `${tool}(/${workspace}/`);
}
