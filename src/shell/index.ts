import type { Effect } from "../core/index.ts";
import { analyseCommand, type CommandPlace } from "./analyse.ts";

export {
  analyseCommand,
  type CommandAnalysis,
  type CommandPlace,
  type GitConfig,
  type GitConfigSource,
} from "./analyse.ts";
export { plainEnvironment } from "./words/environment.ts";
export { namesFile } from "./programs/git/git.ts";
export { callEffects } from "./call-effects.ts";
export {
  type FindingRule,
  type Invocation,
  type InvocationContext,
  type ShellFinding,
} from "./walk/collector.ts";
export type { CommandClass } from "./command-class.ts";
export { gitNeutralisers, planArgv, planCommand, type ArgvPlan } from "./plan.ts";
export type { Assignment, Redirection, RedirectOperator } from "./parse/syntax.ts";
export {
  alternatives,
  mayBeOption,
  type Argument,
  type Gap,
  type DynamicWord,
} from "./words/words.ts";

/** Effects of a command for rules, as in a call of Bash. */
export function commandEffects(text: string, place: CommandPlace): readonly Effect[] {
  return analyseCommand(text, place).effects;
}
