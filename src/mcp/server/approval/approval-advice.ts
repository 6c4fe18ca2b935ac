import type { EffectKind, Mode, Outcome, RuleScope } from "../../../core/index.ts";

/** Rule scopes that the user writes; a question raised elsewhere can be answered by a rule of the user. */
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
 * Advice on how the user can allow a call that nobody approved here, so that it runs next time without a question.
 * Undefined for every other outcome.
 */
export function approvalAdvice(outcome: Outcome): string | undefined {
  const { error, decision } = outcome;
  if (error?.code !== "APPROVAL_REQUIRED") return undefined;
  const start =
    error.data?.["asked"] === true
      ? "The client was asked and did not answer."
      : "This client cannot show permission questions.";
  const rule = decision?.rule;
  if (rule?.list === "ask" && written.has(rule.scope)) {
    const place = rule.file === undefined ? `${rule.scope} settings` : rule.file;
    return `${start} The ask rule ${rule.rule} (${place}) requires a user: this call runs only if the rule is changed.`;
  }
  const suggestion = error.data?.["suggestion"];
  const mode = modeFor(outcome);
  const byRule = typeof suggestion === "string" ? ruleWays(suggestion.split("\n")) : [];
  // If a rule can allow just this call, the advice does not name the mode that allows everything. A rule that names an
  // absolute path is about files outside the workspace, which no milder mode allows.
  const isOutside = typeof suggestion === "string" && suggestion.includes("(//");
  const isMild =
    mode !== undefined && (byRule.length === 0 || (mode !== "bypassPermissions" && !isOutside));
  const ways = [...byRule, ...(isMild ? [`by starting the server with --mode ${mode}`] : [])];
  const how = ways.length === 0 ? "with a rule that names it" : ways.join(", or ");
  return `${start} The user who runs the server can allow this call ${how}.`;
}

function ruleWays(rules: readonly string[]): readonly string[] {
  const options = rules.map((rule) => `--allow '${rule.replaceAll("'", String.raw`'\''`)}'`);
  return [
    `with the ${rules.length === 1 ? "rule" : "rules"} ${rules.join(" and ")} under permissions.allow`,
    `by starting the server with ${options.join(" ")}`,
  ];
}

/** The mildest mode that answers such a question; once untrusted content is involved, none does. */
function modeFor({ decision, effects }: Outcome): Mode | undefined {
  const scope = decision?.rule?.scope;
  if (scope === "taint" || scope === "ceiling") return undefined;
  const isEdit = effects.every(({ kind }) => editing.has(kind));
  return isEdit && scope !== "boundary" ? "acceptEdits" : "bypassPermissions";
}
