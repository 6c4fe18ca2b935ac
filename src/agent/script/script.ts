import type { TokenUsage } from "../../core/index.ts";
import type { FinishReason } from "../model.ts";

/**
 * A model's part, written down. For each request the first rule that holds answers; where none does, the next
 * turn, passing over turns whose `when` does not hold.
 */
export interface Script {
  readonly format: 1;
  readonly name: string;
  readonly rules?: readonly ScriptRule[];
  readonly turns: readonly ScriptTurn[];
}

/** Answers whenever its condition holds, without using up a turn. */
export interface ScriptRule {
  readonly when: ScriptCondition;
  readonly then: ScriptReply;
  /** How often it may answer. Default: always. */
  readonly times?: number;
}

export interface ScriptTurn extends ScriptReply {
  readonly when?: ScriptCondition;
}

/**
 * Holds when all of it holds. Expressions are JavaScript's, with the flag `u`; what their groups match can be used in
 * the reply as `{{1}}` or `{{name}}`.
 */
export interface ScriptCondition {
  /** Matches the text of a result of the latest calls. */
  readonly lastResultMatches?: string;
  /** Only results of this tool count as the latest. */
  readonly lastResultOf?: string;
  /** Whether one of the latest results is an error. */
  readonly lastResultIsError?: boolean;
  /** Matches the text of any result so far. */
  readonly anyResultMatches?: string;
  /** Matches what the person said last. */
  readonly taskMatches?: string;
  /** The number of this request, from 1. */
  readonly turn?: number;
}

export interface ScriptReply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptCall[];
  /** Default: `tool-calls` with calls, else `stop`. */
  readonly finish?: FinishReason;
  readonly usage?: TokenUsage;
  /** The request fails after the text, before any call. */
  readonly error?: { readonly message: string; readonly retryable?: boolean };
}

export interface ScriptCall {
  readonly name: string;
  readonly input?: unknown;
  /** In place of `input`: the text as the model would send it, broken or cut off. */
  readonly inputText?: string;
  readonly id?: string;
  readonly incomplete?: boolean;
}
