import type { Call, Effect, Explanation, Finding } from "../../index.ts";
import { describeEffect, shellQuoted } from "./describe-effect.ts";
import { visibleText } from "./visible-text.ts";
import type { Style, Terminal } from "../terminal.ts";

type Verdict = Finding["verdict"];

const colours = {
  allow: "green",
  ask: "yellow",
  deny: "red",
  note: "dim",
} as const satisfies Record<Verdict, Style>;

const strictestFirst: readonly Verdict[] = ["deny", "ask", "allow", "note"];

/** Describes for the user what a call would touch, the decision, and why. */
export function describeExplanation(
  explanation: Explanation,
  call: Call,
  { workspace, terminal }: { readonly workspace: string; readonly terminal: Terminal },
): string {
  const { tool = call.name, repairs, effects, decision, error } = explanation;
  const mark = (verdict: Verdict | undefined): string =>
    verdict === undefined ? "     " : terminal.style(colours[verdict], verdict.padEnd(5), "out");
  const lines: string[] = [];
  if (error !== undefined) {
    lines.push(
      terminal.style("bold", `${tool}: ${error.code}`, "out"),
      indented(visibleText(error.message)),
    );
    if (error.hint !== undefined) lines.push(indented(visibleText(error.hint)));
    return `${lines.join("\n")}\n`;
  }
  lines.push(terminal.style("bold", `${tool}: ${decision?.kind ?? "no decision"}`, "out"));
  for (const { message } of repairs) lines.push(`  repaired ${oneLine(message)}`);
  if (effects.length === 0) lines.push("  It touches nothing.");
  const trail = decision?.trail ?? [];
  for (const effect of effects) {
    const text = oneLine(describeEffect(effect, workspace));
    lines.push(`  ${mark(verdictOn(effect, trail))}  ${text}`);
  }
  if (trail.length > 0) lines.push("", "Why");
  for (const finding of reasons(trail)) {
    const rule = ruleText(finding);
    lines.push(`  ${mark(finding.verdict)}  ${oneLine(finding.text)}`);
    if (rule !== undefined) lines.push(`         ${terminal.style("dim", oneLine(rule), "out")}`);
  }
  if (decision?.kind === "ask") {
    const rules = decision.suggestion?.split("\n") ?? [];
    const steps = [
      ...new Set(trail.flatMap(({ verdict, hint }) => (verdict === "ask" ? (hint ?? []) : []))),
      ...rules.map((rule) => `--allow ${shellQuoted(rule)}`),
    ];
    if (steps.length > 0)
      lines.push("", "To allow it", ...steps.map((step) => `  ${oneLine(step)}`));
  }
  return `${lines.join("\n")}\n`;
}

/** Text of a model in one line: it must not look like a line of haft. */
function oneLine(text: string): string {
  return visibleText(text).replaceAll("\n", "\u240A");
}

function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}

/** Returns the strictest verdict on an effect. If a denial names another effect, this one has no verdict. */
function verdictOn(effect: Effect, trail: readonly Finding[]): Verdict | undefined {
  const text = JSON.stringify(effect);
  const said = trail.filter((finding) => JSON.stringify(finding.effect) === text);
  return strictestFirst.find((verdict) => said.some((finding) => finding.verdict === verdict));
}

/** Returns every reason once, the strictest first. */
function reasons(trail: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const finding of trail) {
    const key = `${finding.verdict} ${finding.text} ${ruleText(finding) ?? ""}`;
    if (!first.has(key)) first.set(key, finding);
  }
  return [...first.values()].toSorted(
    (one, other) => strictestFirst.indexOf(one.verdict) - strictestFirst.indexOf(other.verdict),
  );
}

function ruleText({ rule, text }: Finding): string | undefined {
  if (rule === undefined || (rule.scope === "hook" && text.includes(rule.rule))) return undefined;
  const { list, scope, file, line } = rule;
  const place = file === undefined ? scope : `${file}${line === undefined ? "" : `:${line}`}`;
  return `${list} rule ${rule.rule} (${place})`;
}
