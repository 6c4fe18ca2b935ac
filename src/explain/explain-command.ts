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
import {
  analyseCommand,
  callEffects,
  type CommandAnalysis,
  type CommandPlace,
} from "../shell/index.ts";
import type {
  CommandExplanation,
  CommandReason,
  CommandRules,
  ExplainedCommand,
  ExplainOptions,
} from "./explanation.ts";

/** Bash tool as the policy sees it. */
const tool: PolicyTool = {
  name: "Bash",
  touches: ["read", "write", "connect", "execute", "unknown"],
};

/**
 * Explains what a command would do, whether it is allowed, and why. Synchronous: reads no files and starts no programs.
 * Paths are used as written, so links in the workspace are not followed.
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

/** Decision on a command that was made elsewhere, for example by a toolkit that inspected the machine. */
export interface DecidedCommand extends Pick<CommandPlace, "cwd" | "workspace" | "home"> {
  /** Effects that were decided: those of the text, and those found by inspecting the machine. */
  readonly effects: readonly Effect[];
  /** Decision on the effects. */
  readonly decision: Decision;
  /** Mode in which it was decided. */
  readonly mode: Mode;
}

/** Explains a command on which a toolkit has decided. Synchronous: reads no files and starts no programs. */
export function explainDecision(text: string, decided: DecidedCommand): CommandExplanation {
  const { effects, decision, mode, cwd, workspace, home } = decided;
  const analysis = analyseCommand(text, { cwd, workspace, home });
  return explanationOf({ analysis, effects, decision, boundary: { roots: [workspace] }, mode });
}

/** Decision on a command, with the analysis and effects on which it is based. */
interface JudgedCommand {
  readonly analysis: CommandAnalysis;
  readonly effects: readonly Effect[];
  readonly decision: Decision;
  readonly boundary: Pick<Boundary, "roots">;
  readonly mode: Mode;
}

function explanationOf(decided: JudgedCommand): CommandExplanation {
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

/** Rule set for the given rules, compiled once per object and location. */
function ruleSetOf({ rules, cwd, workspace, home }: ExplainOptions): RuleSet {
  if (rules === undefined) return noRules;
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

/** Findings of the shell layer, then the decision steps that led to the verdict, without duplicates. */
function reasonsOf(decided: JudgedCommand): readonly CommandReason[] {
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
    // The finding is more precise and has a position.
    if (step.effect?.kind === "unknown" && found.has(step.effect.because)) continue;
    add({ span: spanOf(step) ?? whole, rule: ruleOf(step, decided), text: step.text });
  }
  return reasons;
}

function spanOf({ effect }: Finding): Span | undefined {
  return effect !== undefined && "span" in effect ? effect.span : undefined;
}

function ruleOf({ rule, effect }: Finding, { boundary, mode }: JudgedCommand): string {
  if (rule !== undefined) return rule.rule;
  if (effect === undefined) return mode;
  return `${mode}: ${classOf(effect, { ...boundary, restrictToWorkspace: false })}`;
}

/** Capitalizes a sentence, unless it begins with the name of a program. */
function sentence(text: string, { invocations }: CommandAnalysis): string {
  const [first] = text.split(" ");
  const isName = invocations.some(({ name }) => name === first);
  return `${isName ? text.charAt(0) : text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
