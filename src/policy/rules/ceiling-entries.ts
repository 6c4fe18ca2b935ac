import { nearestName } from "../../core/index.ts";
import { compileRules } from "./compile-rules.ts";
import { parseRule, resolveName } from "./parse-rule.ts";
import type { CompileOptions, RuleSource } from "./rule.ts";
import { makeRuleSet, type RuleSet } from "./rule-set.ts";
import { commonNames, otherTools, ruleAliases } from "./tool-families.ts";

/** An entry of a list of allowed tools that permits nothing. */
export interface EntryProblem {
  readonly entry: string;
  /**
   * `unreadable`: not a name with or without a pattern, so that nobody can say what it was meant to permit; `unknown`: no
   * tool has its name; `elsewhere`: a known tool that is not offered here; `useless`: its pattern fits no call.
   */
  readonly kind: "unreadable" | "unknown" | "elsewhere" | "useless";
  /** One sentence. */
  readonly message: string;
  /** Next step. */
  readonly hint: string | undefined;
}

/** Rules of a ceiling: what the entries permit, and nothing else. */
export interface CeilingRules {
  readonly rules: RuleSet;
  /** Entries that permit nothing. */
  readonly problems: readonly EntryProblem[];
}

/**
 * Compiles a list of allowed tools. Unlike an allow rule, an entry may be a pattern of names of MCP tools: it only permits
 * what other rules allow.
 */
export function compileCeiling(
  entries: readonly string[],
  anchors: Pick<RuleSource, "base" | "cwd" | "home">,
  options: CompileOptions = {},
): CeilingRules {
  const problems: EntryProblem[] = [];
  const rules = entries.flatMap((entry) => {
    const source: RuleSource = { scope: "option", list: "allow", rules: [entry], ...anchors };
    const compiled = compileRules([source], { ...options, isCeiling: true });
    const problem = problemOf(entry, compiled.problems, options);
    if (problem !== undefined) problems.push(problem);
    return problem === undefined ? compiled.rules.rules : [];
  });
  return { rules: makeRuleSet(rules), problems };
}

/** Why an entry of a list in a file permits nothing, where the tools of the toolkit are not known; undefined if it may. */
export function entryProblem(entry: string): EntryProblem | undefined {
  return compileCeiling([entry], { base: "/", cwd: "/", home: "/" }).problems[0];
}

function problemOf(
  entry: string,
  problems: ReturnType<typeof compileRules>["problems"],
  options: CompileOptions,
): EntryProblem | undefined {
  const parsed = parseRule(entry);
  if ("problem" in parsed) {
    const hint = "Write a tool, or a tool with a pattern, as in Bash(git *).";
    return { entry, kind: "unreadable", message: parsed.problem, hint };
  }
  const { tool } = parsed;
  if (!resolveName(tool, options).isKnown) {
    if (isOtherTool(tool)) {
      return { entry, kind: "elsewhere", message: `${tool} is not offered here.`, hint: undefined };
    }
    const names = [...commonNames, ...Object.keys(ruleAliases), ...otherTools];
    const near = nearestName(tool.slice(0, 64), [...names, ...(options.known ?? [])]);
    const hint = near === undefined ? undefined : `Did you mean ${near}?`;
    return { entry, kind: "unknown", message: `No tool is called ${tool}.`, hint };
  }
  const error = problems.find(({ severity }) => severity === "error");
  if (error === undefined) return undefined;
  const { message, hint } = error;
  return { entry, kind: "useless", message, hint: hint?.replace(/^It grants nothing\. ?/u, "") };
}

const lowerCase: ReadonlySet<string> = new Set(otherTools.map((name) => name.toLowerCase()));

function isOtherTool(name: string): boolean {
  return lowerCase.has(name.toLowerCase());
}
