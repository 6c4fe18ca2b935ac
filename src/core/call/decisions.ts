import type { Effect } from "./effects.ts";

/** How a session decides calls that no rule covers. Each mode is a layer of rules, never a branch in code. */
export type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";

/** Permission modes, from the default to the least strict. */
export const modes = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions",
] as const satisfies readonly Mode[];

/** Where a rule comes from. */
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
  | "ceiling"
  | "hook";

/** The rule that applied, as written, and its location. */
export interface RuleRef {
  /** Text of the rule. */
  readonly rule: string;
  /** List it is in. */
  readonly list: "deny" | "ask" | "allow";
  /** Where it comes from. */
  readonly scope: RuleScope;
  /** File that stores it. */
  readonly file?: string;
  /** Line in that file, counted from 1. */
  readonly line?: number;
}

/** One step of the reasoning behind a decision. */
export interface Finding {
  /** Contribution of this step; `note` decides nothing. */
  readonly verdict: "allow" | "ask" | "deny" | "note";
  /** A sentence that the user can act on. */
  readonly text: string;
  /** Effect that it is about; absent if it is about the call. */
  readonly effect?: Effect;
  /** Rule that it applies. */
  readonly rule?: RuleRef;
  /** Next step of the user, where the decision is not a matter of rules and modes. */
  readonly hint?: string;
}

/** A denied part of a granted tree. */
export interface Exclusion {
  /** Directory that was granted. */
  readonly root: string;
  /** gitignore syntax, relative to `root`. */
  readonly pattern: string;
  /** Rule that denies the part. */
  readonly rule: string;
}

/** Permissions of a running call: its own effects, minus the parts of its trees that rules deny. */
export interface Grant {
  /** Effects that the call may have. */
  readonly effects: readonly Effect[];
  /** Denied parts of granted trees. */
  readonly exclusions: readonly Exclusion[];
  /** Returns the rule that excludes a canonical path inside a granted tree, or undefined. */
  excludes(path: string, access: "read" | "write"): string | undefined;
}

/** Decision on a call, with the rule that made it and the reasons. */
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
      /** Reason for the question, in a sentence. */
      readonly reason: string;
      readonly rule?: RuleRef;
      /** The narrowest rule that would cover this call and similar ones, as it would be saved. */
      readonly suggestion?: string;
      /** Takes effect once the call is approved. */
      readonly grant: Grant;
      readonly trail: readonly Finding[];
    }
  | {
      readonly kind: "deny";
      readonly rule: RuleRef;
      readonly reason: string;
      readonly trail: readonly Finding[];
    };

/** One of the choices of a question. */
export interface QuestionOption {
  /** The choice in a few words; the answer names it. */
  readonly label: string;
  /** Meaning of the choice. */
  readonly description?: string;
}

/** A question to the user. */
export interface Ask {
  /**
   * `permission`: may the call run? `question`: a tool asks something, with `options`. `plan`: is the plan in the input
   * approved?
   */
  readonly kind: "permission" | "question" | "plan";
  /** Call that waits for the answer. */
  readonly callId: string;
  /** Name of the tool. */
  readonly tool: string;
  /** Name of the tool for users. */
  readonly displayName: string;
  /** Input with which the call would run. */
  readonly input: unknown;
  /** Everything the call would touch. */
  readonly effects: readonly Effect[];
  /** Question for the user, in one sentence. */
  readonly question: string;
  /** Reason why the rules do not decide by themselves. */
  readonly reason: string;
  /** Choices of a question; without any, the answer is a text. */
  readonly options?: readonly QuestionOption[];
  /** Whether several choices may be made. */
  readonly isMultiSelect?: boolean;
  /** The exact rule that "always allow" would save, where one is narrow enough to offer. */
  readonly suggestion?: string;
  /** The predicted changes as a unified diff, where the tool can predict them. */
  readonly preview?: string;
  /** Why the call could not be undone completely; absent where it could. */
  readonly notUndoable?: string;
  /** Steps of the decision, in order. */
  readonly trail: readonly Finding[];
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
  /** Number of times that the same call was already refused in this session. */
  readonly refusals: number;
}

/** Where a rule is saved: until the kit is disposed, for this user and project, for the project, or for the user. */
export type SaveScope = "session" | "local" | "project" | "user";

/**
 * Answer to a question. `deny` refuses this call and the turn continues; `deny-all` refuses this call and every call of
 * the turn that is still waiting; `abort` ends the turn; `edit` puts the changed input through every check again. A
 * question is answered by `answer` with the labels of the choices or a text; a plan is approved by `once`, changed by
 * `edit` with `{ plan }` and refused by `deny`.
 */
export type Answer =
  | { readonly kind: "once" }
  | { readonly kind: "answer"; readonly choices: readonly string[]; readonly text?: string }
  | { readonly kind: "save"; readonly rule: string; readonly scope: SaveScope }
  | { readonly kind: "deny" | "deny-all"; readonly reason?: string }
  | { readonly kind: "edit"; readonly input: unknown }
  | { readonly kind: "abort" };

/** Asks the user a question. Anything it throws is a refusal. */
export interface OnAsk {
  (ask: Ask, options: { readonly signal: AbortSignal | undefined }): Promise<Answer>;
  /** False for an asker that ignores the preview: then none is made, because it can take as long as the call. */
  readonly looksAtPreview?: boolean;
  /** True for an asker that answers without a person; a tool that asks something learns this. */
  readonly isAutomatic?: boolean;
}
