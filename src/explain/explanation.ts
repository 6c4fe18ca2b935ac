import type { Effect, Mode, Span, Word } from "../core/index.ts";
import type { RuleList, RuleSet } from "../policy/index.ts";
import type { CommandClass, CommandPlace } from "../shell/index.ts";

export type CommandVerdict = "allow" | "ask" | "deny";

/** Rules as people write them, by list. */
export type CommandRules = Readonly<Partial<Record<RuleList, readonly string[]>>>;

export interface ExplainOptions extends CommandPlace {
  /** Rules to decide by. A text that is no rule is a TypeError. Default: none. */
  readonly rules?: CommandRules | RuleSet | undefined;
  /** Default "default". */
  readonly mode?: Mode | undefined;
}

/** Why, at which place of the text, and by which rule. */
export interface CommandReason {
  readonly span: Span;
  /** A rule as it was written, a line of a mode such as `default: write-inside`, or `floor`, `high-risk`, `refused`. */
  readonly rule: string;
  readonly text: string;
}

export interface ExplainedCommand {
  /** The program's name without its folder, or undefined while it is not known. */
  readonly name: string | undefined;
  readonly argv: readonly Word[];
  /** What starts it, outermost first. */
  readonly via: readonly string[];
  readonly span: Span;
}

/** What a command would do, whether it may, and why. */
export interface CommandExplanation {
  readonly input: string;
  readonly verdict: CommandVerdict;
  /** Every consequence is listed and none changes anything. */
  readonly readOnly: boolean;
  readonly class: CommandClass;
  readonly commands: readonly ExplainedCommand[];
  readonly effects: readonly Effect[];
  readonly reasons: readonly CommandReason[];
}
