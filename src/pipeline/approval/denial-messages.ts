import { ToolError, type Ask, type Decision, type Finding } from "../../core/index.ts";
import { denialCode, explainDecision, isFixed } from "../../policy/index.ts";

/** The answer to a call that a rule, a mode or the floor denies; the reason is the decision's own. */
export function deniedByRules(
  tool: string,
  decision: Extract<Decision, { kind: "deny" }>,
): ToolError {
  return new ToolError(denialCode(decision), `${tool} was not run: ${decision.reason}`, {
    hint: hookHint(decision.trail) ?? hintOf(decision),
    data: { rule: decision.rule, trail: explainDecision(decision) },
  });
}

function hintOf(decision: Extract<Decision, { kind: "deny" }>): string {
  if (isFixed(decision)) return noWay;
  const { scope } = decision.rule;
  if (scope === "ceiling") return beyondLimit;
  return scope === "mode" ? changeMode : changeRule;
}

const noWay = "Do it another way; no rule and no mode can allow this.";
const changeRule =
  "Do it another way, or ask the user to change the rule; repeating the call will not help.";
const changeMode =
  "Do it another way, or ask the user to change the mode; repeating the call will not help.";
/** A limit of a skill, a command or an agent ends with its work, and no rule of the user lifts it. */
const beyondLimit =
  "Finish what is allowed and say what is left to do; repeating the call will not help.";

/** Hint of a call about which a hook asks, which no rule and no mode allows; undefined for any other. */
function hookHint(trail: readonly Finding[]): string | undefined {
  const hints = trail.flatMap(({ verdict, rule, hint }) =>
    verdict === "ask" && rule?.scope === "hook" ? (hint ?? []) : [],
  );
  const [first] = hints;
  return first === undefined ? undefined : `Do it another way, or ask the user. ${first}`;
}

/** Hint of a call that hooks block, which names the first of them unless the message does. */
export function blockedHint(trail: readonly Finding[], message: string): string {
  const name = trail.find(({ verdict }) => verdict === "deny")?.rule?.rule;
  const hook = name === undefined || message.includes(name) ? "the hook" : `the hook ${name}`;
  return `Do something else, or ask the user to change ${hook}.`;
}

/** The answer to a call that the user refused. */
export function deniedByUser(reason: string | undefined): ToolError {
  const refusal = withReason("The user said no", reason);
  return new ToolError("DENIED_BY_USER", isGiven(reason) ? refusal : `${refusal}.`, {
    hint: "Respect the answer: do something else, or ask what they would prefer.",
  });
}

/** A refusal, followed by the reason of the user if there is one. */
export function withReason(refusal: string, reason: string | undefined): string {
  return isGiven(reason) ? `${refusal}: ${reason}` : refusal;
}

function isGiven(reason: string | undefined): reason is string {
  return reason !== undefined && reason !== "";
}

/** The answer to a call that needs approval while no user can give it, with the rule that would allow it. */
export function approvalRequired(tool: string, question: Ask): ToolError {
  const rule = question.suggestion;
  return new ToolError(
    "APPROVAL_REQUIRED",
    `${tool} needs approval, and no user is available to give it: ${question.reason}`,
    {
      hint:
        hookHint(question.trail) ??
        (rule === undefined
          ? "Run it where the user can answer, or in a mode that allows it."
          : `The user can allow it with ${ruleWords(rule)}, or by a mode that allows it.`),
      data: rule === undefined ? {} : { suggestion: rule },
    },
  );
}

/** The answer to a call after the user ended the turn. */
export function turnEnded(): ToolError {
  return new ToolError("ABORTED", "The user ended this turn; the call was not run.", {
    hint: "Wait for what the user says next.",
  });
}

/** A suggestion may be several rules, one a line. */
function ruleWords(suggestion: string): string {
  const rules = suggestion.split("\n");
  return rules.length === 1 ? `the rule ${suggestion}` : `the rules ${rules.join(" and ")}`;
}
