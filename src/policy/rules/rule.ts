import type { Effect, Mode, RuleRef, RuleScope } from "../../core/index.ts";
import type { CommandPattern } from "../match/command-pattern.ts";
import type { HostPattern } from "../match/host-pattern.ts";
import type { Links, PathPattern } from "../match/path-pattern.ts";
import type { Wildcard } from "../match/wildcard.ts";

/** List of rules; deny is applied first, then ask, then allow. */
export type RuleList = "deny" | "ask" | "allow";

/** A rule with conditions. A plain string is the same as `{ rule }`. */
export interface RuleSpec {
  readonly rule: string;
  /** Message for the model when this rule refuses. */
  readonly denyMessage?: string;
  /** Modes in which the rule applies. Default: all. */
  readonly modes?: readonly Mode[];
  /** Name of the sub-agent to whose calls the rule applies; `*` for any sub-agent. */
  readonly subagent?: string;
  /**
   * ISO date and time from which the rule no longer applies. Without a clock, an allow rule counts as expired, and
   * other rules still apply.
   */
  readonly expires?: string;
  /** Commands, paths, hosts or names the rule must match; checked when it is compiled. */
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
  /** Rules whose matches are exempt from this rule; ask rules only. */
  readonly except?: readonly string[];
}

/** Rules of one list from one source, with the directories of their anchors. Directories are canonical. */
export interface RuleSource {
  readonly scope: RuleScope;
  readonly list: RuleList;
  /** Strings or RuleSpecs; any other value is an invalid rule, which is reported and never silently skipped. */
  readonly rules: readonly unknown[];
  /** Base directory of a pattern that starts with one `/`. */
  readonly base: string;
  readonly cwd: string;
  readonly home: string;
  readonly file?: string | undefined;
  /** Line of each rule, from 1, where it is known. */
  readonly lines?: readonly (number | undefined)[] | undefined;
}

/**
 * A fault in a rule. An allow rule with an error grants nothing. A deny or ask rule with an error still applies,
 * in the widest sense it can have, and `hint` names that sense.
 */
export interface RuleProblem {
  /** `error`: the rule does not apply; `warning`: it applies, but may not mean what it seems to. */
  readonly severity: "error" | "warning";
  /** Text of the rule. */
  readonly rule: string;
  /** List it is in. */
  readonly list: RuleList;
  /** Where it comes from. */
  readonly scope: RuleScope;
  /** Problem, in one sentence. */
  readonly message: string;
  /** Next step. */
  readonly hint?: string;
  /** File that stores the rule. */
  readonly file?: string;
  /** Line in that file, counted from 1. */
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
  /** The rule applies only in a trusted workspace. */
  readonly needsTrust: boolean;
  /** The rule could not be parsed and applies in the widest sense it can have. */
  readonly isGuess: boolean;
  readonly matchers: readonly Matcher[];
  readonly except: readonly Matcher[];
}

/** The part of a call or an effect that a rule matches. */
export type Matcher =
  /** Calls of tools with one of these names. */
  | { readonly on: "tool"; readonly names: readonly Wildcard[] }
  /** Effects that originate from a server, whichever tool has them. */
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

/** Optional context for compiling rules. */
export interface CompileOptions {
  /** Names of the existing tools, without aliases. If given, unknown names in rules are reported. */
  readonly known?: readonly string[];
  /** Aliases and their tools; added to the built-in ones. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Workspace and additional directories: deny and ask patterns without an anchor apply in each of them. */
  readonly roots?: readonly string[];
  /** Whether the file system ignores letter case in names. Default false. */
  readonly ignoreCase?: boolean;
  /** Targets of paths in deny and ask rules that lead via links; `writtenPaths` lists the paths to resolve. */
  readonly links?: Links;
  /** Whether the rules are a ceiling, in which names of MCP tools may have a `*`: they open nothing by themselves. */
  readonly isCeiling?: boolean;
  /** Returns the effects of an example in `match` or `notMatch`, by analyzing its command text. */
  readonly effectsOf?: (tool: string, example: string) => readonly Effect[];
}
