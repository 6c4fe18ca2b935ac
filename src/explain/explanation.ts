import type { Effect, Mode, Span, Word } from "../core/index.ts";
import type { RuleList } from "../policy/index.ts";
import type { CommandClass, CommandPlace } from "../shell/index.ts";

export type CommandVerdict = "allow" | "ask" | "deny";

/** Rules as users write them, by list. */
export type CommandRules = Readonly<Partial<Record<RuleList, readonly string[]>>>;

export interface ExplainOptions extends CommandPlace {
  /** Rules for the decision. An invalid rule causes a TypeError. Default: none. */
  readonly rules?: CommandRules | undefined;
  /** Mode for the decision. Default "default". */
  readonly mode?: Mode | undefined;
}

/** Reason for a verdict, with its position in the text and the rule that caused it. */
export interface CommandReason {
  readonly span: Span;
  /** Rule as written, a line of a mode such as `default: write-inside`, or `floor`, `high-risk` or `refused`. */
  readonly rule: string;
  readonly text: string;
}

export interface ExplainedCommand {
  /** Program name without its directory; undefined if unknown. */
  readonly name: string | undefined;
  readonly argv: readonly Word[];
  /** Launchers that start the program, outermost first. */
  readonly via: readonly string[];
  readonly span: Span;
}

/** Consequences of a command, the verdict on it, and the reasons. */
export interface CommandExplanation {
  readonly input: string;
  readonly verdict: CommandVerdict;
  /** Whether all consequences are listed and none of them changes anything. */
  readonly readOnly: boolean;
  readonly class: CommandClass;
  readonly commands: readonly ExplainedCommand[];
  readonly effects: readonly Effect[];
  readonly reasons: readonly CommandReason[];
}
