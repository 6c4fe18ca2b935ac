import type { CallOptions, NewEvent, TokenUsage, Toolkit } from "../../core/index.ts";
import {
  isAnswer,
  repairMessages,
  toolCallsOf,
  userMessage,
  type AssistantMessage,
  type Message,
  type Steps,
  type ToolCallPart,
} from "../../session/index.ts";
import { callIds, type CallIds } from "./call-ids.ts";
import type { RunConversation } from "./conversation.ts";
import { answerCollector, type Answer, type AnswerCollector } from "./assistant-message.ts";
import type { RunClock } from "./clock.ts";
import type { Limits } from "./limits.ts";
import { loopGuard, type LoopGuard } from "./loop-guard.ts";
import { askModel } from "./model-turn.ts";
import type { Model, ToolDefinition } from "../models/model.ts";
import { denialOf, type Denial, type RunResult } from "./run-result.ts";
import {
  aborted,
  cutAnswer,
  emptyAnswers,
  failed,
  filtered,
  looping,
  outOfCalls,
  spentLimit,
  type RunStop,
} from "./stop-reason.ts";
import { runCalls } from "./tool-turn.ts";

export type RunIdentity = Pick<CallOptions, "sessionId" | "agentId" | "parentAgentId" | "depth"> & {
  readonly runId: string;
};

/** Dependencies and state of a run. */
export interface LoopContext {
  /** Session, agent and run that calls and events of the loop carry. */
  readonly identity: RunIdentity;
  readonly toolkit: Toolkit;
  readonly model: Model;
  readonly system: string;
  /** Conversation to continue; made legal first. */
  readonly recorded: readonly Message[];
  /** Messages that the run adds before its first turn. */
  readonly given: readonly Message[];
  readonly conversation: RunConversation;
  readonly limits: Limits;
  readonly steps: Steps;
  readonly clock: RunClock;
  readonly signal: AbortSignal;
  /** Reason for which the signal was aborted. */
  stopped(): RunStop;
  definitions(): Promise<readonly ToolDefinition[]>;
  /** Adds the run's identity to the event. */
  readonly emit: (event: NewEvent) => void;
}

/**
 * Alternates model turns and scheduled calls until the model makes no more calls or something ends the run. Never
 * rejects, and always leaves the conversation legal.
 */
export async function runLoop(context: LoopContext): Promise<RunResult> {
  const state = startState(context);
  let stop: RunStop | undefined;
  try {
    stop = await takeTurns(context, state);
  } catch (cause) {
    stop = context.signal.aborted ? context.stopped() : failed(cause);
  }
  return {
    status: stop?.status ?? "done",
    text: [state.text, ...(stop === undefined ? [] : [`Stopped: ${stop.error.message}`])]
      .filter((text) => text !== "")
      .join("\n\n"),
    turns: state.turns,
    calls: state.calls,
    usage: state.usage,
    denials: state.denials,
    messages: repairMessages(context.conversation.messages),
    ...(stop === undefined ? {} : { error: stop.error.toJSON() }),
  };
}

interface LoopState {
  readonly ids: CallIds;
  readonly denials: Denial[];
  /** Latest text of the model. */
  text: string;
  turns: number;
  calls: number;
  usage: TokenUsage;
  /** The latest answer had neither text nor calls. */
  wasEmpty: boolean;
}

function startState({ recorded, toolkit }: LoopContext): LoopState {
  const ids = callIds((prefix) => toolkit.newId(prefix));
  ids.register(recorded);
  return {
    ids,
    denials: [],
    text: "",
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    wasEmpty: false,
  };
}

async function takeTurns(context: LoopContext, state: LoopState): Promise<RunStop | undefined> {
  const { toolkit, limits, signal, conversation } = context;
  const guard = loopGuard((tool) =>
    toolkit.listings().some(({ name, tags }) => name === tool && tags.includes("polling")),
  );
  await conversation.open(context.recorded);
  await conversation.append(context.given);
  for (;;) {
    if (signal.aborted) return context.stopped();
    const { turns, usage } = state;
    const spent = spentLimit(limits, { turns, tokens: usage.input + usage.output });
    if (spent !== undefined) return spent;
    state.turns += 1;
    const answer = await nextAnswer(context, state);
    if (answer.finish === "content-filter") {
      await remember(context, state, withoutCalls(answer));
      return filtered(context.model.id);
    }
    const message = await remember(context, state, answer);
    const calls = toolCallsOf(message);
    if (calls.length > 0) {
      state.wasEmpty = false;
      const stop = await takeCalls(context, state, { guard, calls });
      if (stop !== undefined) return stop;
      continue;
    }
    if (answer.finish === "length") return cutAnswer();
    if (textOf(message) !== "") return undefined;
    if (state.wasEmpty) return emptyAnswers(context.model.id);
    state.wasEmpty = true;
    await conversation.append([userMessage(nudge)]);
  }
}

const nudge =
  "Your answer was empty. Continue with the task, or say what you did and what is still open.";

/** Runs the calls of an answer and stores their results; returns the reason to stop, if there is one. */
async function takeCalls(
  context: LoopContext,
  state: LoopState,
  { guard, calls }: { readonly guard: LoopGuard; readonly calls: readonly ToolCallPart[] },
): Promise<RunStop | undefined> {
  const { toolkit, limits, steps, signal, identity, conversation } = context;
  const options = { signal, ...identity, turn: state.turns };
  const allowance = limits.maxCalls - state.calls;
  const ran = await runCalls({ toolkit, steps, guard, calls, allowance, options });
  state.calls += ran.outcomes.length;
  state.denials.push(...ran.outcomes.flatMap((outcome) => denialOf(outcome, state.turns) ?? []));
  await conversation.append([{ role: "tool", content: ran.results }]);
  if (signal.aborted) return context.stopped();
  // No other code aborted the call, so the user's answer to a question did, and that ends the turn.
  if (ran.outcomes.some(({ status }) => status === "aborted")) {
    return aborted("The run was ended by the answer to a question.");
  }
  if (ran.loop !== undefined) return looping(ran.loop);
  return ran.outcomes.length < calls.length ? outOfCalls(limits) : undefined;
}

/** Next answer of the model, as a step; its text is emitted as it arrives. */
async function nextAnswer(context: LoopContext, state: LoopState): Promise<Answer> {
  const { model, system, clock, signal, emit, limits, identity, conversation } = context;
  const { runId } = identity;
  const turn = state.turns;
  const { maxOutputTokens } = limits;
  const request = {
    system,
    messages: [...conversation.messages],
    tools: await context.definitions(),
    signal,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  let collector: AnswerCollector | undefined;
  emit({ type: "turn-start", runId, turn });
  try {
    const answer = await context.steps.run(`llm:${turn}`, async () =>
      askModel({
        model,
        request,
        clock,
        collect: () => {
          collector = answerCollector(() => state.ids.next());
          return collector;
        },
        onText: (event) => emit({ ...event, runId, turn }),
      }),
    );
    state.ids.register([{ role: "assistant", content: answer.content }]);
    emit({ type: "turn-end", runId, turn, finish: answer.finish, usage: answer.usage });
    return answer;
  } catch (error) {
    const partial = collector?.answer();
    const usage = partial?.usage ?? { input: 0, output: 0 };
    emit({ type: "turn-end", runId, turn, finish: signal.aborted ? "aborted" : "error", usage });
    // Text that arrived before the failure stays; calls that will get no result are removed.
    if (partial !== undefined) await remember(context, state, withoutCalls(partial));
    throw error;
  }
}

function withoutCalls(answer: Answer): Answer {
  return { ...answer, content: answer.content.filter(({ type }) => type !== "tool-call") };
}

/** Stores an answer, unless it has nothing that a provider accepts at the end of a message. */
async function remember(
  { conversation }: LoopContext,
  state: LoopState,
  answer: Answer,
): Promise<AssistantMessage> {
  const message: AssistantMessage = { role: "assistant", content: answer.content };
  state.usage = {
    input: state.usage.input + answer.usage.input,
    output: state.usage.output + answer.usage.output,
  };
  const text = textOf(message);
  if (text !== "") state.text = text;
  if (answer.content.some((part) => part.type === "tool-call" || isAnswer(part))) {
    await conversation.append([message]);
  }
  return message;
}

function textOf({ content }: AssistantMessage): string {
  return content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
}
