import { ToolError, type Answer, type SaveScope } from "../../core/index.ts";

const scopes: ReadonlySet<unknown> = new Set([
  "session",
  "local",
  "project",
  "user",
] satisfies SaveScope[]);

/** Refuses an invalid answer: any other value from a terminal or a hook is not an approval. */
export function checkAnswer(answer: Answer, from: "hook" | "person"): Answer {
  if (isAnswer(answer)) return answer;
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
    default:
      return false;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
