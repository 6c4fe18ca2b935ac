import {
  isAnswer,
  repairMessages,
  toolCallsOf,
  userMessage,
  type AssistantMessage,
  type ToolCallPart,
} from "../../session/index.ts";
import { tokenEstimator } from "./budget/estimate-tokens.ts";
import { callIds } from "./call-ids.ts";
import { compactIfLarge, compactRun } from "./compaction/compact-run.ts";
import { filesIn } from "./compaction/summary.ts";
import type { LoopContext, LoopState } from "./loop-context.ts";
import type { InboxMessage } from "./inbox.ts";
import { denialOf, type RunResult } from "./run-result.ts";
import {
  aborted,
  cutAnswer,
  emptyAnswers,
  failed,
  filtered,
  looping,
  outOfCalls,
  outOfTurns,
  type RunStop,
} from "./stop-reason.ts";
import { orAborted } from "./turn/abortable-stream.ts";
import type { Answer } from "./turn/assistant-message.ts";
import { loopGuard, type LoopGuard } from "./turn/loop-guard.ts";
import type { ModelAnswer } from "./turn/model-turn.ts";
import { nextAnswer } from "./turn/next-answer.ts";
import { runCalls } from "./turn/tool-turn.ts";

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
  // A message that was sent too late stays in the conversation, for the run that continues it.
  const unread = context.inbox.end().map(({ message }) => message);
  await context.conversation.append(unread).catch((cause: unknown) => {
    stop ??= failed(cause);
  });
  return {
    status: stop?.status ?? "done",
    text: [state.text, ...(stop === undefined ? [] : [`Stopped: ${stop.error.message}`])]
      .filter((text) => text !== "")
      .join("\n\n"),
    ...("output" in state ? { output: state.output } : {}),
    turns: state.turns,
    calls: state.calls,
    usage: state.usage,
    tokensSaved: state.tokensSaved,
    ...(state.costUsd === undefined ? {} : { costUsd: state.costUsd }),
    denials: [...context.denials],
    messages: repairMessages(context.conversation.messages),
    ...(stop === undefined ? {} : { error: stop.error.toJSON() }),
  };
}

function startState({ recorded, toolkit, model }: LoopContext): LoopState {
  const ids = callIds((prefix) => toolkit.newId(prefix));
  ids.register(recorded);
  return {
    ids,
    estimator: tokenEstimator(),
    files: new Set(),
    knowsRecordedFiles: recorded.length === 0,
    model,
    text: "",
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    tokensSaved: 0,
    costUsd: 0,
    compactions: 0,
    isCompactionBroken: false,
    compactAbove: 0,
    wasEmpty: false,
  };
}

async function takeTurns(context: LoopContext, state: LoopState): Promise<RunStop | undefined> {
  const { toolkit, limits, signal, conversation, budget } = context;
  const guard = loopGuard((tool) =>
    toolkit.listings().some(({ name, tags }) => name === tool && tags.includes("polling")),
  );
  await conversation.open(context.recorded);
  await conversation.append(context.given);
  for (;;) {
    if (signal.aborted) return context.stopped();
    await deliver(context);
    if (state.turns >= limits.maxTurns) return outOfTurns(limits);
    budget.takeTurn();
    state.turns += 1;
    await compactWhereNeeded(context, state);
    state.tokensSaved += toolkit.deferral?.tokensSaved(context.identity.sessionId) ?? 0;
    const answer = await nextAnswer(context, state, async (partial) => {
      // Text that arrived before an abort stays; calls that will get no result are removed.
      await remember(context, state, withoutCalls(partial));
    });
    if (answer.finish === "content-filter") {
      await remember(context, state, withoutCalls(answer));
      return filtered(answer.model);
    }
    const message = await remember(context, state, answer);
    const calls = toolCallsOf(message);
    if (calls.length > 0) {
      state.wasEmpty = false;
      const stop = await takeCalls(context, state, { guard, calls });
      if (stop !== undefined) return stop;
      if (await hasYielded(context, state)) return undefined;
    } else {
      const end = await endOf(context, state, { message, answer });
      if (end !== "continue" && end !== undefined) return end;
      if (end === undefined && (await isOver(context, state))) return undefined;
      // An answer that something follows is not the final one.
      delete state.output;
    }
  }
}

/** Whether a call has ended the run with a message, and nothing is left to wait for. */
async function hasYielded(context: LoopContext, state: LoopState): Promise<boolean> {
  const text = context.yielded();
  if (text === undefined) return false;
  state.text = text;
  await context.conversation.append([{ role: "assistant", content: [{ type: "text", text }] }]);
  return await isOver(context, state);
}

/** Adds the messages that the user and other sessions sent meanwhile, and ends of agents. */
async function deliver(context: LoopContext): Promise<void> {
  const { inbox, conversation, emit, identity } = context;
  const mail = conversation.mail();
  const taken: readonly InboxMessage[] = [
    ...inbox.take(),
    ...mail
      .filter(({ number }) => !inbox.isKnown(number))
      .map(({ text, workId }) => ({
        message: userMessage(text),
        ...(workId === undefined ? {} : { workId }),
      })),
  ];
  const numbers = mail.map(({ number }) => number);
  await conversation.append(
    taken.map(({ message }) => message),
    numbers,
  );
  for (const { message, workId } of taken) {
    const source = workId === undefined ? {} : { workId };
    emit({ type: "user-message", runId: identity.runId, message, ...source });
  }
}

/** Stored messages about ends that a call has shown meanwhile. They are removed together with its result. */
function knownMail({ inbox, conversation }: LoopContext): readonly number[] {
  return conversation.mail().flatMap(({ number }) => (inbox.isKnown(number) ? [number] : []));
}

/** Whether nothing is left to do once the model has ended; waits for background work of the run. */
async function isOver(context: LoopContext, state: LoopState): Promise<boolean> {
  const { gates, conversation, inbox, toolkit, identity, waitsForWork, signal, emit } = context;
  const { runId } = identity;
  await conversation.append([], knownMail(context));
  for (let isReported = false; inbox.isEmpty() && conversation.mail().length === 0;) {
    const work = waitsForWork ? (toolkit.work?.active(runId) ?? []) : [];
    if (work.length === 0) {
      const reason = await orAborted(() => gates?.beforeEnd(state.text), signal);
      if (reason === undefined) return inbox.close();
      await conversation.append([userMessage(reason)]);
      return false;
    }
    if (!isReported) emit({ type: "run-wait", runId, work });
    isReported = true;
    await orAborted(() => changed(context), signal);
  }
  return false;
}

/** Milliseconds after which a run that waits reads the messages of other sessions again. */
const mailMs = 500;

/** Resolves with the next message or change of background work. */
async function changed({ inbox, clock }: LoopContext): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.timer(mailMs, resolve);
  await Promise.race([inbox.changed(), promise]);
  cancel();
}

async function compactWhereNeeded(context: LoopContext, state: LoopState): Promise<void> {
  const requests = context.requests.splice(0);
  if (requests.length === 0) {
    await compactIfLarge(context, state);
    return;
  }
  let isDone = false;
  try {
    isDone = await compactRun(context, state, "requested");
  } finally {
    for (const answer of requests) answer(isDone);
  }
}

const nudge =
  "Your answer was empty. Continue with the task, or say what you did and what is still open.";

/** How the run ends after an answer without calls; `continue` if something is left to say to the model. */
async function endOf(
  { conversation, inbox, output }: LoopContext,
  state: LoopState,
  { message, answer }: { readonly message: AssistantMessage; readonly answer: ModelAnswer },
): Promise<RunStop | undefined | "continue"> {
  if (answer.finish === "length") return cutAnswer();
  const text = textOf(message);
  if (text === "") {
    if (state.wasEmpty) return emptyAnswers(answer.model);
    state.wasEmpty = true;
    await conversation.append([userMessage(nudge)]);
    return "continue";
  }
  state.wasEmpty = false;
  if (!inbox.isEmpty()) return "continue";
  if (output === undefined) return undefined;
  const reading = await output.read(text);
  switch (reading.kind) {
    case "valid":
      state.output = reading.value;
      return undefined;
    case "failed":
      return failed(reading.error);
    case "invalid":
      await conversation.append([userMessage(reading.repair)]);
      return "continue";
  }
}

/** Runs the calls of an answer and stores their results; returns the reason to stop, if there is one. */
async function takeCalls(
  context: LoopContext,
  state: LoopState,
  { guard, calls }: { readonly guard: LoopGuard; readonly calls: readonly ToolCallPart[] },
): Promise<RunStop | undefined> {
  const { toolkit, limits, steps, signal, identity, conversation, budget, denials, onAsk } =
    context;
  const asking = onAsk === undefined ? {} : { onAsk };
  const options = { signal, ...identity, turn: state.turns, ...asking };
  const allowance = budget.takeCalls(Math.min(calls.length, limits.maxCalls - state.calls));
  const ran = await runCalls({ toolkit, steps, guard, calls, allowance, options });
  state.calls += ran.outcomes.length;
  for (const outcome of ran.outcomes) {
    const denial = denialOf(outcome, state.turns);
    if (denial !== undefined) denials.push(denial);
    if (outcome.isError) continue;
    for (const path of filesIn(outcome.effects)) {
      // The file read last is at the end.
      state.files.delete(path);
      state.files.add(path);
    }
  }
  await conversation.append([{ role: "tool", content: ran.results }], knownMail(context));
  if (signal.aborted) return context.stopped();
  // No other code aborted the call, so the user's answer to a question did, and that ends the turn.
  if (ran.outcomes.some(({ status }) => status === "aborted")) {
    return aborted("The run was ended by the answer to a question.");
  }
  if (ran.loop !== undefined) return looping(ran.loop);
  return ran.outcomes.length < calls.length ? outOfCalls(limits, state.calls) : undefined;
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
