import { ToolError, type Answer, type Ask, type Decision } from "../../core/index.ts";
import { intersectGrants, type RuleSet } from "../../policy/index.ts";
import { eventSource } from "../event-source.ts";
import { answerFor, askerOf, whileAsked } from "../approval/answer-for.ts";
import { approvalRequired, deniedByUser, turnEnded } from "../approval/denial-messages.ts";
import { judge } from "./decide.ts";
import type { AskingParts, PipelineEnvironment, RecordParts } from "../environment/environment.ts";
import { abortedBefore, orAborted } from "../run/abortable.ts";
import { lookingMs } from "../preview/with-deadline.ts";
import { previewCall } from "../preview/preview.ts";
import type { Facts, Next, StateOf, Step } from "../step.ts";
import { listEffects } from "./list-effects.ts";

type Asking = Extract<Decision, { kind: "ask" }>;

/** An answer may edit the input, which goes back to validation; a rule that could not be saved is reported. */
type Sets =
  | Facts["effects" | "decision" | "approval"]
  | "answeredBy"
  | "answer"
  | "input"
  | "hooksRan"
  | "liveMetadata";
type Needs = "tool" | "valid" | "hooked" | "effects" | "decision";
type State = StateOf<Sets, Needs>;

/**
 * Asks for approval where the decision requires it, and turns a no into the refusal that the model reads.
 *
 * Runs right after decide, before anything is journaled. An answer takes time, so the effects are listed again
 * afterwards: either the approved call runs, or the question is asked again.
 */
export const permit: Step<Sets, Needs, "approval"> = (state, environment) => {
  refuseWithTurn(state);
  if (state.decision.kind !== "ask") return undefined;
  return environment.askQueue.run(
    async () => await orAborted(ask(state, environment), state.stops, whileAsked),
  );
};

function refuseWithTurn({ turn }: State): void {
  if (turn.aborted) throw turnEnded();
  if (turn.denied !== undefined) throw deniedByUser(turn.denied.reason);
}

async function ask(state: State, environment: PipelineEnvironment): Promise<Next> {
  // An answer given while this call was queued may decide it: a saved rule, or a refusal of all calls.
  refuseWithTurn(state);
  throwIfAborted(state);
  judge(state, environment);
  const { decision } = state;
  if (decision.kind !== "ask") return undefined;
  // Only the call as shown may run: an input or effects that change before the answer are judged again.
  const shown = { ...shownOf(state), rules: environment.rules() };
  const question = await questionFor(state, environment, decision);
  const { answer, by } = await answerFor(state, environment, {
    question,
    absent: () => approvalRequired(state.tool.name, question),
  });
  throwIfAborted(state);
  state.answeredBy = by;
  state.answer = answer.kind;
  environment.emit({
    type: "permission-answer",
    callId: state.id,
    answer: answer.kind,
    ...(answer.kind === "save" ? { rule: answer.rule } : {}),
    ...eventSource(state.options),
  });
  if (by === "user") await recordAnswer(state, environment, answer);
  if (!(await obey(state, environment, answer))) return "validate";
  return await stillTheSame(state, environment, shown);
}

/** An answer of the user counts once it is stored, so that a run that continues later knows it. */
async function recordAnswer(
  { id, options: { sessionId, runId } }: State,
  { recordCall }: RecordParts,
  answer: Answer,
): Promise<void> {
  if (sessionId === undefined || runId === undefined) return;
  const rule = answer.kind === "save" ? { rule: answer.rule, scope: answer.scope } : {};
  const body = { answer: answer.kind, ...rule };
  await recordCall?.({ sessionId, callId: id, kind: "answer", isDurable: true, body });
}

async function questionFor(
  state: State,
  environment: PipelineEnvironment,
  decision: Asking,
): Promise<Ask> {
  const { tool } = state;
  const preview = await previewOf(state, environment);
  const notUndoable = await undoOf(state, environment);
  const { sessionId, agentId } = state.options;
  const question: Ask = {
    kind: "permission",
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
  environment.emit({
    type: "permission-ask",
    callId: state.id,
    ask: question,
    ...eventSource(state.options),
  });
  return question;
}

/** Previews the changes where the tool can predict them; a failing preview must not prevent the question. */
async function previewOf(
  state: State,
  environment: PipelineEnvironment,
): Promise<string | undefined> {
  const asker = askerOf(state, environment);
  if (asker === undefined || asker.looksAtPreview === false) return undefined;
  try {
    const shown = await previewCall(state, environment, {
      approved: false,
      withinMs: lookingMs,
    });
    // The declared changes are already listed as effects.
    return shown?.basis === "declared" ? undefined : (shown?.diff ?? shown?.summary);
  } catch {
    return undefined;
  }
}

/** Returns why the call cannot be fully undone: programs may change more than the declared, journaled writes. */
async function undoOf(state: State, environment: PipelineEnvironment): Promise<string | undefined> {
  const { checkpoints } = environment;
  if (askerOf(state, environment) === undefined || checkpoints === undefined) return undefined;
  const isOpen = state.effects.some(({ kind }) => kind === "unknown");
  if (isOpen && state.tool.undo !== undefined) return undefined;
  if (isOpen) {
    return checkpoints.assessPrograms === undefined
      ? "What it changes beyond its declared writes is not journaled."
      : await checkpoints.assessPrograms();
  }
  const writes = state.effects.filter((effect) => effect.kind === "write");
  return writes.length === 0 ? undefined : await checkpoints.assess(writes);
}

/** Returns true if the shown call was approved, false if the answer replaced its input. Throws a refusal. */
async function obey(
  state: State,
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
    case "answer":
      throw new TypeError("checkAnswer refuses it for a permission.");
    case "edit":
      state.input = answer.input;
      state.hooksRan = false;
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
  state: State,
  environment: PipelineEnvironment,
  shown: Shown,
): Promise<Next> {
  if (shownOf(state).input !== shown.input) return "validate";
  const { decision, grant } = state;
  await listEffects(state, environment);
  if (shownOf(state).effects !== shown.effects) return "effects";
  // An approval answers the question only: what a rule, a mode or a limit forbids by now stays forbidden.
  judge(state, environment);
  state.decision = decision;
  if (environment.rules() === shown.rules) state.grant = grant;
  else if (grant !== undefined && state.grant !== undefined) {
    state.grant = intersectGrants(grant, state.grant);
  }
  return undefined;
}

/** The input and effects to which an answer applies, as text, and the rules under which it was asked. */
interface Shown extends ReturnType<typeof shownOf> {
  readonly rules: RuleSet;
}

function shownOf({ input, effects }: State): { input: string | undefined; effects: string } {
  try {
    return { input: JSON.stringify(input), effects: JSON.stringify(effects) };
  } catch (cause) {
    throw new ToolError(
      "INVALID_INPUT",
      "The input is not JSON, so the user cannot be asked about it.",
      {
        hint: "Pass plain objects, lists, texts, numbers and booleans.",
        cause,
      },
    );
  }
}

function throwIfAborted({ options }: State): void {
  if (options.signal?.aborted === true) throw abortedBefore();
}

function countRefusal(state: State, { refusals }: AskingParts): void {
  const key = refusalKey(state);
  refusals.set(key, (refusals.get(key) ?? 0) + 1);
}

const maxKeyChars = 1000;

function refusalKey(state: State): string {
  const input = JSON.stringify(state.input) ?? "";
  // The key is only used for counting, so a long input is identified by its length, start and end.
  const shown =
    input.length <= maxKeyChars
      ? input
      : `${input.length} ${input.slice(0, maxKeyChars / 2)} ${input.slice(-maxKeyChars / 2)}`;
  return `${state.tool.name} ${shown}`;
}
