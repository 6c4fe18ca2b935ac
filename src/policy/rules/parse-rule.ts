import { nearestName } from "../../core/index.ts";
import { commonNames, families, ruleAliases } from "./tool-families.ts";
import type { CompileOptions } from "./rule.ts";

/** The two parts of a rule's text. */
export interface RuleText {
  readonly tool: string;
  /** Text between the parentheses; undefined for a bare name. */
  readonly spec: string | undefined;
}

/** Parses `Tool` or `Tool(spec)`, or returns why the text is neither; `tool` is then the name, where recognizable. */
export function parseRule(
  text: string,
): RuleText | { readonly problem: string; readonly tool: string | undefined } {
  const trimmed = text.trim();
  const open = trimmed.indexOf("(");
  const name = (open === -1 ? trimmed : trimmed.slice(0, open)).trim();
  if (!/^[\w.*-]+$/u.test(name)) {
    const tool = /^[A-Za-z][\w-]*/u.exec(name)?.[0];
    return { problem: "A rule is a tool name, or a tool name and a pattern in parentheses.", tool };
  }
  if (open === -1) return { tool: name, spec: undefined };
  if (!trimmed.endsWith(")")) {
    return { problem: "The parenthesis is not closed.", tool: name };
  }
  const spec = trimmed.slice(open + 1, -1);
  if (spec.trim() === "") return { problem: "The parentheses are empty.", tool: name };
  return { tool: name, spec };
}

/** A resolved tool name of a rule: the tool it means and whether such a tool exists. */
export interface ResolvedName {
  readonly name: string;
  readonly isKnown: boolean;
  /** Similar existing name that may have been intended. */
  readonly nearest: string | undefined;
}

/** Resolves aliases and different letter case to the tool that a rule means. */
export function resolveName(name: string, options: CompileOptions): ResolvedName {
  const aliases = { ...ruleAliases, ...options.aliases };
  const known = new Set([...commonNames, ...(options.known ?? [])]);
  if (known.has(name) || families.has(name)) return { name, isKnown: true, nearest: undefined };
  const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
  if (alias !== undefined) return { name: alias, isKnown: true, nearest: undefined };
  if (name.includes("*") || name.startsWith("mcp__")) {
    return { name, isKnown: true, nearest: undefined };
  }
  const lower = name.toLowerCase();
  const names = [...known, ...Object.keys(aliases)];
  const folded = names.filter((each) => each.toLowerCase() === lower);
  const [same] = folded;
  if (same !== undefined) {
    return { name: aliases[same] ?? same, isKnown: true, nearest: undefined };
  }
  const nearest = nearestName(name, names);
  return {
    name,
    isKnown: false,
    nearest: nearest === undefined ? undefined : (aliases[nearest] ?? nearest),
  };
}

export const parameterForm = /^([A-Za-z_][\w-]*)\s*:\s*(.*)$/su;
