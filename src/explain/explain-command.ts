import type { Decision, Effect, Finding, Mode, Span } from "../core/index.ts";
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
  return explanationOf({ analysis, effects, decision, boundary, mode });
}

/** A decision about a command, and what it was made from. */
export interface DecidedCommand {
  readonly analysis: CommandAnalysis;
  /** What was decided about: those of the analysis, and what was found by looking at the machine. */
  readonly effects: readonly Effect[];
  readonly decision: Decision;
  readonly boundary: Pick<Boundary, "roots">;
  readonly mode: Mode;
}

/** The explanation of a command that was decided elsewhere, as by a toolkit that has looked at the machine. */
export function explanationOf(decided: DecidedCommand): CommandExplanation {
  const { analysis, effects, decision } = decided;
  return {
    input: analysis.input,
    verdict: decision.kind,
    readOnly: analysis.readOnly && !effects.some(({ kind }) => kind === "unknown"),
    class: analysis.class,
    commands: commandsOf(analysis),
    effects,
    reasons: reasonsOf(decided),
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

/** What the shell layer found first, then each step of the decision that led to the verdict, each once. */
function reasonsOf(decided: DecidedCommand): readonly CommandReason[] {
  const { analysis, decision } = decided;
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
    for (const { rule, text, span } of analysis.findings)
      add({ span, rule, text: sentence(text, analysis) });
  }
  const found = new Set(analysis.findings.map(({ text }) => text));
  for (const step of decision.trail) {
    if (step.verdict !== decision.kind) continue;
    // The finding itself says it better, and where.
    if (step.effect?.kind === "unknown" && found.has(step.effect.because)) continue;
    add({ span: spanOf(step) ?? whole, rule: ruleOf(step, decided), text: step.text });
  }
  return reasons;
}

function spanOf({ effect }: Finding): Span | undefined {
  return effect !== undefined && "span" in effect ? effect.span : undefined;
}

function ruleOf({ rule, effect }: Finding, { boundary, mode }: DecidedCommand): string {
  if (rule !== undefined) return rule.rule;
  if (effect === undefined) return mode;
  return `${mode}: ${classOf(effect, { ...boundary, restrictToWorkspace: false })}`;
}

/** The name of a program at its beginning keeps its letters. */
function sentence(text: string, { invocations }: CommandAnalysis): string {
  const [first] = text.split(" ");
  const isName = invocations.some(({ name }) => name === first);
  return `${isName ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
