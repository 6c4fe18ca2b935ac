import type { Effect, Mode } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";
import type { LayerRule } from "../rules/layers.ts";
import type { PolicyTool, RuleSet } from "../rules/rule-set.ts";

/** Kinds of content that the session has read so far. */
export interface Taint {
  /** Content from outside: web pages, servers, files outside the workspace. */
  readonly untrustedSeen: boolean;
  readonly privateRead: boolean;
  /** Content of unknown origin. Like `mayBePrivate`, it counts only for what the built-in layer allows. */
  readonly mayBeUntrusted?: boolean;
  /** Whatever a server or a program read. */
  readonly mayBePrivate?: boolean;
}

/** Rules and mode that apply to a caller. */
export interface Policy {
  readonly rules: RuleSet;
  readonly mode: Mode;
  readonly boundary: Boundary;
  /** Whether the workspace's own settings may widen permissions. */
  readonly trusted: boolean;
  /** Everyday effects allowed without a rule. Default: `builtInLayer`. */
  readonly builtIn?: readonly LayerRule[] | undefined;
}

/** Upper limit of a child's permissions: its parent's complete policy, or a list of everything that it may do. */
export type Ceiling =
  | { readonly kind: "policy"; readonly name: string; readonly policy: Policy }
  /** Only effects that an allow rule of this set names. */
  | { readonly kind: "only"; readonly name: string; readonly rules: RuleSet };

/** Facts against which the conditions of a rule are checked. */
export type RuleConditions = Pick<DecideRequest, "mode" | "agent" | "now" | "trusted">;

export interface DecideRequest extends Policy {
  readonly tool: PolicyTool;
  readonly input: unknown;
  /** Effects with canonical paths. */
  readonly effects: readonly Effect[];
  readonly taint?: Taint | undefined;
  /** Outermost first. The decision is the strictest of the request's own and those of the ceilings. */
  readonly ceilings?: readonly Ceiling[] | undefined;
  /**
   * For each canonical path reached via a link, the paths as requested. Deny and ask rules apply if they match any of
   * them; an allow rule must match all, except those outside every workspace directory.
   */
  readonly requested?: ReadonlyMap<string, readonly string[]> | undefined;
  /** The sub-agent that calls. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch, for rules that expire. */
  readonly now?: number | undefined;
  /** Rule suggested by the tool; offered only if it covers the call. */
  readonly suggested?: string | undefined;
}
