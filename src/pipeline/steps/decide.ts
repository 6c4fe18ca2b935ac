import type { Decision, Finding, RuleRef } from "../../core/index.ts";
import { decide, refusesQuestions, ruleTextProblem, type Boundary } from "../../policy/index.ts";
import { deniedByRules } from "../approval/denial-messages.ts";
import type { JudgingParts, PipelineEnvironment } from "../environment/environment.ts";
import { sentenceOf } from "../../text/index.ts";
import type { StateOf, Step } from "../step.ts";

type Sets = "decision" | "grant";
type State = StateOf<Sets, "tool" | "hooked" | "effects">;

/**
 * Holds the call's effects against the rules.
 *
 * After everything that can change the input, before anything is touched. What it refuses leaves nothing to
 * undo.
 */
export const decideCall: Step<Sets, "tool" | "hooked" | "effects" | "unmarked", "decision"> = (
  state,
  environment,
) => {
  judge(state, environment);
  return undefined;
};

/** Decides by the rules as they are now; throws what a denial says to the model. */
export function judge(state: State, environment: PipelineEnvironment): void {
  const { tool } = state;
  const suggested = suggestionOf(state, environment);
  const decision = decide({
    tool,
    input: state.input,
    effects: state.effects,
    requested: state.requested,
    rules: environment.rules(),
    mode: environment.mode(),
    boundary: boundaryOf(state, environment),
    trusted: environment.trusted,
    taint: environment.taint(state.options.sessionId),
    builtIn: environment.builtIn,
    ceilings: ceilingsOf(state, environment),
    agent: state.options.agentId,
    now: environment.now(),
    suggested,
  });
  if (decision.kind === "ask" && suggested !== undefined && decision.suggestion !== suggested) {
    // Only a suggestion that was not used can be invalid, so a valid one is parsed once.
    const why = ruleTextProblem(suggested);
    if (why !== undefined) environment.onBadSuggestion?.(tool.name, why);
  }
  const heard = withHooks(decision, state, environment);
  state.decision = heard;
  switch (heard.kind) {
    case "allow":
    case "ask":
      state.grant = heard.grant;
      return;
    case "deny":
      state.grant = undefined;
      throw deniedByRules(tool.name, heard);
  }
}

/** The decision of the rules, with what hooks said about the call: they may ask for a question, never overrule one. */
function withHooks(decision: Decision, state: State, environment: PipelineEnvironment): Decision {
  const { asks, trail } = state.hooked;
  if (trail.length === 0 && asks === undefined) return decision;
  const heard = { ...decision, trail: [...decision.trail, ...trail] };
  // A rule that allows the call answers only one of two questions, so the user reads both reasons.
  if (asks !== undefined && heard.kind === "ask")
    return { ...heard, reason: `${heard.reason} ${asks}` };
  if (asks === undefined || heard.kind !== "allow") return heard;
  const { trusted } = environment;
  const agent = state.options.agentId;
  const ceilings = ceilingsOf(state, environment);
  const [rules, mode, boundary] = [environment.rules(), environment.mode(), environment.boundary()];
  if (refusesQuestions({ rules, mode, trusted, boundary, agent, ceilings })) {
    const reason = `${asks} ${mode} mode refuses instead of asking.`;
    const rule: RuleRef = { rule: mode, list: "deny", scope: "mode" };
    const finding: Finding = { verdict: "deny", text: reason, rule };
    return { kind: "deny", rule, reason, trail: [...heard.trail, finding] };
  }
  const question = `Allow ${state.tool.name}?`;
  return { kind: "ask", question, reason: asks, grant: heard.grant, trail: heard.trail };
}

/** Ceilings of the kit, and those that apply to this call for a time. */
function ceilingsOf(
  { options }: State,
  { ceilings, activeCeilings }: JudgingParts,
): PipelineEnvironment["ceilings"] {
  const active = activeCeilings?.(options) ?? [];
  return active.length === 0 ? ceilings : [...(ceilings ?? []), ...active];
}

/** The boundary, with the protected paths that only this call writes. */
function boundaryOf({ gitParts }: State, environment: PipelineEnvironment): Boundary {
  const boundary = environment.boundary();
  if (gitParts === undefined) return boundary;
  return { ...boundary, protected: [...(boundary.protected ?? []), ...gitParts] };
}

/** The tool's own idea of a rule; a tool that fails to have one has none. */
function suggestionOf(state: State, environment: PipelineEnvironment): string | undefined {
  const { tool } = state;
  if (tool.suggestRule === undefined) return undefined;
  try {
    const suggested: unknown = tool.suggestRule(state.input);
    if (suggested === undefined || typeof suggested === "string") return suggested;
    environment.onBadSuggestion?.(tool.name, "it returned something other than a text.");
  } catch (error) {
    environment.onBadSuggestion?.(tool.name, sentenceOf(error));
  }
  return undefined;
}
