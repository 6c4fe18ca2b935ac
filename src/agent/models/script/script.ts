import type { TokenUsage } from "../../../core/index.ts";
import type { FinishReason } from "../model.ts";

/**
 * Scripted answers of a model. The first rule whose condition holds answers a request; if none does, the next turn
 * answers, skipping turns whose `when` does not hold.
 */
export interface Script {
  readonly format: 1;
  /** Name of the script, for messages. */
  readonly name: string;
  /** Replies chosen by what the conversation contains; tried before the turns. */
  readonly rules?: readonly ScriptRule[];
  /** Replies in order. */
  readonly turns: readonly ScriptTurn[];
}

/** Reply used whenever its condition holds, without consuming a turn. */
export interface ScriptRule {
  /** Condition on the conversation. */
  readonly when: ScriptCondition;
  /** Answer if the condition holds. */
  readonly then: ScriptReply;
  /** Maximum number of uses. Default: unlimited. */
  readonly times?: number;
}

/** Answer in a fixed place of the script. */
export interface ScriptTurn extends ScriptReply {
  /** Condition; a turn whose condition does not hold is skipped. */
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

/** Answer of the scripted model in one turn. */
export interface ScriptReply {
  /** Reasoning before the text. */
  readonly reasoning?: string;
  /** Text of the answer. */
  readonly text?: string;
  /** Calls of the answer, in order. */
  readonly calls?: readonly ScriptCall[];
  /** Finish reason. Default: `tool-calls` with calls, otherwise `stop`. */
  readonly finish?: FinishReason;
  /** Tokens that it reports. */
  readonly usage?: TokenUsage;
  /** Fails the request after the text, before any call. */
  readonly error?: { readonly message: string; readonly retryable?: boolean };
}

/** A call that the scripted model makes. */
export interface ScriptCall {
  /** Name of the tool. */
  readonly name: string;
  /** Input of the call. Default: an empty object. */
  readonly input?: unknown;
  /** Replaces `input`: the text as the model would send it, invalid or truncated. */
  readonly inputText?: string;
  /** Id of the call at the provider. Default: empty. */
  readonly id?: string;
  /** Whether the stream ends within the call. Default: false. */
  readonly incomplete?: boolean;
}
