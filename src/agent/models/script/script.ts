import type { TokenUsage } from "../../../core/index.ts";
import type { FinishReason } from "../model.ts";

/**
 * Scripted answers of a model. The first rule whose condition holds answers a request; if none does, the next turn
 * answers, skipping turns whose `when` does not hold.
 */
export interface Script {
  readonly format: 1;
  readonly name: string;
  readonly rules?: readonly ScriptRule[];
  readonly turns: readonly ScriptTurn[];
}

/** Reply used whenever its condition holds, without consuming a turn. */
export interface ScriptRule {
  readonly when: ScriptCondition;
  readonly then: ScriptReply;
  /** Maximum number of uses. Default: unlimited. */
  readonly times?: number;
}

export interface ScriptTurn extends ScriptReply {
  readonly when?: ScriptCondition;
}

/**
 * Holds if all of its members hold. Expressions are JavaScript's, with the flag `u`; the reply can use the matches of
 * their groups as `{{1}}` or `{{name}}`.
 */
export interface ScriptCondition {
  /** Expression for the text of a result of the latest calls. */
  readonly lastResultMatches?: string;
  /** Tool whose results count as the latest. */
  readonly lastResultOf?: string;
  /** Whether one of the latest results is an error. */
  readonly lastResultIsError?: boolean;
  /** Expression for the text of any result so far. */
  readonly anyResultMatches?: string;
  /** Expression for the latest message of the user. */
  readonly taskMatches?: string;
  /** Number of this request, from 1. */
  readonly turn?: number;
}

export interface ScriptReply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptCall[];
  /** Finish reason. Default: `tool-calls` with calls, otherwise `stop`. */
  readonly finish?: FinishReason;
  readonly usage?: TokenUsage;
  /** Fails the request after the text, before any call. */
  readonly error?: { readonly message: string; readonly retryable?: boolean };
}

export interface ScriptCall {
  readonly name: string;
  readonly input?: unknown;
  /** Replaces `input`: the text as the model would send it, invalid or truncated. */
  readonly inputText?: string;
  readonly id?: string;
  readonly incomplete?: boolean;
}
