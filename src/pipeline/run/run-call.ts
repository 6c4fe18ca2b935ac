import { ToolError, type Call, type CallOptions, type Outcome } from "../../core/index.ts";
import { CallState } from "../call-state.ts";
import { callSource, eventSource } from "../event-source.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { givenHooksNotes } from "../environment/hooks.ts";
import { seenChanges } from "./seen-changes.ts";
import { changeOf, publicRecordOf } from "../outcome/build-outcome.ts";
import { toolErrorOf } from "./call-errors.ts";
import { readCall } from "./read-call.ts";
import { record } from "../steps/record.ts";
import { blockedByHook } from "../steps/before-hooks.ts";
import { decideCall } from "../steps/decide.ts";
import { abortedBefore, orAborted } from "./abortable.ts";
import { resolved, type Next, type Resolved } from "../step.ts";
import { closingSteps, forecastSteps, heedsAbort, stepIndex, steps } from "../steps.ts";
import { listEffects } from "../steps/list-effects.ts";
import { TurnState } from "./turn-state.ts";
import { plainJson } from "../../text/index.ts";

/**
 * Lets a scheduler delay a call after its effects are known and before it is judged. Resolves to true if other calls
 * ran meanwhile; undefined lets the call continue at once.
 */
export type Admit = (state: CallState) => Promise<boolean> | undefined;

export interface RunCallOptions {
  readonly options?: CallOptions;
  readonly turn?: TurnState;
  readonly admit?: Admit;
}

const noOptions: CallOptions = Object.freeze({});
/** Maximum number of times a call is sent back to an earlier step; beyond it, hooks or answers keep alternating. */
const maxReturns = 20;

/** Takes one call through every step. Never rejects: failures are reported in the outcome. */
export async function runCall(
  call: Call,
  environment: PipelineEnvironment,
  given: RunCallOptions = {},
): Promise<Outcome> {
  const state = begin(call, environment, given);
  state.stops.keep();
  try {
    if (state.fault !== undefined) throw state.fault;
    let returns = 0;
    for (let index = 0; index < steps.length; index += 1) {
      const step = steps[index];
      if (step === undefined) break;
      if (index > 0 && index < stepIndex.checkpoint && state.stops.isAborted) throw abortedBefore();
      if (step === decideCall && given.admit !== undefined)
        await orAborted(beAdmitted(state, environment, given.admit), state.stops);
      const returned = step(state, environment);
      let next: Next;
      // Until something may change, an abort ends the call even where a hook or a tool never answers.
      if (!(returned instanceof Promise)) next = returned;
      else if (index < stepIndex.checkpoint && !heedsAbort.has(step))
        next = await orAborted(returned, state.stops);
      else next = await returned;
      if (next !== undefined) {
        returns += 1;
        if (returns > maxReturns) throw inCircles();
        index = stepIndex[next] - 1;
      } else if (step === decideCall) {
        announce(state, environment);
      }
    }
  } catch (cause) {
    state.error = withFailure(toolErrorOf(cause), state.confined?.failure);
    if (state.error.code === "PERMISSION_DENIED" && state.decision?.kind === "deny")
      announce(state, environment);
  }
  try {
    return await close(state, environment);
  } finally {
    state.stops.close();
    environment.activeCallKeys.delete(state.key);
  }
}

/** Waits for admission. Earlier calls may have changed files meanwhile, so the effects are then listed again. */
async function beAdmitted(
  state: CallState,
  environment: PipelineEnvironment,
  admit: Admit,
): Promise<void> {
  for (let waited = admit(state); waited !== undefined; waited = admit(state)) {
    if (await waited) await listEffects(resolved(state), environment);
  }
}

/** Interprets a call as far as possible: nothing runs, the user is not asked, and no hook is called. */
export async function forecastCall(
  sent: Call,
  environment: PipelineEnvironment,
  given: RunCallOptions = {},
): Promise<CallState> {
  const { call, fault } = readCall(sent);
  const id = idOf(call, environment);
  const state = newState({ id, key: id, call, fault }, environment, given);
  try {
    if (state.fault !== undefined) throw state.fault;
    for (const step of forecastSteps) {
      const returned = step(state, environment);
      if (returned instanceof Promise) await returned;
    }
  } catch (cause) {
    state.error = toolErrorOf(cause);
  }
  return state;
}

/** A forecast with its decision; a denial is in `state.decision`, not an error. */
export async function explainCall(
  call: Call,
  environment: PipelineEnvironment,
  given: RunCallOptions = {},
): Promise<CallState> {
  const state = await forecastCall(call, environment, given);
  if (state.error !== undefined) return state;
  try {
    await foreseeHooks(resolved(state), environment);
    await decideCall(resolved(state), environment);
  } catch (cause) {
    if (state.decision === undefined) state.error = toolErrorOf(cause);
  }
  return state;
}

/** Adds what hooks would do about the call. */
async function foreseeHooks(state: Resolved, { hooks }: PipelineEnvironment): Promise<void> {
  const { id: callId, input, effects, tool } = state;
  const source = callSource(state);
  const call = { tool: tool.name, input, callId, effects, ...source };
  const found = await hooks.foresee?.(call);
  const notes = givenHooksNotes(hooks);
  if (found === undefined && notes.length === 0) return;
  const { blocks, ...hooked } = found ?? { blocks: undefined, trail: notes };
  if (blocks !== undefined) throw blockedByHook(state, blocks, { trail: hooked.trail });
  state.hooked = { ...state.hooked, ...hooked };
}

function begin(sent: Call, environment: PipelineEnvironment, given: RunCallOptions): CallState {
  const { call, fault } = readCall(sent);
  const id = idOf(call, environment);
  const state = newState({ id, key: ownKey(id, environment), call, fault }, environment, given);
  environment.emit({
    type: "call-start",
    callId: state.id,
    call: state.call,
    turn: state.options.turn,
    ...(state.options.trace === undefined ? {} : { trace: state.options.trace }),
    ...eventSource(state.options),
  });
  return state;
}

/** A key under which no call in progress stores anything. */
function ownKey(id: string, environment: PipelineEnvironment): string {
  let key = id;
  while (environment.activeCallKeys.has(key)) key = environment.newId(id);
  environment.activeCallKeys.add(key);
  return key;
}

function idOf({ id }: Call, environment: PipelineEnvironment): string {
  return id === undefined || id === "" ? environment.newId("call") : id;
}

function newState(
  { id, key, call, fault }: Pick<CallState, "id" | "key" | "call" | "fault">,
  environment: PipelineEnvironment,
  { options = noOptions, turn = new TurnState() }: RunCallOptions,
): CallState {
  return new CallState({ id, key, call, fault, options, turn, startedAt: environment.now() });
}

function announce(state: CallState, environment: PipelineEnvironment): void {
  if (state.tool === undefined || state.decision === undefined) return;
  const { effects, decision } = publicRecordOf(state, changeOf(environment));
  if (decision === undefined) return;
  environment.emit({
    type: "call-decided",
    callId: state.id,
    tool: state.tool.name,
    input: state.input,
    effects,
    decision,
    ...eventSource(state.options),
  });
}

async function close(state: CallState, environment: PipelineEnvironment): Promise<Outcome> {
  if (state.undo !== undefined || state.confined !== undefined) {
    await settleCheckpoint(state, environment);
  }
  if (state.tool?.undo !== undefined) await noteCompensation(state, environment);
  for (const step of closingSteps) {
    try {
      const returned = step(state, environment);
      if (returned instanceof Promise) await returned;
    } catch (cause) {
      // A failure while bounding must not lose the outcome: it is reported instead of the content.
      const error = toolErrorOf(cause);
      state.content = [{ type: "text", text: `${error.code}: ${error.message}` }];
      state.error ??= error;
    }
  }
  return record(state, environment);
}

/** Records the changes of a call that failed halfway too: undo matters most then. */
async function settleCheckpoint(state: CallState, environment: PipelineEnvironment): Promise<void> {
  try {
    const left = await environment.checkpoints?.after(state.key);
    // The programs' changes on an overlay are in the same record or in a separate one.
    state.undo = left && { callId: left.callId, level: left.level };
    state.undo ??= state.confined?.undo;
    const seen = seenChanges(left?.seen ?? [], state, environment);
    const notice = environment.checkpoints?.notice?.();
    const notes = [left?.note ?? [], seen, notice ?? []].flat();
    state.unkept = notes.length === 0 ? undefined : notes.join(" ");
  } catch (cause) {
    state.undo = { callId: state.key, level: "none" };
    state.error ??= toolErrorOf(cause);
  }
}

/** Records how the tool can undo the call. A failure here does not change the outcome of the completed call. */
async function noteCompensation(state: CallState, environment: PipelineEnvironment): Promise<void> {
  try {
    await keepCompensation(state, environment);
  } catch {
    state.undo ??= { callId: state.key, level: "none" };
  }
}

/** Combines the reason for a stop with the failure to apply the programs' changes. */
function withFailure(stopped: ToolError, failure: ToolError | undefined): ToolError {
  if (failure === undefined || stopped === failure) return stopped;
  const { message, hint, data } = failure;
  return new ToolError(stopped.code, `${stopped.message} ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    data: { ...data, ...stopped.data },
    retryable: stopped.retryable,
    cause: stopped,
  });
}

function inCircles(): ToolError {
  return new ToolError(
    "BLOCKED_BY_HOOK",
    `The input of this call was changed ${maxReturns} times and keeps changing.`,
    {
      hint: "A hook or the user keeps rewriting it; fix that first.",
    },
  );
}

/**
 * Stores the data that the tool needs to undo a call itself.
 *
 * Runs after the run, because only then are there changes to undo and an outcome to undo them with.
 */
async function keepCompensation(state: CallState, environment: PipelineEnvironment): Promise<void> {
  const { tool, result, error, options, key, input } = state;
  const { compensations } = environment;
  if (compensations === undefined || tool?.undo === undefined || !state.hasRun) return;
  if (error !== undefined || result === undefined || result.isError === true) return;
  const { content, structuredContent, metadata = {} } = result;
  const outcome = plainJson({ content, structuredContent, metadata }, (text) => text);
  const { sessionId, agentId } = options;
  const isKept =
    outcome !== undefined &&
    (await compensations.keep({
      callId: key,
      tool: tool.name,
      input,
      outcome,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
      at: environment.now(),
    }));
  if (isKept) state.undo ??= { callId: key, level: "full" };
}
