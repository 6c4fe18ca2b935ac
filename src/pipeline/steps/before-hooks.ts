import { ToolError, type Finding, type RuleRef } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import {
  notHooked,
  toolOf,
  type UnderstoodCall,
  type JudgedCall,
  type StateOf,
} from "../call-state.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import type { BeforeHook, BeforeHookAnswer } from "../environment/hooks.ts";
import { callSource } from "../event-source.ts";
import { withinHookTime } from "../run/run-hook.ts";
import type { Next, Step } from "../step.ts";

type Own = UnderstoodCall & Pick<JudgedCall, "decision">;
type State = StateOf<Own>;

/**
 * Lets hooks rewrite the input, block the call, or have a say in its decision.
 *
 * Runs before effects and rules, so that the rewritten input is judged. A hook that fails or does not answer blocks
 * the call: neither counts as approval.
 */
export const beforeHooks: Step<Own> = (state, environment) => {
  const { before } = environment.hooks;
  if (before === undefined || before.length === 0 || state.isHooked) return undefined;
  return runHooks(state, environment, before);
};

async function runHooks(
  state: State,
  environment: PipelineEnvironment,
  before: readonly BeforeHook[],
): Promise<Next> {
  const tool = toolOf(state).name;
  let isRewritten = false;
  state.hooked = notHooked;
  for (const hook of before) {
    const answer = await answerOf(hook, state, environment);
    if (answer === undefined) continue;
    if ("block" in answer) throw blocked(state, `A hook blocked ${tool}: ${answer.block}`);
    if ("verdict" in answer) {
      const { verdict, reason = "No reason was given.", context, trail = [] } = answer;
      if (verdict === "deny") throw blocked(state, `A hook blocked ${tool}: ${reason}`, { trail });
      const { hooked } = state;
      state.hooked = {
        ...hooked,
        ...(verdict === "allow" ? { allows: reason } : {}),
        ...(verdict === "ask" ? { asks: reason } : {}),
        contexts: context === undefined ? hooked.contexts : [...hooked.contexts, context],
        trail: [...hooked.trail, ...trail],
      };
    }
    if (!("input" in answer)) continue;
    state.input = answer.input;
    isRewritten = true;
  }
  state.isHooked = true;
  return isRewritten ? "validate" : undefined;
}

async function answerOf(
  hook: BeforeHook,
  state: State,
  environment: PipelineEnvironment,
): Promise<BeforeHookAnswer> {
  const tool = toolOf(state).name;
  let answer: BeforeHookAnswer;
  try {
    // Sequential: each hook sees the input as rewritten by the previous one.
    const answering = hook({ tool, input: state.input, callId: state.id, ...callSource(state) });
    answer =
      answering === undefined || isBeforeHookAnswer(answering)
        ? answering
        : await withinHookTime(Promise.resolve(answering), environment, hook.timeoutMs);
  } catch (cause) {
    throw blocked(state, `A hook failed before ${tool} ran: ${messageOf(cause)}.`, {
      hint: "Fix the hook; do not repeat the call.",
      cause,
    });
  }
  if (answer === undefined || isBeforeHookAnswer(answer)) return answer;
  throw blocked(state, `The before hook for ${tool} returned an invalid value.`, {
    hint: "The hook must answer { input }, { block }, { verdict } or nothing; do not repeat the call.",
  });
}

const hookRule: RuleRef = Object.freeze({ rule: "hook", list: "deny", scope: "hook" });

/** A block is a decision like that of a rule, so that its trail is recorded with the outcome. */
function blocked(
  state: State,
  message: string,
  {
    trail = [],
    ...more
  }: { readonly trail?: readonly Finding[]; readonly hint?: string; readonly cause?: unknown } = {},
): ToolError {
  const finding: Finding = { verdict: "deny", text: message, rule: hookRule };
  const findings = [...state.hooked.trail, ...(trail.length === 0 ? [finding] : trail)];
  state.decision = { kind: "deny", rule: hookRule, reason: message, trail: findings };
  return new ToolError("BLOCKED_BY_HOOK", message, {
    hint: "Do something else, or ask the user to change the hook.",
    ...more,
  });
}

const verdicts: ReadonlySet<unknown> = new Set(["allow", "ask", "deny", "none"]);

/** A hook is external code whose types may not have been checked. */
function isBeforeHookAnswer(answer: unknown): answer is NonNullable<BeforeHookAnswer> {
  if (typeof answer !== "object" || answer === null) return false;
  return "verdict" in answer
    ? verdicts.has(answer.verdict)
    : "block" in answer || "input" in answer;
}
