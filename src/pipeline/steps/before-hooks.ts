import { ToolError } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { toolOf, type CallState } from "../call-state.ts";
import type { BeforeHookAnswer, PipelineEnvironment } from "../environment.ts";
import { withinHookTime } from "./run-hook.ts";
import type { Next, Step } from "../step.ts";

/**
 * Lets hooks rewrite the input or block the call.
 *
 * Runs before effects and rules, so that the rewritten input is judged. A hook that fails or does not answer blocks
 * the call: neither counts as approval.
 */
export const beforeHooks: Step = (state, environment) => {
  const { before } = environment.hooks;
  if (before === undefined || before.length === 0 || state.isHooked) return undefined;
  return runHooks(state, environment);
};

async function runHooks(state: CallState, environment: PipelineEnvironment): Promise<Next> {
  const { hooks } = environment;
  const tool = toolOf(state).name;
  let isRewritten = false;
  for (const hook of hooks.before ?? []) {
    let answer: BeforeHookAnswer;
    try {
      // Sequential: each hook sees the input as rewritten by the previous one.
      const answering = hook({ tool, input: state.input, callId: state.id });
      answer =
        answering === undefined || isBeforeHookAnswer(answering)
          ? answering
          : await withinHookTime(Promise.resolve(answering), environment);
    } catch (cause) {
      throw new ToolError(
        "BLOCKED_BY_HOOK",
        `A hook failed before ${tool} ran: ${messageOf(cause)}.`,
        {
          hint: "Fix the hook; do not repeat the call.",
          cause,
        },
      );
    }
    if (answer === undefined) continue;
    if (!isBeforeHookAnswer(answer)) {
      throw new ToolError(
        "BLOCKED_BY_HOOK",
        `The before hook for ${tool} returned an invalid value.`,
        {
          hint: "The hook must answer { input }, { block } or nothing; do not repeat the call.",
        },
      );
    }
    if ("block" in answer) {
      throw new ToolError("BLOCKED_BY_HOOK", `A hook blocked ${tool}: ${answer.block}`, {
        hint: "Do something else, or ask the person to change the hook.",
      });
    }
    state.input = answer.input;
    isRewritten = true;
  }
  state.isHooked = true;
  return isRewritten ? "validate" : undefined;
}

/** A hook is external code whose types may not have been checked. */
function isBeforeHookAnswer(answer: unknown): answer is NonNullable<BeforeHookAnswer> {
  return typeof answer === "object" && answer !== null && ("block" in answer || "input" in answer);
}
