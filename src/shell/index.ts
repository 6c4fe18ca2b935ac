import type { Effect } from "../core/index.ts";
import { analyseCommand, type CommandPlace } from "./analyse.ts";
import type { ShellFinding } from "./collector.ts";

export {
  analyseCommand,
  type CommandAnalysis,
  type CommandPlace,
  type GitConfig,
} from "./analyse.ts";
export {
  type FindingRule,
  type Invocation,
  type InvocationContext,
  type ShellFinding,
} from "./collector.ts";
export type { CommandClass } from "./command-class.ts";
export {
  decideByItself,
  explainCommand,
  explainWith,
  type CommandDecision,
  type CommandExplanation,
  type CommandReason,
  type CommandVerdict,
  type DecideCommand,
  type ExplainedCommand,
  type ExplainOptions,
} from "./explain.ts";
export { gitNeutralisers, planArgv, planCommand, type ArgvPlan } from "./plan.ts";
export type { Argument, Gap, LooseWord } from "./words.ts";

/** What a command would touch, for rules: the list of a call of Bash. */
export function commandEffects(text: string, place: CommandPlace): readonly Effect[] {
  return analyseCommand(text, place).effects;
}

/** Why a command may not run in any mode; empty for everything else. */
export function floorFindings(text: string, place: CommandPlace): readonly ShellFinding[] {
  return analyseCommand(text, place).findings.filter(({ rule }) => rule === "floor");
}
