import { isWithin, type Effect, type Mode, type Span } from "../core/index.ts";
import { analyseCommand, type CommandAnalysis, type CommandPlace } from "./analyse.ts";
import type { CommandClass } from "./command-class.ts";
import { planArgv, type ArgvPlan } from "./plan.ts";
import type { Word } from "../core/index.ts";

export type CommandVerdict = "allow" | "ask" | "deny";

/** Why, at which place of the text. */
export interface CommandReason {
  readonly span: Span;
  readonly rule: string;
  readonly text: string;
}

export interface CommandDecision {
  readonly verdict: CommandVerdict;
  readonly reasons: readonly CommandReason[];
}

/** Decides about what was found; policy brings its own with rules and modes. */
export type DecideCommand = (analysis: CommandAnalysis, options: ExplainOptions) => CommandDecision;

export interface ExplainOptions extends CommandPlace {
  /** Whatever the deciding function reads; the built-in one knows no rules. */
  readonly rules?: unknown;
  readonly mode?: Mode | undefined;
}

export interface ExplainedCommand {
  /** The program's name, or undefined while it is not known. */
  readonly name: string | undefined;
  readonly argv: readonly Word[];
  readonly via: readonly string[];
  readonly span: Span;
}

export interface CommandExplanation {
  readonly input: string;
  readonly verdict: CommandVerdict;
  readonly readOnly: boolean;
  readonly class: CommandClass;
  readonly commands: readonly ExplainedCommand[];
  readonly effects: readonly Effect[];
  readonly reasons: readonly CommandReason[];
  /** How an allowed simple command runs without a shell. */
  readonly plan?: ArgvPlan;
}

/** Makes an `explainCommand` that decides with `decide`. */
export function explainWith(
  decide: DecideCommand,
): (text: string, options: ExplainOptions) => CommandExplanation {
  return (text, options) => {
    const analysis = analyseCommand(text, options);
    const { verdict, reasons } = decide(analysis, options);
    const plan = verdict === "allow" ? planArgv(analysis) : undefined;
    return {
      input: text,
      verdict,
      readOnly: analysis.readOnly,
      class: analysis.class,
      commands: analysis.invocations.map(({ name, argv, via, span }) => ({
        name,
        argv: argv.map((word) => (typeof word === "string" ? word : { dynamic: word.dynamic })),
        via,
        span,
      })),
      effects: analysis.effects,
      reasons,
      ...(plan === undefined ? {} : { plan }),
    };
  };
}

/**
 * Says what a command would do, whether it may, and why, at once and without starting anything.
 * Without rules: the destructive floor is denied, reading inside the workspace allowed, the rest asked.
 */
export function explainCommand(text: string, options: ExplainOptions): CommandExplanation {
  return explainWith(decideByItself)(text, options);
}

/** The verdict without any rules: strict, and never milder than its worst part. */
export function decideByItself(analysis: CommandAnalysis, options: CommandPlace): CommandDecision {
  const reasons = reasonsOf(analysis, options.workspace);
  const whole = { start: 0, end: analysis.input.length };
  if (analysis.findings.some(({ rule }) => rule === "floor")) return { verdict: "deny", reasons };
  if (reasons.length > 0 || !analysis.readOnly) {
    const reason = { span: whole, rule: "not-read-only", text: "It is not only reading." };
    return { verdict: "ask", reasons: reasons.length > 0 ? reasons : [reason] };
  }
  const text = "Every consequence is known, and it only reads inside the workspace.";
  return { verdict: "allow", reasons: [{ span: whole, rule: "read-only", text }] };
}

/** What stands in the way of running it unasked, worst first. */
function reasonsOf(analysis: CommandAnalysis, workspace: string): CommandReason[] {
  const whole = { start: 0, end: analysis.input.length };
  const reasons: CommandReason[] = [];
  for (const rule of ["floor", "high-risk", "refused"]) {
    for (const finding of analysis.findings) {
      if (finding.rule === rule)
        reasons.push({ span: finding.span, rule, text: sentence(finding.text) });
    }
  }
  const said = new Set(analysis.findings.map(({ text }) => text));
  for (const effect of analysis.effects) {
    const reason = effectReason(effect, workspace, said);
    if (reason !== undefined)
      reasons.push({
        span: "span" in effect && effect.span !== undefined ? effect.span : whole,
        ...reason,
      });
  }
  return reasons;
}

function effectReason(
  effect: Effect,
  workspace: string,
  said: ReadonlySet<string>,
): { rule: string; text: string } | undefined {
  switch (effect.kind) {
    case "unknown":
      return said.has(effect.because)
        ? undefined
        : { rule: "not-understood", text: sentence(`${effect.origin}: ${effect.because}`) };
    case "write":
      return {
        rule: "writes",
        text:
          effect.change === "delete" ? `It deletes ${effect.path}.` : `It writes ${effect.path}.`,
      };
    case "connect":
      return { rule: "network", text: `It contacts ${effect.host}.` };
    case "read":
      return isWithin(workspace, effect.path)
        ? undefined
        : { rule: "outside", text: `It reads ${effect.path}, outside the workspace.` };
    case "execute":
    case "delegate":
    case "interact":
      return undefined;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
