import type { ErrorCode, ErrorInfo, Outcome, RuleRef, TokenUsage } from "../core/index.ts";
import type { Message } from "../session/index.ts";

/** How a run ended. Everything but `done` comes with an error that says why. */
export type RunStatus =
  | "done"
  | "max-turns"
  | "max-calls"
  | "max-tokens"
  | "deadline"
  | "aborted"
  | "looping"
  | "failed";

/** A call of the run that was refused. */
export interface Denial {
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  /** PERMISSION_DENIED by a rule, APPROVAL_REQUIRED where nobody could be asked, DENIED_BY_USER by a person. */
  readonly code: ErrorCode;
  readonly message: string;
  readonly rule?: RuleRef;
}

export interface RunResult {
  readonly status: RunStatus;
  /** The model's last words; where the run did not finish, also why. */
  readonly text: string;
  readonly turns: number;
  /** Calls that were run, refused ones included. */
  readonly calls: number;
  readonly usage: TokenUsage;
  /** Every call that was refused, in order. A run may be done in spite of them. */
  readonly denials: readonly Denial[];
  /** The whole conversation, legal for every provider, to go on from. */
  readonly messages: readonly Message[];
  readonly error?: ErrorInfo;
}

export function denialOf(outcome: Outcome, turn: number): Denial | undefined {
  if (outcome.status !== "denied") return undefined;
  const { decision, error } = outcome;
  return {
    callId: outcome.id,
    turn,
    tool: outcome.tool,
    code: error?.code ?? "PERMISSION_DENIED",
    message: error?.message ?? outcome.text,
    ...(decision?.rule === undefined ? {} : { rule: decision.rule }),
  };
}
