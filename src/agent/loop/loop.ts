import type { CallOptions, NewEvent, TokenUsage, Toolkit } from "../../core/index.ts";
import {
  repairMessages,
  toolCallsOf,
  type AssistantMessage,
  type Message,
  type Steps,
} from "../../session/index.ts";
import { answerCollector, type Answer, type AnswerCollector } from "./assistant-message.ts";
import type { RunClock } from "./clock.ts";
import type { Limits } from "./limits.ts";
import { loopGuard } from "./loop-guard.ts";
import { askModel } from "./model-turn.ts";
import type { Model, ToolDefinition } from "../models/model.ts";
import { denialOf, type Denial, type RunResult } from "./run-result.ts";
import {
  aborted,
  cutAnswer,
  failed,
  filtered,
  looping,
  outOfCalls,
  spentLimit,
  type RunStop,
} from "./stop-reason.ts";
import { runCalls } from "./tool-turn.ts";

/** Dependencies and state of a run. */
export interface LoopContext {
  readonly runId: string;
  readonly sessionId: string;
  readonly agentId: string | undefined;
  readonly toolkit: Toolkit;
  readonly model: Model;
  readonly system: string;
  /** Messages with the task as the last one. */
  readonly messages: readonly Message[];
  readonly limits: Limits;
  readonly steps: Steps;
  readonly clock: RunClock;
  readonly signal: AbortSignal;
  /** Reason for which the signal was aborted. */
  stopped(): RunStop;
  definitions(): Promise<readonly ToolDefinition[]>;
  /** Adds the run's session and agent to the event. */
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
    messages: repairMessages(state.messages),
    ...(stop === undefined ? {} : { error: stop.error.toJSON() }),
  };
}

interface LoopState {
  readonly messages: Message[];
  readonly denials: Denial[];
  /** Latest text of the model. */
  text: string;
  turns: number;
  calls: number;
  usage: TokenUsage;
  takeId(wanted: string): string;
}

function startState({ messages, toolkit }: LoopContext): LoopState {
  const used = new Set(
    messages.flatMap((message) =>
      message.role === "assistant" ? toolCallsOf(message).map(({ id }) => id) : [],
    ),
  );
  return {
    messages: [...messages],
    denials: [],
    text: "",
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    takeId(wanted) {
      const id = wanted === "" || used.has(wanted) ? toolkit.newId("call") : wanted;
      used.add(id);
      return id;
    },
  };
}

async function takeTurns(context: LoopContext, state: LoopState): Promise<RunStop | undefined> {
  const { toolkit, limits, steps, signal, sessionId, agentId } = context;
  const guard = loopGuard((tool) =>
    toolkit.listings().some(({ name, tags }) => name === tool && tags.includes("polling")),
  );
  for (;;) {
    if (signal.aborted) return context.stopped();
    const { turns, usage } = state;
    const spent = spentLimit(limits, { turns, tokens: usage.input + usage.output });
    if (spent !== undefined) return spent;
    state.turns += 1;
    const answer = await nextAnswer(context, state);
    if (answer.finish === "content-filter") {
      remember(state, withoutCalls(answer));
      return filtered(context.model.id);
    }
    const calls = toolCallsOf(remember(state, answer));
    if (calls.length === 0) return answer.finish === "length" ? cutAnswer() : undefined;

    const options: CallOptions = { signal, sessionId, agentId, turn: state.turns };
    const allowance = limits.maxCalls - state.calls;
    const ran = await runCalls({ toolkit, steps, guard, calls, allowance, options });
    state.messages.push({ role: "tool", content: ran.results });
    state.calls += ran.outcomes.length;
    state.denials.push(...ran.outcomes.flatMap((outcome) => denialOf(outcome, state.turns) ?? []));
    if (signal.aborted) return context.stopped();
    // No other code aborted the call, so the user's answer to a question did, and that ends the turn.
    if (ran.outcomes.some(({ status }) => status === "aborted")) {
      return aborted("The run was ended by the answer to a question.");
    }
    if (ran.loop !== undefined) return looping(ran.loop);
    if (ran.outcomes.length < calls.length) return outOfCalls(limits);
  }
}

/** Next answer of the model, as a step; its text is emitted as it arrives. */
async function nextAnswer(context: LoopContext, state: LoopState): Promise<Answer> {
  const { runId, model, system, clock, signal, emit, limits } = context;
  const turn = state.turns;
  const { maxOutputTokens } = limits;
  const request = {
    system,
    messages: [...state.messages],
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
          collector = answerCollector((wanted) => state.takeId(wanted));
          return collector;
        },
        onText: (event) => emit({ ...event, runId, turn }),
      }),
    );
    emit({ type: "turn-end", runId, turn, finish: answer.finish, usage: answer.usage });
    return answer;
  } catch (error) {
    const partial = collector?.answer();
    // Text that arrived before the failure stays; calls that will get no result are removed.
    if (partial !== undefined) remember(state, withoutCalls(partial));
    const usage = partial?.usage ?? { input: 0, output: 0 };
    emit({ type: "turn-end", runId, turn, finish: signal.aborted ? "aborted" : "error", usage });
    throw error;
  }
}

function withoutCalls(answer: Answer): Answer {
  return { ...answer, content: answer.content.filter(({ type }) => type !== "tool-call") };
}

function remember(state: LoopState, answer: Answer): AssistantMessage {
  const message: AssistantMessage = { role: "assistant", content: answer.content };
  if (answer.content.length > 0) state.messages.push(message);
  state.usage = {
    input: state.usage.input + answer.usage.input,
    output: state.usage.output + answer.usage.output,
  };
  const text = answer.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
  if (text !== "") state.text = text;
  return message;
}
