import { applyEdits, modify } from "jsonc-parser";
import { isRecord, isWithin } from "../../text/index.ts";
import { ToolError } from "../../core/index.ts";
import { compileRules, type RuleList } from "../../policy/index.ts";
import { acceptChange } from "../trust/change-trust.ts";
import { changeFile, changeRecords } from "./change-file.ts";
import { ruleFile, rulesAsSaved, type SavedRule, type SaveRuleOptions } from "./rule-file.ts";
import { readSettingsText } from "./settings-text.ts";
import { isTrusted } from "../trust/trust.ts";
import type { ChangedText, CoverageChange } from "../trust/commands/started-programs.ts";
import { trustName } from "../trust/hash-files.ts";
import { trustedFiles } from "../trust/trusted-files.ts";
import {
  isAmong,
  savedIn,
  savedRecords,
  type UserSavedRules,
  type SavedRulesOptions,
} from "./saved-rules.ts";

export { acceptChange, recordTrust, reviewTrust } from "../trust/change-trust.ts";

/**
 * Adds a rule to the settings file of the scope on this system, preserving comments and formatting; a concurrent reader
 * sees the old file or the new one. Refuses a rule that cannot be parsed and a file that is not valid JSON.
 */
export async function saveRule(options: SaveRuleOptions): Promise<readonly SavedRule[]> {
  const { scope, list = "allow" } = options;
  const rules = rulesAsSaved(options);
  for (const rule of rules) refuseBadRule(rule, { ...options, list });
  const saved = await addRules(rules, { ...options, list });
  const { dataDirectory, host, turns, workspace } = options;
  if (dataDirectory !== undefined && list === "allow" && scope !== "user") {
    await rememberSaved({ host, workspace, dataDirectory, turns }, saved);
  }
  return saved;
}

async function addRules(
  rules: readonly string[],
  options: SaveRuleOptions & { readonly list: RuleList },
): Promise<readonly SavedRule[]> {
  const { list, scope } = options;
  return await editSettings(options, (text) => {
    let next = text;
    const added: { rule: string; wasThere: boolean }[] = [];
    for (const rule of rules) {
      const there = listIn(next, list, options);
      const wasThere = there.includes(rule);
      added.push({ rule, wasThere });
      if (wasThere) continue;
      const path = ["permissions", list, there.length];
      const formattingOptions = formattingOf(next);
      next = applyEdits(
        next,
        modify(next, path, rule, { formattingOptions, isArrayInsertion: true }),
      );
    }
    return {
      text: next,
      results: (file, final) =>
        added.map(({ rule, wasThere }) => {
          const index = listIn(final, list, options).indexOf(rule);
          const line = readSettingsText(final).lineOf(["permissions", list, index]) ?? 1;
          return { rule, list, scope, file, line, wasThere };
        }),
    };
  });
}

/** Removes every rule with exactly this text from the file of the scope; false if there was none. */
export async function removeRule(options: SaveRuleOptions): Promise<boolean> {
  const { list = "allow" } = options;
  const removed = await editSettings(options, (text) => {
    let next = text;
    let count = 0;
    for (;;) {
      const index = listIn(next, list, options).indexOf(options.rule);
      if (index === -1) break;
      const formattingOptions = formattingOf(next);
      next = applyEdits(
        next,
        modify(next, ["permissions", list, index], undefined, { formattingOptions }),
      );
      count += 1;
    }
    return { text: next, results: () => count };
  });
  return removed > 0;
}

/** File to edit: the settings of a scope, and the records of trust to keep. */
export type EditOptions = Pick<
  SaveRuleOptions,
  "host" | "workspace" | "home" | "scope" | "dataDirectory" | "turns"
>;

/** Changes the settings file of a scope; the change is computed again if another process wrote the file meanwhile. */
export async function editSettings<T>(
  options: EditOptions,
  change: (text: string) => { text: string; results: (file: string, final: string) => T },
): Promise<T> {
  const file = await options.host.fs.canonical(ruleFile(options));
  refuseElsewhere(file, options);
  let coverage: CoverageChange | undefined;
  const { result, hash } = await changeFile<() => T>(
    {
      path: file,
      async change(text = "", before) {
        refuseBroken(text, file);
        const start = readSettingsText(text).value === undefined ? withObject(text) : text;
        const { text: next, results } = change(start);
        const isKept = next !== start && (await isTrustedBefore(file, before, options));
        coverage = isKept ? await coverageOf({ before: start, after: next }, options) : undefined;
        return { text: next === start ? undefined : next, result: () => results(file, next) };
      },
    },
    options.host,
  );
  const { dataDirectory, host, turns, workspace } = options;
  if (coverage !== undefined && hash !== undefined && dataDirectory !== undefined) {
    // Exactly what was written here: another program may have written the file since.
    await acceptChange(
      { host, workspace, dataDirectory, turns },
      { path: file, hash, ...coverage },
    );
  }
  return result();
}

/** Appends an empty object to a file that contains only whitespace and comments. */
function withObject(text: string): string {
  const comments = text.trim();
  return comments === "" ? "{}\n" : `${comments}\n{}\n`;
}

/** Whether the workspace is trusted now, with the content of the settings file that a change of it starts from. */
async function isTrustedBefore(
  file: string,
  hash: string | undefined,
  { dataDirectory, host, workspace, scope }: EditOptions,
): Promise<boolean> {
  if (dataDirectory === undefined || scope === "user") return false;
  const trust = { host, workspace, dataDirectory };
  if (!(await isTrusted(trust)).trusted) return false;
  return await (await trustedFiles(trust)).has(file, hash);
}

/** Files that trust covers with a change of a settings file, and those that it releases. */
async function coverageOf(
  texts: Pick<ChangedText, "before" | "after">,
  options: EditOptions,
): Promise<CoverageChange> {
  const { host, workspace } = options;
  // Loaded with the first change of a trusted workspace.
  const { changedCoverage } = await import("../trust/commands/started-programs.ts");
  const name = trustName(workspace, ruleFile(options));
  return await changedCoverage({ name, ...texts }, { host, workspace });
}

/** Present entries of a list of rules. Throws if the list cannot be read. */
function listIn(text: string, list: RuleList, options: SaveRuleOptions): readonly unknown[] {
  const value = readSettingsText(text).value;
  const permissions = property(value, "permissions") ?? {};
  const written = property(permissions, list) ?? [];
  if (!isRecord(permissions) || !Array.isArray(written)) {
    throw new ToolError(
      "INVALID_INPUT",
      `${ruleFile(options)} does not hold rules where they belong.`,
      {
        hint: "Correct `permissions` there, then save the rule again.",
      },
    );
  }
  return written.map((rule: unknown) => (typeof rule === "string" ? rule : property(rule, "rule")));
}

/**
 * Refuses a file outside the workspace. A workspace can contain symbolic links: one could make a rule for this
 * workspace apply to all of them.
 */
function refuseElsewhere(file: string, options: EditOptions): void {
  const { scope, workspace } = options;
  if (scope === "user" || isWithin(workspace, file)) return;
  throw new ToolError(
    "OUTSIDE_WORKSPACE",
    `${ruleFile(options)} leads to ${file}, outside the workspace, so nothing was saved there.`,
    { hint: "Save it for the session, or replace the link by a file." },
  );
}

function refuseBroken(text: string, file: string): void {
  const { broken, value } = readSettingsText(text);
  if (broken === undefined && (value === undefined || isRecord(value))) return;
  throw new ToolError("INVALID_INPUT", `${file} is not a JSON object, so nothing was saved.`, {
    hint:
      broken === undefined
        ? "Correct it first."
        : `Correct line ${broken.line} first: ${broken.message}.`,
  });
}

function refuseBadRule(
  rule: string,
  { list, workspace, home }: SaveRuleOptions & { readonly list: RuleList },
): void {
  const { problems } = compileRules([
    { scope: "option", list, rules: [rule], base: workspace, cwd: workspace, home },
  ]);
  const problem = problems.find(({ severity }) => severity === "error");
  if (problem === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `${JSON.stringify(rule)} is not a rule. ${problem.message}`,
    {
      hint: problem.hint ?? "Write it as Tool or Tool(pattern).",
    },
  );
}

/** Indentation and line ends of a file. */
export function formattingOf(text: string): {
  tabSize: number;
  insertSpaces: boolean;
  eol: string;
} {
  const indent = /\n([ \t]+)\S/u.exec(text)?.[1] ?? "  ";
  return {
    tabSize: indent.startsWith("\t") ? 4 : indent.length,
    insertSpaces: !indent.startsWith("\t"),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

function property(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

/** Records that the user saved these rules for the workspace. */
async function rememberSaved(
  options: SavedRulesOptions,
  rules: readonly UserSavedRules[],
): Promise<void> {
  const { workspace } = options;
  await changeRecords(
    savedRecords(options),
    (text) => {
      const records = new Map(text === undefined ? [] : savedIn(text));
      const known = records.get(workspace) ?? [];
      const fresh = rules.filter((rule) => !isAmong(rule, known));
      return fresh.length === 0 ? undefined : records.set(workspace, [...known, ...fresh]);
    },
    options,
  );
}
