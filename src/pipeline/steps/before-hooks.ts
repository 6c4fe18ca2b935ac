import { ToolError, type Finding, type RuleRef } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import { notHooked } from "../call-state.ts";
import type { CallPlace, PipelineEnvironment } from "../environment/environment.ts";
import type { BeforeHook, BeforeHookAnswer } from "../environment/hooks.ts";
import { callSource } from "../event-source.ts";
import { blockedHint } from "../approval/denial-messages.ts";
import type { Next, StateOf, Step } from "../step.ts";

/** Milliseconds a hook has to decide whether a call may continue. */
export const hookMs = 60_000;

/** Resolves to a hook's answer, or rejects once it has taken too long; a later answer is dropped. */
async function withinHookTime<T>(
  answering: Promise<T>,
  { host }: CallPlace,
  ms = hookMs,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const cancel = host.clock.timer(ms, () =>
    reject(new Error(`it did not answer within ${ms / 1000} s`)),
  );
  try {
    return await Promise.race([answering, promise]);
  } finally {
    cancel();
  }
}

/** A call that a hook blocks has a decision already. */
type Sets = "input" | "hooksRan" | "hooked" | "decision";
type State = StateOf<Sets, "tool" | "valid">;

/**
 * Lets hooks rewrite the input, block the call, or have a say in its decision.
 *
 * Runs before effects and rules, so that the rewritten input is judged. A hook that fails or does not answer blocks
 * the call: neither counts as approval.
 */
export const beforeHooks: Step<Sets, "tool" | "valid", "hooked"> = (state, environment) => {
  const { before } = environment.hooks;
  if (before === undefined || before.length === 0 || state.hooksRan) return undefined;
  return runHooks(state, environment, before);
};

async function runHooks(
  state: State,
  environment: PipelineEnvironment,
  before: readonly BeforeHook[],
): Promise<Next> {
  const tool = state.tool.name;
  let isRewritten = false;
  state.hooked = notHooked;
  for (const hook of before) {
    const answer = await answerOf(hook, state, environment);
    if (answer === undefined) continue;
    if ("block" in answer) throw blockedByHook(state, `A hook blocked ${tool}: ${answer.block}`);
    if ("verdict" in answer) {
      const { verdict, reason = "No reason was given.", context, trail = [] } = answer;
      if (verdict === "deny")
        throw blockedByHook(state, `A hook blocked ${tool}: ${reason}`, { trail });
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
  state.hooksRan = true;
  return isRewritten ? "validate" : undefined;
}

async function answerOf(
  hook: BeforeHook,
  state: State,
  environment: PipelineEnvironment,
): Promise<BeforeHookAnswer> {
  const tool = state.tool.name;
  let answer: BeforeHookAnswer;
  try {
    // Sequential: each hook sees the input as rewritten by the previous one.
    const answering = hook({ tool, input: state.input, callId: state.id, ...callSource(state) });
    answer =
      answering === undefined || isBeforeHookAnswer(answering)
        ? answering
        : await withinHookTime(Promise.resolve(answering), environment, hook.timeoutMs);
  } catch (cause) {
    throw blockedByHook(state, `A hook failed before ${tool} ran: ${messageOf(cause)}.`, {
      hint: "Fix the hook; do not repeat the call.",
      cause,
    });
  }
  if (answer === undefined || isBeforeHookAnswer(answer)) return answer;
  throw blockedByHook(state, `The before hook for ${tool} returned an invalid value.`, {
    hint: "The hook must answer { input }, { block }, { verdict } or nothing; do not repeat the call.",
  });
}

const hookRule: RuleRef = Object.freeze({ rule: "hook", list: "deny", scope: "hook" });

/** A block is a decision like that of a rule, so that its trail is recorded with the outcome. */
export function blockedByHook(
  state: Pick<State, "hooked" | "decision">,
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
    hint: blockedHint(trail, message),
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
