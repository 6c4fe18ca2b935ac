import type { Decision, Finding, Mode, Span } from "../core/index.ts";
import {
  classOf,
  compileRules,
  judge,
  noRules,
  type Boundary,
  type PolicyTool,
  type RuleSet,
} from "../policy/index.ts";
import { analyseCommand, callEffects, type CommandAnalysis } from "../shell/index.ts";
import type {
  CommandExplanation,
  CommandReason,
  CommandRules,
  ExplainedCommand,
  ExplainOptions,
} from "./explanation.ts";

/** Bash as rules know it. */
const tool: PolicyTool = {
  name: "Bash",
  touches: ["read", "write", "connect", "execute", "unknown"],
};

/**
 * Says what a command would do, whether it may, and why: at once, reading nothing and starting nothing. Paths are
 * taken as they are written, so a link in the workspace is not followed.
 */
export function explainCommand(text: string, options: ExplainOptions): CommandExplanation {
  const { workspace, home, mode = "default" } = options;
  const analysis = analyseCommand(text, options);
  const effects = callEffects(analysis);
  const boundary: Boundary = { roots: [workspace], restrictToWorkspace: false, home };
  const decision = judge({
    tool,
    input: { command: text },
    effects,
    rules: ruleSetOf(options),
    mode,
    boundary,
    trusted: true,
  });
  return {
    input: text,
    verdict: decision.kind,
    readOnly: analysis.readOnly,
    class: analysis.class,
    commands: commandsOf(analysis),
    effects,
    reasons: reasonsOf(decision, { analysis, boundary, mode }),
  };
}

function commandsOf({ invocations }: CommandAnalysis): readonly ExplainedCommand[] {
  return invocations.map(({ name, argv, via, span }) => ({
    name,
    argv: argv.map((word) => (typeof word === "string" ? word : { dynamic: word.dynamic })),
    via,
    span,
  }));
}

const compiled = new WeakMap<CommandRules, Map<string, RuleSet>>();

/** Compiled once for the same object in the same place. */
function ruleSetOf({ rules, cwd, workspace, home }: ExplainOptions): RuleSet {
  if (rules === undefined) return noRules;
  if (isRuleSet(rules)) return rules;
  const place = `${cwd}\0${workspace}\0${home}`;
  const known = compiled.get(rules) ?? new Map<string, RuleSet>();
  compiled.set(rules, known);
  const found = known.get(place);
  if (found !== undefined) return found;
  const sources = (["deny", "ask", "allow"] as const).map((list) => ({
    scope: "option" as const,
    list,
    rules: rules[list] ?? [],
    base: workspace,
    cwd,
    home,
  }));
  const made = compileRules(sources, { roots: [workspace] });
  const problem = made.problems.find(({ severity }) => severity === "error");
  if (problem !== undefined) {
    throw new TypeError(
      `The ${problem.list} rule ${problem.rule} cannot be read. ${problem.message}`,
    );
  }
  known.set(place, made.rules);
  return made.rules;
}

function isRuleSet(rules: CommandRules | RuleSet): rules is RuleSet {
  return "forTool" in rules;
}

interface Explaining {
  readonly analysis: CommandAnalysis;
  readonly boundary: Boundary;
  readonly mode: Mode;
}

/** What the shell layer found first, then each step of the decision that led to the verdict, each once. */
function reasonsOf(decision: Decision, explaining: Explaining): readonly CommandReason[] {
  const { analysis } = explaining;
  const whole: Span = { start: 0, end: analysis.input.length };
  const reasons: CommandReason[] = [];
  const said = new Set<string>();
  const add = (reason: CommandReason): void => {
    const key = `${reason.span.start} ${reason.span.end} ${reason.rule} ${reason.text}`;
    if (said.has(key)) return;
    said.add(key);
    reasons.push(reason);
  };
  if (decision.kind !== "allow") {
    for (const { rule, text, span } of analysis.findings) add({ span, rule, text: sentence(text) });
  }
  const found = new Set(analysis.findings.map(({ text }) => text));
  for (const step of decision.trail) {
    if (step.verdict !== decision.kind) continue;
    // The finding itself says it better, and where.
    if (step.effect?.kind === "unknown" && found.has(step.effect.because)) continue;
    add({ span: spanOf(step) ?? whole, rule: ruleOf(step, explaining), text: step.text });
  }
  return reasons;
}

function spanOf({ effect }: Finding): Span | undefined {
  return effect !== undefined && "span" in effect ? effect.span : undefined;
}

function ruleOf({ rule, effect }: Finding, { boundary, mode }: Explaining): string {
  if (rule !== undefined) return rule.rule;
  return effect === undefined ? mode : `${mode}: ${classOf(effect, boundary)}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
