import type { Effect } from "./effects.ts";

/** How a session answers what no rule answers. Each mode is a layer of rules, never a branch in code. */
export type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";

export const modes = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly Mode[];

export type RuleScope =
  | "floor"
  | "managed"
  | "option"
  | "session"
  | "local"
  | "project"
  | "user"
  | "mode"
  | "built-in"
  | "boundary"
  | "taint"
  | "ceiling";

/** Which rule spoke, in the words it was written in, and where it stands. */
export interface RuleRef {
  readonly rule: string;
  readonly list: "deny" | "ask" | "allow";
  readonly scope: RuleScope;
  readonly file?: string;
  readonly line?: number;
}

/** One step of the reasoning behind a decision, in the order it was taken. */
export interface Finding {
  readonly verdict: "allow" | "ask" | "deny" | "note";
  /** A sentence a person can act on. */
  readonly text: string;
  readonly effect?: Effect;
  readonly rule?: RuleRef;
}

/** A denied part of a granted tree. */
export interface Exclusion {
  readonly root: string;
  /** gitignore syntax, relative to `root`. */
  readonly pattern: string;
  readonly rule: string;
}

/** What a call may touch while it runs: its own effects, less the parts of its trees that rules deny. */
export interface Grant {
  readonly effects: readonly Effect[];
  readonly exclusions: readonly Exclusion[];
  /** The rule that withholds a canonical path inside a granted tree, or undefined. */
  excludes(path: string, access: "read" | "write"): string | undefined;
}

export type Decision =
  | {
      readonly kind: "allow";
      readonly rule: RuleRef;
      readonly grant: Grant;
      readonly trail: readonly Finding[];
    }
  | {
      readonly kind: "ask";
      readonly question: string;
      /** Why, in a sentence. */
      readonly reason: string;
      readonly rule?: RuleRef;
      /** The narrowest rule that would answer this and its like, as it would be saved. */
      readonly suggestion?: string;
      /** Holds once a person says yes. */
      readonly grant: Grant;
      readonly trail: readonly Finding[];
    }
  | {
      readonly kind: "deny";
      readonly rule: RuleRef;
      readonly reason: string;
      readonly trail: readonly Finding[];
    };

/** What a person is asked. */
export interface Ask {
  readonly callId: string;
  readonly tool: string;
  readonly displayName: string;
  readonly input: unknown;
  readonly effects: readonly Effect[];
  readonly question: string;
  readonly reason: string;
  /** The exact rule that "always allow" would save, where one is narrow enough to offer. */
  readonly suggestion?: string;
  /** What would change, as a unified diff, where the tool can tell. */
  readonly preview?: string;
  /** Set where not all of it could be taken back afterwards, and why. */
  readonly notUndoable?: string;
  readonly trail: readonly Finding[];
  readonly sessionId?: string;
  readonly agentId?: string;
  /** How often this very call was refused before in this session. */
  readonly refusals: number;
}

export type SaveScope = "session" | "local" | "project" | "user";

/**
 * A person's answer. `deny` refuses this call and the turn goes on, `deny-all` refuses this and every
 * call of the turn still waiting, `abort` ends the turn; `edit` runs the changed input through every check again.
 */
export type Answer =
  | { readonly kind: "once" }
  | { readonly kind: "save"; readonly rule: string; readonly scope: SaveScope }
  | { readonly kind: "deny" | "deny-all"; readonly reason?: string }
  | { readonly kind: "edit"; readonly input: unknown }
  | { readonly kind: "abort" };

/** Puts a question to a person. Whatever it throws is a refusal. */
export interface OnAsk {
  (ask: Ask, options: { readonly signal: AbortSignal | undefined }): Promise<Answer>;
  /** False for an answer that is given without looking: no preview is made for it, which may take as long as the call. */
  readonly looksAtPreview?: boolean;
}
