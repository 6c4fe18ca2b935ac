import type { Decision } from "../../core/index.ts";
import { describeRule } from "./describe.ts";

/** The reasoning behind a decision, a line each, in the order it was taken; the last line is the verdict. */
export function explainDecision(decision: Decision): string[] {
  const lines = decision.trail.map(({ verdict, text }) => `${verdict}: ${text}`);
  switch (decision.kind) {
    case "allow":
      lines.push(`Allowed by ${describeRule(decision.rule)}.`);
      break;
    case "ask":
      lines.push(
        decision.suggestion === undefined
          ? `Asked: ${decision.question}`
          : `Asked: ${decision.question} To allow it from now on: ${decision.suggestion.split("\n").join(", ")}`,
      );
      break;
    case "deny":
      lines.push(`Denied by ${describeRule(decision.rule)}.`);
      break;
  }
  return lines;
}
