import { ToolError, type Answer, type Ask, type SaveScope } from "../../core/index.ts";
import { isObject } from "../../text/index.ts";

const scopes: ReadonlySet<unknown> = new Set([
  "session",
  "local",
  "project",
  "user",
] satisfies SaveScope[]);

/** Refuses an invalid answer: any other value from a terminal or a hook is not an approval. */
export function checkAnswer(
  answer: unknown,
  from: "hook" | "user",
  to: Ask["kind"] = "permission",
): Answer {
  if (isAnswerTo(to, answer)) return answer;
  const form = isObject(answer) ? `kind ${JSON.stringify(answer["kind"])}` : typeof answer;
  throw new ToolError("APPROVAL_REQUIRED", `The answer to the question is invalid (${form}).`, {
    hint:
      from === "hook"
        ? "Fix the permission hook; the call did not run."
        : "Fix the program that asks; the call did not run.",
  });
}

/** Whether a value is an answer, and one to a question of this kind. */
export function isAnswerTo(kind: Ask["kind"], value: unknown): value is Answer {
  const isFitting = kind === "question" || !isObject(value) || value["kind"] !== "answer";
  return isAnswer(value) && isFitting;
}

function isAnswer(answer: unknown): boolean {
  if (!isObject(answer)) return false;
  const { kind, rule, scope, reason } = answer;
  switch (kind) {
    case "once":
    case "abort":
      return true;
    case "save":
      return typeof rule === "string" && scopes.has(scope);
    case "deny":
    case "deny-all":
      return reason === undefined || typeof reason === "string";
    case "edit":
      return "input" in answer;
    case "answer":
      return isReply(answer);
    default:
      return false;
  }
}

/** Whether it has choices or a text: an empty reply answers nothing. */
function isReply({ choices, text }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(choices) || !choices.every((each) => typeof each === "string")) return false;
  if (text !== undefined && typeof text !== "string") return false;
  return choices.length > 0 || (text ?? "").trim() !== "";
}
