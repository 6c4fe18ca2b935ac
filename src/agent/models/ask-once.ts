import type { BackgroundAnswer, BackgroundRequest } from "../../core/index.ts";
import { userMessage } from "../../session/index.ts";
import { tokenEstimator } from "../loop/budget/estimate-tokens.ts";
import type { RunBudget } from "../loop/budget/budget.ts";
import { costOf, countedUsage } from "../loop/budget/token-usage.ts";
import type { RunClock } from "../loop/clock.ts";
import { answerCollector } from "../loop/turn/assistant-message.ts";
import { askModels } from "../loop/turn/model-turn.ts";
import { checkedRetry } from "../loop/turn/retry.ts";
import type { Model } from "./model.ts";

export interface AskOptions {
  readonly clock: RunClock;
  /** Budget that pays for the request. */
  readonly budget?: RunBudget | undefined;
  readonly signal: AbortSignal;
  /** Text that differs between requests. */
  readonly seed: string;
}

/** Maximum milliseconds without an event of the stream. */
const idleMs = 300_000;

/** Asks a model one question, without tools. Rejects with MODEL_FAILED, or LIMIT_REACHED by the budget. */
export async function askOnce(
  model: Model,
  { prompt, system = "", maxOutputTokens }: BackgroundRequest,
  { clock, budget, signal, seed }: AskOptions,
): Promise<BackgroundAnswer> {
  const request = { system, messages: [userMessage(prompt)], tools: [] };
  const inputTokens = tokenEstimator().estimate(request);
  const { content, usage } = await askModels({
    models: [model],
    clock,
    signal,
    retry: checkedRetry(),
    idleMs,
    seed,
    prepare: async () => {
      const limit = maxOutputTokens ?? model.info?.maxOutputTokens;
      const reserved = budget?.reserve({ model, inputTokens, maxOutputTokens: limit });
      const most = reserved?.maxOutputTokens ?? maxOutputTokens;
      return {
        request: most === undefined ? request : { ...request, maxOutputTokens: most },
        settle: (answer) =>
          reserved?.settle(
            answer === undefined
              ? { input: 0, output: 0 }
              : countedUsage(answer.usage, { inputTokens, content: answer.content }),
          ),
      };
    },
    collect: () => answerCollector(() => ""),
    onText: () => undefined,
    onDiscard: () => undefined,
    onRetry: () => undefined,
  });
  const prices = model.info?.usdPerMTok;
  return {
    text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
    usage,
    ...(prices === undefined ? {} : { costUsd: costOf(usage, prices) }),
  };
}
