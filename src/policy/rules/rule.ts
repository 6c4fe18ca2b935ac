import type { Effect, Mode, RuleRef, RuleScope } from "../../core/index.ts";
import type { CommandPattern } from "../match/command-pattern.ts";
import type { HostPattern } from "../match/host-pattern.ts";
import type { Links, PathPattern } from "../match/path-pattern.ts";
import type { Wildcard } from "../match/wildcard.ts";

export type RuleList = "deny" | "ask" | "allow";

/** A rule with conditions. A plain string is the same as `{ rule }`. */
export interface RuleSpec {
  readonly rule: string;
  /** What the model reads when this rule refuses. */
  readonly denyMessage?: string;
  /** Holds in these modes only. */
  readonly modes?: readonly Mode[];
  /** Holds for calls of the sub-agent of this name only; `*` for any sub-agent. */
  readonly subagent?: string;
  /** ISO date and time from which the rule no longer holds. Where no clock is given, an allow rule is over and others hold. */
  readonly expires?: string;
  /** Commands, paths, hosts or names the rule must match; checked when it is compiled. */
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
  /** Rules whose matches this one leaves alone; ask rules only. */
  readonly except?: readonly string[];
}

/** Rules of one list from one place, with what their anchors mean there. Folders are canonical. */
export interface RuleSource {
  readonly scope: RuleScope;
  readonly list: RuleList;
  /** Anything else than a string or a RuleSpec is a bad rule, reported and never skipped in silence. */
  readonly rules: readonly unknown[];
  /** What a pattern that starts with one `/` is relative to. */
  readonly base: string;
  readonly cwd: string;
  readonly home: string;
  readonly file?: string | undefined;
  /** The line each rule stands on, from 1, where it is known. */
  readonly lines?: readonly (number | undefined)[] | undefined;
}

/**
 * What is wrong with a rule. An allow rule with an error grants nothing. A deny or ask rule with an error
 * still holds, in the widest way it can have been meant, and `hint` says which.
 */
export interface RuleProblem {
  readonly severity: "error" | "warning";
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: RuleScope;
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
}

/** One rule as compiled, for listings and for the trail of decisions. */
export interface Rule {
  readonly ref: RuleRef;
  readonly denyMessage: string | undefined;
  readonly modes: ReadonlySet<Mode> | undefined;
  readonly subagent: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expires: number | undefined;
  /** Counts only in a trusted workspace. */
  readonly needsTrust: boolean;
  /** It could not be read and stands for the widest thing it may have meant. */
  readonly isGuess: boolean;
  readonly matchers: readonly Matcher[];
  readonly except: readonly Matcher[];
}

/** What of a call or an effect a rule looks at. */
export type Matcher =
  /** Calls of tools with one of these names. */
  | { readonly on: "tool"; readonly names: readonly Wildcard[] }
  /** What a server stands behind, whichever tool brings it. */
  | { readonly on: "origin"; readonly origin: string }
  | {
      readonly on: "parameter";
      readonly names: readonly Wildcard[];
      readonly parameter: string;
      readonly value: Wildcard;
    }
  | { readonly on: "skill"; readonly forms: readonly Wildcard[] }
  | { readonly on: "read" | "write"; readonly pattern: PathPattern | undefined }
  | { readonly on: "execute"; readonly pattern: CommandPattern }
  | { readonly on: "connect"; readonly pattern: HostPattern }
  | { readonly on: "delegate"; readonly name: Wildcard };

/** Everything that helps to understand rules, all of it optional. */
export interface CompileOptions {
  /** Names of the tools there are, aliases left out. With it a name that is none of them is reported. */
  readonly known?: readonly string[];
  /** Other names and the tool they mean; added to the built-in ones. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Workspace and additional folders: deny and ask patterns without an anchor hold in each of them. */
  readonly roots?: readonly string[];
  /** Whether the file system takes `A` and `a` for one name. Default false. */
  readonly ignoreCase?: boolean;
  /** Where paths named in deny and ask rules lead through links; `writtenPaths` lists the paths to ask about. */
  readonly links?: Links;
  /** Effects of an example of `match` and `notMatch`: how a command text is understood. */
  readonly effectsOf?: (tool: string, example: string) => readonly Effect[];
}
