import type { HookEvent } from "./hook-events.ts";

export interface HookMatcher {
  /** As written; "" if it matches everything. */
  readonly text: string;
  readonly matches: (names: readonly string[]) => boolean;
}

type Report = (what: {
  readonly severity?: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
}) => void;

/** Longest matcher: a name of a tool has at most 64 characters. */
const maxLength = 2000;

/**
 * Reads a matcher: nothing or `*` matches everything; letters, digits, `_`, `-`, `,`, `|` and spaces are exact names;
 * anything else is a regular expression that may match anywhere in a name. Returns undefined if it cannot be read.
 */
export function readMatcher(
  value: unknown,
  event: HookEvent,
  report: Report,
): HookMatcher | undefined {
  if (value === undefined || value === "" || value === "*") return everything;
  if (typeof value !== "string" || value.length > maxLength) {
    report({
      message: `A matcher is a text of at most ${maxLength} characters.`,
      hint: 'Write "Edit|Write", or leave it out to match everything.',
    });
    return undefined;
  }
  if (event.matches === undefined) {
    const message = `Hooks for ${event.name} have no matcher; it is ignored.`;
    report({ severity: "warning", message });
    return everything;
  }
  if (/^[\w\- ,|]+$/u.test(value)) {
    const names = new Set(
      value
        .split(/[|,]/u)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    );
    return { text: value, matches: (given) => given.some((name) => names.has(name)) };
  }
  let expression: RegExp;
  try {
    expression = new RegExp(value, "u");
  } catch {
    try {
      // Some expressions of the reference format are valid only without the stricter syntax of `u`.
      // oxlint-disable-next-line require-unicode-regexp
      expression = new RegExp(value);
    } catch (error) {
      report({
        message: `The matcher ${JSON.stringify(value)} is not a regular expression: ${error instanceof Error ? error.message : ""}.`,
        hint: "Correct it, or write names separated by |.",
      });
      return undefined;
    }
  }
  if (!/[\^$]/u.test(value)) {
    report({
      severity: "warning",
      message: `The matcher ${JSON.stringify(value)} is a regular expression that may match anywhere in a name.`,
      hint: `Write "^(?:${value})$" to match whole names.`,
    });
  }
  return { text: value, matches: (given) => given.some((name) => expression.test(name)) };
}

const everything: HookMatcher = { text: "", matches: () => true };
