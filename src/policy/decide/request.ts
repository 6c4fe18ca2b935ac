import type { Effect, Mode } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";
import type { LayerRule } from "../rules/layers.ts";
import type { PolicyTool, RuleSet } from "../rules/rule-set.ts";

/** What this session has taken in so far. */
export interface Taint {
  /** Content from outside: web pages, servers, files that are not the workspace's. */
  readonly untrustedSeen: boolean;
  readonly privateRead: boolean;
}

/** Whose rules hold, and how far they reach. */
export interface Policy {
  readonly rules: RuleSet;
  readonly mode: Mode;
  readonly boundary: Boundary;
  /** Whether what the workspace brings may widen anything. */
  readonly trusted: boolean;
  /** Everyday effects allowed without a rule. Default: `builtInLayer`. */
  readonly builtIn?: readonly LayerRule[] | undefined;
}

/** What a child may not exceed: its parent's whole policy, or a list of what it may do at all. */
export type Ceiling =
  | { readonly kind: "policy"; readonly name: string; readonly policy: Policy }
  /** Only what an allow rule of this set names. */
  | { readonly kind: "only"; readonly name: string; readonly rules: RuleSet };

/** What the conditions of a rule are held against. */
export type RuleConditions = Pick<DecideRequest, "mode" | "agent" | "now" | "trusted">;

export interface DecideRequest extends Policy {
  readonly tool: PolicyTool;
  readonly input: unknown;
  /** Paths canonical. */
  readonly effects: readonly Effect[];
  readonly taint?: Taint | undefined;
  /** Outermost first. The decision is the strictest of the own one and theirs. */
  readonly ceilings?: readonly Ceiling[] | undefined;
  /**
   * For a canonical path reached through a link, the paths as they were asked for. Deny and ask rules hold
   * for either; an allow rule needs all, those outside every workspace folder left aside.
   */
  readonly requested?: ReadonlyMap<string, readonly string[]> | undefined;
  /** The sub-agent that calls. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch, for rules that expire. */
  readonly now?: number | undefined;
  /** A sandbox holds programs to the grant, exclusions included. */
  readonly confined?: boolean | undefined;
  /** The tool's own idea of a rule; offered only if it covers the call. */
  readonly suggested?: string | undefined;
}
