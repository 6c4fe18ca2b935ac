import type { Effect, Mode, Span, Word } from "../core/index.ts";
import type { RuleList } from "../policy/index.ts";
import type { CommandClass, CommandPlace } from "../shell/index.ts";

/** Decision on a command. */
export type CommandVerdict = "allow" | "ask" | "deny";

/** Rules as users write them, by list. */
export type CommandRules = Readonly<Partial<Record<RuleList, readonly string[]>>>;

/** Context, rules and mode of an explanation. */
export interface ExplainOptions extends CommandPlace {
  /** Rules for the decision. An invalid rule causes a TypeError. Default: none. */
  readonly rules?: CommandRules | undefined;
  /** Mode for the decision. Default "default". */
  readonly mode?: Mode | undefined;
}

/** Reason for a verdict, with its position in the text and the rule that caused it. */
export interface CommandReason {
  /** Place in the text. */
  readonly span: Span;
  /** Rule as written, a line of a mode such as `default: write-inside`, or `floor`, `high-risk` or `refused`. */
  readonly rule: string;
  /** Reason, in one sentence. */
  readonly text: string;
}

/** A program that would run. */
export interface ExplainedCommand {
  /** Program name without its directory; undefined if unknown. */
  readonly name: string | undefined;
  /** Program and arguments. */
  readonly argv: readonly Word[];
  /** Launchers that start the program, outermost first. */
  readonly via: readonly string[];
  /** Place in the text. */
  readonly span: Span;
}

/** Consequences of a command, the verdict on it, and the reasons. */
export interface CommandExplanation {
  /** Text of the command. */
  readonly input: string;
  /** Decision on the command. */
  readonly verdict: CommandVerdict;
  /** Whether all consequences are listed and none of them changes anything. */
  readonly readOnly: boolean;
  /** Kind of action; of a compound command that of its weakest part. */
  readonly class: CommandClass;
  /** Programs that would run, in order. */
  readonly commands: readonly ExplainedCommand[];
  /** Everything it would touch. */
  readonly effects: readonly Effect[];
  /** Reasons for the verdict. */
  readonly reasons: readonly CommandReason[];
}
