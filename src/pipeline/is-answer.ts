import type { Answer } from "../core/index.ts";

/** Whether a value is an answer to a question: it comes from outside, where no compiler looked. */
export function isAnswer(value: unknown): value is Answer {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false;
  switch (value.kind) {
    case "once":
    case "abort":
      return true;
    case "deny":
    case "deny-all":
      return !("reason" in value) || value.reason === undefined || typeof value.reason === "string";
    case "edit":
      return "input" in value;
    case "save":
      return (
        "rule" in value &&
        typeof value.rule === "string" &&
        "scope" in value &&
        scopes.has(value.scope)
      );
    default:
      return false;
  }
}

const scopes: ReadonlySet<unknown> = new Set(["session", "local", "project", "user"]);
