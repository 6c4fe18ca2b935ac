import type { EffectKind, Mode } from "../../core/index.ts";
import { families, type Family } from "../rules/tool-families.ts";
import { modeLayers } from "../rules/layers.ts";
import type { Rule } from "../rules/rule.ts";
import type { PolicyTool, RuleIndex, RuleSet } from "../rules/rule-set.ts";
import { isEverything, matchesWildcard } from "../match/wildcard.ts";

/**
 * Whether a tool is omitted from those offered to the model: a bare deny rule names it or denies everything that it
 * is for, or the mode refuses all of its effects.
 */
export function isHidden(tool: PolicyTool, rules: RuleSet, mode: Mode): boolean {
  return isDeniedByName(tool, rules.deny, mode) || isRefusedByMode(tool, mode);
}

function isDeniedByName(tool: PolicyTool, deny: RuleIndex, mode: Mode): boolean {
  const names = [tool.name, ...(tool.aliases ?? [])];
  const always = ({ rule }: { readonly rule: Rule }): boolean =>
    rule.subagent === undefined &&
    rule.expires === undefined &&
    (rule.modes === undefined || rule.modes.has(mode));
  for (const { matcher } of deny.call.filter(always)) {
    if (matcher.on !== "tool") continue;
    if (matcher.names.some((each) => names.some((name) => matchesWildcard(each, name))))
      return true;
  }
  const denied: Readonly<Record<Family, boolean>> = {
    read: deny.read.some((entry) => entry.pattern === undefined && always(entry)),
    write: deny.write.some((entry) => entry.pattern === undefined && always(entry)),
    command: deny.execute.some((entry) => entry.pattern.isAny && always(entry)),
    host: deny.connect.some((entry) => entry.pattern.isAny && always(entry)),
    agent: deny.delegate.some((entry) => isEverything(entry.pattern) && always(entry)),
  };
  return familyNames.some((family) => denied[family] && isFor(tool, family));
}

/** Whether a tool is useless once every effect of the family is denied. */
function isFor(tool: PolicyTool, family: Family): boolean {
  if (families.get(tool.name)?.family === family) return true;
  const kind = kinds[family];
  return tool.touches.length > 0 && tool.touches.every((each) => each === kind);
}

const familyNames = ["read", "write", "command", "host", "agent"] as const;

const kinds: Readonly<Record<Family, EffectKind>> = {
  read: "read",
  write: "write",
  command: "execute",
  host: "connect",
  agent: "delegate",
};

/** A tool that runs commands is still offered: the mode may refuse some commands and allow others. */
function isRefusedByMode(tool: PolicyTool, mode: Mode): boolean {
  if (tool.touches.includes("execute")) return false;
  const refused = new Set(modeLayers[mode].deny.map(({ on }) => on.split("-", 1)[0]));
  return tool.touches.some((kind) => refused.has(kind));
}
