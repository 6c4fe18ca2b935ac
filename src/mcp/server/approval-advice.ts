import type { EffectKind, Outcome, RuleScope } from "../../core/index.ts";

/** Scopes a person writes rules in; what asks from elsewhere can be answered by a rule of theirs. */
const written: ReadonlySet<RuleScope> = new Set([
  "managed",
  "option",
  "session",
  "local",
  "project",
  "user",
]);

const editing: ReadonlySet<EffectKind> = new Set(["read", "write", "interact"]);

/**
 * What a person can do so that a call nobody could approve here runs the next time. Undefined for every
 * other outcome.
 */
export function approvalAdvice({ error, decision, effects }: Outcome): string | undefined {
  if (error?.code !== "APPROVAL_REQUIRED") return undefined;
  const start = "Nobody can answer a permission question through this server.";
  const rule = decision?.rule;
  if (rule?.list === "ask" && written.has(rule.scope)) {
    const place = rule.file === undefined ? `${rule.scope} settings` : rule.file;
    return `${start} The ask rule ${rule.rule} (${place}) wants a person: this call runs only if the rule is changed.`;
  }
  const suggestion = error.data?.["suggestion"];
  const mode = effects.every(({ kind }) => editing.has(kind)) ? "acceptEdits" : "bypassPermissions";
  const byMode = `starting the server with --mode ${mode}`;
  return typeof suggestion === "string"
    ? `${start} The person who runs it can allow this call with the rule ${suggestion} under permissions.allow, or by ${byMode}.`
    : `${start} The person who runs it can allow this call by ${byMode}.`;
}
