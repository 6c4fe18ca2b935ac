import type {
  Answer,
  Ask,
  Effect,
  Finding,
  HookProgramListener,
  Outcome,
} from "../../core/index.ts";
import type { HookedState } from "../call-state.ts";

/** A call before it is judged. */
export interface BeforeHookInput {
  /** Name of the tool. */
  readonly tool: string;
  /** Validated input. */
  readonly input: unknown;
  /** Id of the call. */
  readonly callId: string;
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
  /** Run of the call. */
  readonly runId?: string;
  /** Fires when the call is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Answer of a hook before a call: another input, a block, or a verdict with its reason. A verdict "allow" answers the
 * question that an allow rule could have answered; it overrides no rule.
 */
export type BeforeHookAnswer =
  | { readonly input: unknown }
  | { readonly block: string }
  | HookVerdict
  | undefined;

/** Verdict of a hook on a call. */
export interface HookVerdict {
  /** `none` leaves the decision to the rules. */
  readonly verdict: "allow" | "ask" | "deny" | "none";
  /** Reason of the verdict, in a sentence. */
  readonly reason?: string;
  /** Replaces the input; it is judged like any other. */
  readonly input?: unknown;
  /** Text appended to the result of the call. */
  readonly context?: string;
  /** Added to the trail of the decision. */
  readonly trail?: readonly Finding[];
}

/** Function called before a call. One that throws or takes too long blocks the call. */
export interface BeforeHook {
  (input: BeforeHookInput): Promise<BeforeHookAnswer> | BeforeHookAnswer;
  /**
   * Milliseconds that it may take.
   *
   * @default 60_000
   */
  readonly timeoutMs?: number;
}

/** A call with its bounded result. */
export interface AfterHookInput {
  /** Name of the tool. */
  readonly tool: string;
  /** Input with which it ran. */
  readonly input: unknown;
  /** Result as the model would see it. */
  readonly outcome: Outcome;
  /** Id of the call. */
  readonly callId: string;
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
  /** Run of the call. */
  readonly runId?: string;
  /** Fires when the call is aborted. */
  readonly signal?: AbortSignal;
}

/** Changes that a hook makes to a result; what is left out stays. */
export interface AfterHookAnswer {
  /** Replaces what the model sees. */
  readonly content?: Outcome["content"] | string;
  /** Text appended to the content. */
  readonly context?: string;
}

/** Hooks of a kit, which also say what they would do about a call that is only explained. */
export interface KnownHooks extends Hooks {
  /** Those that start programs report them. */
  readonly after?: readonly ((
    input: AfterHookInput,
    onProgramStart?: HookProgramListener,
  ) => Promise<AfterHookAnswer | undefined> | AfterHookAnswer | undefined)[];
  /** Runs nothing. */
  foresee?(
    call: BeforeHookInput & { readonly effects: readonly Effect[] },
  ): Promise<Pick<HookedState, "asks" | "trail"> & { readonly blocks?: string }>;
}

/** Says that functions of the program see a call before it runs; what they would do is not known. */
export function givenHooksNotes({ before = [] }: Hooks): readonly Finding[] {
  if (before.length === 0) return [];
  const hooks = before.length === 1 ? "A hook" : `${before.length} hooks`;
  const verb = before.length === 1 ? "is" : "are";
  const text = `${hooks} of the program that opened the toolkit ${verb} asked before the call runs: the call may be blocked, changed, or asked about.`;
  return [{ verdict: "note", text }];
}

/** Functions that see each call before and after it runs. */
export interface Hooks {
  /** May rewrite the input or block the call. A hook that throws blocks it. */
  readonly before?: readonly BeforeHook[];
  /** Asked before the user; undefined passes the question on. */
  readonly permission?: readonly ((ask: Ask) => Promise<Answer | undefined> | Answer | undefined)[];
  /** Called with the bounded result of every call; may replace it or add context. */
  readonly after?: readonly ((
    input: AfterHookInput,
  ) => Promise<AfterHookAnswer | undefined> | AfterHookAnswer | undefined)[];
}
