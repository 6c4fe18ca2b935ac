import type { TokenUsage } from "../../../core/index.ts";
import type { Model, ModelRequest } from "../../models/model.ts";
import { addUsage, costOf, countedUsage } from "../budget/token-usage.ts";
import type { LoopContext, LoopState } from "../loop-context.ts";
import type { PreparedRequest } from "./model-turn.ts";

/** Reserves a request in the budget of the run; throws LIMIT_REACHED if it may exceed it. */
export function reserveRequest(
  { limits, budget }: LoopContext,
  state: LoopState,
  { model, request }: { readonly model: Model; readonly request: Omit<ModelRequest, "signal"> },
): PreparedRequest {
  const inputTokens = state.estimator.estimate(request);
  const limit = limits.maxOutputTokens ?? model.info?.maxOutputTokens;
  const reservation = budget.reserve({ model, inputTokens, maxOutputTokens: limit });
  const { maxOutputTokens } = reservation;
  const isNeeded = maxOutputTokens !== undefined && maxOutputTokens !== model.info?.maxOutputTokens;
  return {
    request: isNeeded ? { ...request, maxOutputTokens } : request,
    settle(answer) {
      if (answer === undefined) {
        reservation.settle({ input: 0, output: 0 });
        return;
      }
      const { usage, content } = answer;
      addUse(state, model, usage);
      if (usage.input > 0) state.estimator.learn(request, usage);
      reservation.settle(countedUsage(usage, { inputTokens, content }));
    },
  };
}

/** Adds the usage of a request to that of the run. The cost is unknown once a model without prices was asked. */
export function addUse(state: LoopState, model: Model, usage: TokenUsage): void {
  const prices = model.info?.usdPerMTok;
  state.usage = addUsage(state.usage, usage);
  state.costUsd =
    prices === undefined || state.costUsd === undefined
      ? undefined
      : state.costUsd + costOf(usage, prices);
}
