import { ToolError, type Answer, type Ask, type Decision } from "../core/index.ts";
import { toolOf, type CallState } from "./call-state.ts";
import { judge } from "./decide.ts";
import type { PipelineEnvironment } from "./environment.ts";
import { previewCall } from "./preview.ts";
import type { Next, Step } from "./step.ts";
import { takeEffects } from "./effects.ts";

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
  return environment.askQueue.run(async () => await ask(state, environment));
};

function refuseWithTurn({ turn }: CallState): void {
  if (turn.aborted)
    throw new ToolError("ABORTED", "The person ended this turn; the call was not run.");
  if (turn.denied !== undefined) throw deniedByUser(turn.denied.reason);
}

async function ask(state: CallState, environment: PipelineEnvironment): Promise<Next> {
  // An answer given while this call waited its turn may settle it: a saved rule, or a word about all calls.
  refuseWithTurn(state);
  throwIfAborted(state);
  judge(state, environment);
  const { decision } = state;
  if (decision?.kind !== "ask") return undefined;
  const question = await questionFor(state, environment, decision);
  const { answer, by } = await answerFor(state, environment, question);
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
  return await obey(state, environment, answer);
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
  if (environment.onAsk === undefined) return undefined;
  try {
    const shown = await previewCall(state, environment);
    return shown?.diff ?? shown?.summary;
  } catch {
    return undefined;
  }
}

/** What runs programs may change more than it says, and only what it says is journaled. */
async function undoOf(
  state: CallState,
  { checkpoints, onAsk }: PipelineEnvironment,
): Promise<string | undefined> {
  if (onAsk === undefined || checkpoints === undefined) return undefined;
  const isOpen = state.effects.some(({ kind }) => kind === "unknown");
  if (isOpen) return "What it changes beyond its declared writes is not journaled.";
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
    if (answer !== undefined) return { answer, by: "hook" };
  }
  if (environment.onAsk === undefined) throw approvalRequired(state, question);
  return {
    answer: await orAborted(environment.onAsk, question, state.options.signal),
    by: "person",
  };
}

async function orAborted(
  onAsk: NonNullable<PipelineEnvironment["onAsk"]>,
  question: Ask,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  if (signal === undefined) return await onAsk(question, { signal });
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void =>
    reject(new ToolError("ABORTED", "The call was aborted while it waited for an answer."));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([onAsk(question, { signal }), promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function obey(
  state: CallState,
  environment: PipelineEnvironment,
  answer: Answer,
): Promise<Next> {
  switch (answer.kind) {
    case "save":
      await environment.saveRule(answer.rule, answer.scope);
      return await stillTheSame(state, environment);
    case "once":
      return await stillTheSame(state, environment);
    case "edit":
      state.input = answer.input;
      state.isHooked = false;
      return "validate";
    case "deny-all":
      state.turn.denied = { reason: answer.reason };
      countRefusal(state, environment);
      throw deniedByUser(answer.reason);
    case "deny":
      countRefusal(state, environment);
      throw deniedByUser(answer.reason);
    case "abort":
      state.turn.aborted = true;
      throw new ToolError("ABORTED", "The person ended this turn; the call was not run.");
  }
}

async function stillTheSame(state: CallState, environment: PipelineEnvironment): Promise<Next> {
  const approved = JSON.stringify(state.effects);
  const approvedGrant = state.grant;
  await takeEffects(state, environment);
  if (JSON.stringify(state.effects) === approved) {
    state.grant = approvedGrant;
    return undefined;
  }
  return "effects";
}

function throwIfAborted({ options }: CallState): void {
  if (options.signal?.aborted === true)
    throw new ToolError("ABORTED", "The call was aborted before it ran.");
}

function countRefusal(state: CallState, { refusals }: PipelineEnvironment): void {
  const key = refusalKey(state);
  refusals.set(key, (refusals.get(key) ?? 0) + 1);
}

function refusalKey(state: CallState): string {
  return `${toolOf(state).name} ${JSON.stringify(state.input)}`;
}

function deniedByUser(reason: string | undefined): ToolError {
  return new ToolError(
    "DENIED_BY_USER",
    reason === undefined || reason === "" ? "The person said no." : `The person said no: ${reason}`,
    { hint: "Respect the answer: do something else, or ask what they would prefer." },
  );
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
          : `A person can allow it with the rule ${rule}, or by a mode that allows it.`,
      data: rule === undefined ? {} : { suggestion: rule },
    },
  );
}
