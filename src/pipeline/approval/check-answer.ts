import { ToolError, type Answer, type Ask, type SaveScope } from "../../core/index.ts";

const scopes: ReadonlySet<unknown> = new Set([
  "session",
  "local",
  "project",
  "user",
] satisfies SaveScope[]);

/** Refuses an invalid answer: any other value from a terminal or a hook is not an approval. */
export function checkAnswer(
  answer: Answer,
  from: "hook" | "person",
  to: Ask["kind"] = "permission",
): Answer {
  const isFitting = to === "question" || !isRecord(answer) || answer["kind"] !== "answer";
  if (isAnswer(answer) && isFitting) return answer;
  const kind = isRecord(answer) ? JSON.stringify(answer["kind"]) : typeof answer;
  throw new ToolError(
    "APPROVAL_REQUIRED",
    `The question was answered with ${kind}, which is not an answer.`,
    {
      hint:
        from === "hook"
          ? "Fix the permission hook; the call did not run."
          : "Fix the program that asks; the call did not run.",
    },
  );
}

function isAnswer(answer: unknown): boolean {
  if (!isRecord(answer)) return false;
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
