import { checkedOptions, ToolError, type TokenUsage } from "../../../core/index.ts";
import { messageOf, turnForms } from "../../../text/index.ts";
import type { Message } from "../../../session/index.ts";
import type { Model, ModelRequest } from "../../models/model.ts";
import { orAborted } from "./abortable-stream.ts";
import { promptText, type PromptPart } from "../../system-prompt.ts";

/** Facts for a decision about the next turn. */
export interface TurnInfo {
  /** Conversation so far. */
  readonly messages: readonly Message[];
  /** Tokens of the run so far. */
  readonly usage: TokenUsage;
  /** Number of the turn, from 1. */
  readonly turn: number;
}

/** Parts of a request that are passed on to the provider. */
export type RequestOptions = Pick<
  ModelRequest,
  "toolChoice" | "temperature" | "headers" | "providerOptions"
>;

/** Changes to one turn. What is left out stays as the run has it; nothing is stored. */
export interface TurnChanges extends RequestOptions {
  /** Messages that the model sees in this turn, in place of the conversation. */
  readonly messages?: readonly Message[];
  /** System prompt for this turn. */
  readonly system?: string | readonly PromptPart[];
  /** Names of the tools that are offered. Default: all of the kit. */
  readonly tools?: readonly string[];
  /** Model for this turn. */
  readonly model?: Model;
}

/** Called before each turn; returns what changes for it. */
export type PrepareTurn = (
  info: TurnInfo,
) => TurnChanges | undefined | Promise<TurnChanges | undefined>;

/**
 * Calls the hook and checks its answer. A hook that throws, or answers with something else, is its program's error; one
 * that does not answer ends with the run.
 */
export async function changesOf(
  prepareTurn: PrepareTurn,
  info: TurnInfo,
  signal: AbortSignal,
): Promise<TurnChanges> {
  try {
    const changes = await orAborted(() => prepareTurn(info), signal);
    return changes === undefined ? {} : checkedOptions("its answer", changes, turnForms);
  } catch (cause) {
    if (ToolError.is(cause) || signal.aborted) throw cause;
    throw new ToolError("INVALID_INPUT", `prepareTurn failed: ${messageOf(cause)}`, {
      hint: "Correct the function prepareTurn of this run.",
      cause,
    });
  }
}

/** Request options that are set, so that an absent one does not replace another. */
export function requestOptions(options: RequestOptions): RequestOptions {
  const { toolChoice, temperature, headers, providerOptions } = options;
  return {
    ...(toolChoice === undefined ? {} : { toolChoice }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(headers === undefined ? {} : { headers }),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  };
}

export function systemOf(changes: TurnChanges, system: string): string {
  return changes.system === undefined ? system : promptText(changes.system);
}
