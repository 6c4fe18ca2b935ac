import { seenFiles, type ContentPart, type HookChange } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import type { CallPlace, PipelineEnvironment } from "../environment/environment.ts";
import type { AfterHookAnswer } from "../environment/hooks.ts";
import { callSource } from "../event-source.ts";
import { outcomeOf } from "../outcome/build-outcome.ts";
import { bound, charsLeft } from "./bound.ts";
import { isContent } from "../outcome/validate-result.ts";
import type { Next, StateOf, Step } from "../step.ts";

/** The result and the error are those of the hooks while their content is bounded. */
type Sets =
  | "content"
  | "structured"
  | "isStructuredTaken"
  | "artifact"
  | "trust"
  | "error"
  | "result"
  | "told";
type State = StateOf<Sets, "ended">;

/**
 * Lets hooks see the bounded answer, replace it, or add to it.
 *
 * Runs after bound, so that a hook sees the same content as the model; its replacement is bounded again. The call
 * is complete, so a failing hook cannot undo it: its failure is reported along with the answer.
 */
export const afterHooks: Step<Sets, "ended" | "content"> = (state, environment) => {
  const { after = [] } = environment.hooks;
  const { contexts } = state.hooked;
  const { tool } = state;
  if (after.length + contexts.length === 0 || tool === undefined) return undefined;
  return runHooks(state, environment, tool.name);
};

async function runHooks(
  state: State,
  environment: PipelineEnvironment,
  tool: string,
): Promise<Next> {
  const { contexts } = state.hooked;
  if (contexts.length > 0) await show(state, environment, { context: contexts.join("\n") });
  const { after = [] } = environment.hooks;
  const { key: callId, startedAt } = state;
  const tracker = state.undo && environment.checkpoints?.trackHookChanges?.({ callId, startedAt });
  for (const hook of after) {
    let answer: AfterHookAnswer | undefined;
    try {
      const outcome = outcomeOf(state, environment);
      const call = { tool, input: state.input, callId: state.id, ...callSource(state) };
      const answering = hook({ ...call, outcome }, tracker?.onProgramStart);
      answer = checked(
        answering instanceof Promise ? await orGivenUp(answering, state, environment) : answering,
      );
    } catch (cause) {
      const message = messageOf(cause);
      answer = { context: `(A hook failed after this call: ${message})` };
    }
    if (answer === undefined) continue;
    await show(state, environment, answer);
  }
  const note = tracker && (await noteOf(await tracker.end(), state, environment));
  if (note !== undefined) await show(state, environment, { context: note });
  return undefined;
}

/**
 * Tells the model what changed in the files of the call while programs of its hooks ran, as a formatter does. Its session
 * knows the files as they are now where the change belongs to the call, and undo covers it there.
 */
async function noteOf(
  changes: readonly HookChange[],
  state: State,
  environment: PipelineEnvironment,
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  const { options, result } = state;
  const hookChanges = changes.flatMap(({ path, isPart }) => (isPart ? [path] : []));
  if (result !== undefined && hookChanges.length > 0)
    state.result = { ...result, metadata: { ...result.metadata, hookChanges } };
  const seen =
    options.services?.get(seenFiles) ?? environment.services(options.sessionId).get(seenFiles);
  const maxChars = charsLeft(state, environment);
  return await environment.noteHookChanges?.(changes, { seen, cwd: environment.cwd, maxChars });
}

/** A hook written in plain JavaScript may return anything. */
function checked(answer: AfterHookAnswer | undefined): AfterHookAnswer | undefined {
  if (answer === undefined) return undefined;
  const isAnswer =
    typeof answer === "object" &&
    answer !== null &&
    isShowable(answer.content, isContent) &&
    isShowable(answer.context, () => false);
  if (isAnswer) return answer;
  throw new TypeError("it must answer { content }, { context } or nothing.");
}

function isShowable(value: unknown, isMore: (value: unknown) => boolean): boolean {
  return value === undefined || typeof value === "string" || isMore(value);
}

/** Milliseconds a hook has once its call is aborted. */
const graceMs = 1000;

/** A completed call must not wait forever for a hook, so an aborted call waits only briefly. */
async function orGivenUp<T>(
  answering: Promise<T>,
  { options: { signal } }: State,
  { host }: CallPlace,
): Promise<T> {
  if (signal === undefined) return await answering;
  const { promise, reject } = Promise.withResolvers<never>();
  let cancel: (() => void) | undefined;
  const onAbort = (): void => {
    cancel = host.clock.timer(graceMs, () => reject(new Error("it did not answer.")));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([answering, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    cancel?.();
  }
}

async function show(
  state: State,
  environment: PipelineEnvironment,
  { content, context }: AfterHookAnswer,
): Promise<void> {
  let shown: readonly ContentPart[] = state.content;
  if (content !== undefined)
    shown = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (context !== undefined) shown = [...shown, { type: "text", text: context }];
  const { error, result } = state;
  // Bound reads the result, so the content from the hooks temporarily replaces it.
  state.error = undefined;
  state.result = { ...result, content: shown };
  await bound(state, environment);
  state.error = error;
  state.result = result;
}
