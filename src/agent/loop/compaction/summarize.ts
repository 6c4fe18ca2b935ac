import { ToolError } from "../../../core/index.ts";
import { userMessage, type Message } from "../../../session/index.ts";
import type { LoopContext, LoopState } from "../loop-context.ts";
import { answerCollector } from "../turn/assistant-message.ts";
import { askModels } from "../turn/model-turn.ts";
import { reserveRequest } from "../turn/reserve-request.ts";
import { retryEvent } from "../turn/retry.ts";
import { summarizerPrompt, transcript } from "./summary.ts";

/** Tokens of a model's context where it is not known. */
const assumedContext = 100_000;
/** Shares of the summarizer's context that the text may use: the next one if it is refused as too long. */
const textShares = [0.5, 0.1] as const;

/** Summary of old turns by the background model, or by the model of the run if that fails. */
export async function summarize(
  context: LoopContext,
  state: LoopState,
  old: readonly Message[],
): Promise<string> {
  const [first, second] = textShares;
  return await summarizeShare(context, state, { old, share: first }).catch(
    async (cause: unknown) => {
      if (!ToolError.is(cause) || cause.code !== "CONTEXT_OVERFLOW") throw cause;
      return await summarizeShare(context, state, { old, share: second });
    },
  );
}

async function summarizeShare(
  context: LoopContext,
  state: LoopState,
  { old, share }: { readonly old: readonly Message[]; readonly share: number },
): Promise<string> {
  const { backgroundModel, clock, signal, retry, limits, identity, emit } = context;
  const background = backgroundModel === undefined ? [] : [backgroundModel];
  const { runId } = identity;
  const turn = state.turns;
  const answer = await context.steps.run(`compact:${turn}:${state.compactions}`, async () =>
    askModels({
      models: [...background, state.model],
      clock,
      signal,
      retry,
      idleMs: limits.idleMs,
      seed: `${runId}:compact:${turn}`,
      prepare: async (model) => {
        const maxTokens = (model.info?.contextTokens ?? assumedContext) * share;
        const messages = [userMessage(transcript(old, maxTokens))];
        const request = { system: summarizerPrompt, messages, tools: [] };
        return reserveRequest(context, state, { model, request });
      },
      collect: () => answerCollector(() => ""),
      onText: () => undefined,
      onDiscard: () => undefined,
      onRetry: (again) => emit(retryEvent({ runId, turn }, again)),
    }),
  );
  state.compactions += 1;
  return answer.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
