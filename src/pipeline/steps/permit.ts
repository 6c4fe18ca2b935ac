import { ToolError, type Answer, type Ask, type Decision, type OnAsk } from "../../core/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import { checkAnswer } from "../approval/check-answer.ts";
import { judge } from "./decide.ts";
import type { PipelineEnvironment } from "../environment.ts";
import { abortedBefore, orAborted } from "../run/abortable.ts";
import { lookingMs } from "../preview/with-deadline.ts";
import { sentenceOf } from "../../text/index.ts";
import { previewCall } from "../preview/preview.ts";
import type { Next, Step } from "../step.ts";
import { takeEffects } from "./list-effects.ts";

type Asking = Extract<Decision, { kind: "ask" }>;

/**
 * Turns a decision that says ask into permission to go on, or into the refusal the model will read.
 *
 * Right after deciding, before anything is journaled. Whoever answers takes time, so the effects are taken
 * again afterwards: what was approved is what runs, or the question is put again.
 */
export const permit: Step = (state, environment) => {
  refuseWithTurn(state);
  if (state.decision?.kind !== "ask") return undefined;
  return environment.askQueue.run(
    async () => await orAborted(ask(state, environment), state.stops, whileAsked),
  );
};

const whileAsked = "The call was aborted while it waited for an answer.";

function refuseWithTurn({ turn }: CallState): void {
  if (turn.aborted) throw turnEnded();
  if (turn.denied !== undefined) throw deniedByUser(turn.denied.reason);
}

async function ask(state: CallState, environment: PipelineEnvironment): Promise<Next> {
  // An answer given while this call waited its turn may settle it: a saved rule, or a word about all calls.
  refuseWithTurn(state);
  throwIfAborted(state);
  judge(state, environment);
  const { decision } = state;
  if (decision?.kind !== "ask") return undefined;
  // What is shown is what may run: an input or effects that change while somebody thinks are judged anew.
  const shown = shownOf(state);
  const question = await questionFor(state, environment, decision);
  const { answer, by } = await answerFor(state, environment, question);
  throwIfAborted(state);
  state.answeredBy = by;
  state.answer = answer.kind;
  environment.emit({
    type: "permission-answer",
    callId: state.id,
    answer: answer.kind,
    ...(answer.kind === "save" ? { rule: answer.rule } : {}),
    sessionId: state.options.sessionId,
    agentId: state.options.agentId,
  });
  if (!(await obey(state, environment, answer))) return "validate";
  return await stillTheSame(state, environment, shown);
}

async function questionFor(
  state: CallState,
  environment: PipelineEnvironment,
  decision: Asking,
): Promise<Ask> {
  const tool = toolOf(state);
  const preview = await previewOf(state, environment);
  const notUndoable = await undoOf(state, environment);
  const { sessionId, agentId } = state.options;
  const question: Ask = {
    callId: state.id,
    tool: tool.name,
    displayName: tool.displayName ?? tool.name,
    input: state.input,
    effects: state.effects,
    question: decision.question,
    reason: decision.reason,
    ...(decision.suggestion === undefined ? {} : { suggestion: decision.suggestion }),
    ...(preview === undefined ? {} : { preview }),
    ...(notUndoable === undefined ? {} : { notUndoable }),
    trail: decision.trail,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    refusals: environment.refusals.get(refusalKey(state)) ?? 0,
  };
  environment.emit({ type: "permission-ask", callId: state.id, ask: question, sessionId, agentId });
  return question;
}

/** A person sees what would change where the tool can tell; a preview that fails must not stand in the way of asking. */
async function previewOf(
  state: CallState,
  environment: PipelineEnvironment,
): Promise<string | undefined> {
  const asker = askerOf(state, environment);
  if (asker === undefined || asker.looksAtPreview === false) return undefined;
  try {
    const shown = await previewCall(state, environment, {
      approved: false,
      withinMs: lookingMs,
    });
    // What the call says of itself is in its effects already.
    return shown?.basis === "declared" ? undefined : (shown?.diff ?? shown?.summary);
  } catch {
    return undefined;
  }
}

/** What runs programs may change more than it says, and only what it says is journaled. */
async function undoOf(
  state: CallState,
  environment: PipelineEnvironment,
): Promise<string | undefined> {
  const { checkpoints } = environment;
  if (askerOf(state, environment) === undefined || checkpoints === undefined) return undefined;
  const isOpen = state.effects.some(({ kind }) => kind === "unknown");
  if (isOpen && toolOf(state).undo !== undefined) return undefined;
  if (isOpen) {
    return checkpoints.assessPrograms === undefined
      ? "What it changes beyond its declared writes is not journaled."
      : await checkpoints.assessPrograms();
  }
  const writes = state.effects.filter((effect) => effect.kind === "write");
  return writes.length === 0 ? undefined : await checkpoints.assess(writes);
}

async function answerFor(
  state: CallState,
  environment: PipelineEnvironment,
  question: Ask,
): Promise<{ answer: Answer; by: "hook" | "person" }> {
  for (const hook of environment.hooks.permission ?? []) {
    let answer: Answer | undefined;
    try {
      answer = await hook(question);
    } catch (cause) {
      throw new ToolError("BLOCKED_BY_HOOK", "A permission hook failed, so nobody said yes.", {
        hint: "The hook must be mended by the person who set it up.",
        cause,
      });
    }
    if (answer !== undefined) return { answer: checkAnswer(answer, "hook"), by: "hook" };
  }
  const onAsk = askerOf(state, environment);
  if (onAsk === undefined) throw approvalRequired(state, question);
  const { signal } = state.options;
  const answering = askedOf(onAsk, question, signal);
  const answer = await orAborted(answering, state.stops, whileAsked);
  return { answer: checkAnswer(answer, "person"), by: "person" };
}

/** A program that fails at asking has had no answer; what it says of itself, as a ToolError, stands. */
async function askedOf(
  onAsk: OnAsk,
  question: Ask,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  try {
    return await onAsk(question, { signal });
  } catch (cause) {
    if (ToolError.is(cause)) throw cause;
    throw new ToolError(
      "APPROVAL_REQUIRED",
      `The question could not be put to anybody: ${sentenceOf(cause)}`,
      { hint: "The program that asks must be mended; the call was not run.", cause },
    );
  }
}

/** Whoever sent the call may be the one to ask. */
function askerOf({ options }: CallState, { onAsk }: PipelineEnvironment): OnAsk | undefined {
  return options.onAsk ?? onAsk;
}

/** True for a yes to what was shown, false where it gave way to another input. A no is thrown. */
async function obey(
  state: CallState,
  environment: PipelineEnvironment,
  answer: Answer,
): Promise<boolean> {
  switch (answer.kind) {
    case "save": {
      const unsaved = await environment.saveRule(answer.rule, answer.scope);
      if (unsaved !== undefined) state.liveMetadata = { ...state.liveMetadata, unsaved };
      return true;
    }
    case "once":
      return true;
    case "edit":
      state.input = answer.input;
      state.isHooked = false;
      return false;
    case "deny-all":
      state.turn.denied = { reason: answer.reason };
      countRefusal(state, environment);
      throw deniedByUser(answer.reason);
    case "deny":
      countRefusal(state, environment);
      throw deniedByUser(answer.reason);
    case "abort":
      state.turn.abort();
      throw turnEnded();
  }
}

async function stillTheSame(
  state: CallState,
  environment: PipelineEnvironment,
  shown: Shown,
): Promise<Next> {
  if (shownOf(state).input !== shown.input) return "validate";
  const approvedGrant = state.grant;
  await takeEffects(state, environment);
  if (shownOf(state).effects !== shown.effects) return "effects";
  state.grant = approvedGrant;
  return undefined;
}

/** What an answer is bound to, as text. */
interface Shown {
  readonly input: string | undefined;
  readonly effects: string;
}

function shownOf({ input, effects }: CallState): Shown {
  try {
    return { input: JSON.stringify(input), effects: JSON.stringify(effects) };
  } catch (cause) {
    throw new ToolError("INVALID_INPUT", "The input is no JSON, so nobody can be asked about it.", {
      hint: "Pass plain objects, lists, texts, numbers and booleans.",
      cause,
    });
  }
}

function throwIfAborted({ options }: CallState): void {
  if (options.signal?.aborted === true) throw abortedBefore();
}

function countRefusal(state: CallState, { refusals }: PipelineEnvironment): void {
  const key = refusalKey(state);
  refusals.set(key, (refusals.get(key) ?? 0) + 1);
}

const maxKeyChars = 1000;

function refusalKey(state: CallState): string {
  const input = JSON.stringify(state.input) ?? "";
  // It only counts, so what is long is told by its ends.
  const shown =
    input.length <= maxKeyChars
      ? input
      : `${input.length} ${input.slice(0, maxKeyChars / 2)} ${input.slice(-maxKeyChars / 2)}`;
  return `${toolOf(state).name} ${shown}`;
}

function turnEnded(): ToolError {
  return new ToolError("ABORTED", "The person ended this turn; the call was not run.", {
    hint: "Wait for what the person says next.",
  });
}

function deniedByUser(reason: string | undefined): ToolError {
  return new ToolError(
    "DENIED_BY_USER",
    reason === undefined || reason === "" ? "The person said no." : `The person said no: ${reason}`,
    { hint: "Respect the answer: do something else, or ask what they would prefer." },
  );
}

/** A suggestion may be several rules, one a line. */
function ruleWords(suggestion: string): string {
  const rules = suggestion.split("\n");
  return rules.length === 1 ? `the rule ${suggestion}` : `the rules ${rules.join(" and ")}`;
}

function approvalRequired(state: CallState, question: Ask): ToolError {
  const rule = question.suggestion;
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${toolOf(state).name} needs a person's approval and nobody is here to give it: ${question.reason}`,
    {
      hint:
        rule === undefined
          ? "Run it where a person can answer, or in a mode that allows it."
          : `A person can allow it with ${ruleWords(rule)}, or by a mode that allows it.`,
      data: rule === undefined ? {} : { suggestion: rule },
    },
  );
}
