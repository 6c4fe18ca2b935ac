import type { Denial, ErrorInfo, Outcome, TokenUsage } from "../../core/index.ts";
import type { Message } from "../../session/index.ts";

/** How a run ended. Every status except `done` has an error with the reason. */
export type RunStatus =
  | "done"
  | "max-turns"
  | "max-calls"
  | "max-tokens"
  | "max-cost"
  | "max-agents"
  | "deadline"
  | "aborted"
  | "looping"
  | "failed";

/** Result of a run. */
export interface RunResult {
  /** Reason why the run ended. */
  readonly status: RunStatus;
  /** Last text of the model; if the run did not finish, also the reason. */
  readonly text: string;
  /** Final answer as the option `output` describes it; set if the run is done. */
  readonly output?: unknown;
  /** Number of turns. */
  readonly turns: number;
  /** Number of calls that were run, including refused ones. */
  readonly calls: number;
  /** Tokens of all requests, including failed ones and summaries. */
  readonly usage: TokenUsage;
  /** Estimate of the tokens that all requests were shorter by, because they lacked tools that were deferred. */
  readonly tokensSaved: number;
  /** Cost in US dollars; missing if a model without prices was asked. */
  readonly costUsd?: number;
  /** Every refused call of the run and of the agents it started, in order. A run may be done in spite of them. */
  readonly denials: readonly Denial[];
  /** The whole conversation, legal for every provider, from which a run can continue. */
  readonly messages: readonly Message[];
  /** Failure that ended the run. */
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
