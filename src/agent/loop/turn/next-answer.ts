import { ToolError } from "../../../core/index.ts";
import type { Model, ModelRequest } from "../../models/model.ts";
import { compactRun } from "../compaction/compact-run.ts";
import type { LoopContext, LoopState } from "../loop-context.ts";
import { answerCollector, type Answer, type AnswerCollector } from "./assistant-message.ts";
import { askModels, type ModelAnswer } from "./model-turn.ts";
import { changesOf, requestOptions, systemOf, type TurnChanges } from "./prepare-turn.ts";
import { addUse, reserveRequest } from "./reserve-request.ts";
import { retryEvent } from "./retry.ts";

/**
 * Next answer of the model, as a step; its text is emitted as it arrives. If the model refuses the conversation as too
 * long, it is compacted once. `broken` stores what had arrived if the user aborts the turn.
 */
export async function nextAnswer(
  context: LoopContext,
  state: LoopState,
  broken: (partial: Answer) => Promise<void>,
): Promise<ModelAnswer> {
  const { emit, signal, identity } = context;
  const { runId } = identity;
  const turn = state.turns;
  const costBefore = state.costUsd;
  let collector: AnswerCollector | undefined;
  const collect = (): AnswerCollector => {
    collector = answerCollector(() => state.ids.next());
    return collector;
  };
  const cost = (): { readonly costUsd?: number } =>
    state.costUsd === undefined || costBefore === undefined
      ? {}
      : { costUsd: state.costUsd - costBefore };
  emit({ type: "turn-start", runId, turn });
  try {
    const answer = await askOnce(context, state, collect).catch(async (error: unknown) => {
      const isTooLong = ToolError.is(error) && error.code === "CONTEXT_OVERFLOW";
      if (!isTooLong || signal.aborted) throw error;
      if (!(await compactRun(context, state, "overflow"))) throw error;
      return await askOnce(context, state, collect);
    });
    const { finish, usage } = answer;
    emit({ type: "turn-end", runId, turn, finish, usage, ...cost() });
    return answer;
  } catch (error) {
    const partial = collector?.answer();
    const usage = partial?.usage ?? { input: 0, output: 0 };
    const finish = signal.aborted ? "aborted" : "error";
    emit({ type: "turn-end", runId, turn, finish, usage, ...cost() });
    if (signal.aborted && partial !== undefined) await broken(partial);
    throw error;
  }
}

async function askOnce(
  context: LoopContext,
  state: LoopState,
  collect: () => AnswerCollector,
): Promise<ModelAnswer> {
  const { clock, signal, emit, limits, retry, identity, conversation, fallbackModels } = context;
  const { runId } = identity;
  const turn = state.turns;
  const { prepareTurn } = context;
  const { usage } = state;
  const changes =
    prepareTurn === undefined
      ? {}
      : await changesOf(prepareTurn, { messages: [...conversation.messages], usage, turn }, signal);
  const first = changes.model ?? state.model;
  const models = [first, ...fallbackModels.slice(fallbackModels.indexOf(first) + 1)];
  let isRecorded = true;
  const answer = await context.steps.run(`llm:${turn}`, async () => {
    isRecorded = false;
    return await askModels({
      models,
      clock,
      signal,
      retry,
      idleMs: limits.idleMs,
      seed: `${runId}:${turn}`,
      prepare: async (model) => {
        const request = await requestFor(context, changes, model);
        return reserveRequest(context, state, { model, request });
      },
      collect,
      onText: (event) => emit({ ...event, runId, turn }),
      onDiscard: ({ code, message }) =>
        emit({ type: "turn-discard", runId, turn, code, reason: message }),
      onRetry: (again) => emit(retryEvent({ runId, turn }, again)),
    });
  });
  state.ids.register([{ role: "assistant", content: answer.content }]);
  const model = models.find(({ id }) => id === answer.model) ?? first;
  if (isRecorded) {
    addUse(state, model, answer.usage);
    context.budget.spend(model, answer.usage);
  }
  // A model that failed is not asked again in this run.
  if (model !== first) state.model = model;
  return answer;
}

async function requestFor(
  { system, conversation, definitions, options }: LoopContext,
  changes: TurnChanges,
  model: Model,
): Promise<Omit<ModelRequest, "signal">> {
  const tools = await definitions(model);
  const { tools: names } = changes;
  return {
    system: systemOf(changes, system),
    messages: changes.messages ?? [...conversation.messages],
    tools: names === undefined ? tools : tools.filter(({ name }) => names.includes(name)),
    ...requestOptions(options),
    ...requestOptions(changes),
  };
}
