import type { Effect } from "../core/index.ts";
import type { CommandAnalysis } from "./analyse.ts";

/** A longer command is nothing a person has read, so it is asked about whatever the rules say. */
const maxAnswerable = 10_000;

/**
 * What a call that runs the command touches: its effects, what no mode may do as an effect of its own, and the
 * shell itself where it starts nothing else.
 */
export function callEffects(analysis: CommandAnalysis): readonly Effect[] {
  const { input, effects, findings } = analysis;
  const more: Effect[] = [];
  for (const { rule, text, span } of findings) {
    if (rule !== "floor") continue;
    more.push({ kind: "unknown", because: text, origin: "Bash", span, floor: true });
  }
  if (input.length > maxAnswerable) {
    const because = `the command is longer than ${maxAnswerable} characters`;
    more.push({ kind: "unknown", because, origin: "Bash", alwaysAsks: true });
  }
  if (!effects.some(({ kind }) => kind === "execute")) more.push(shellItself(input));
  return more.length === 0 ? effects : [...effects, ...more];
}

/** A text that starts no program, such as `x=1` or `> file`, still takes a shell, which does only that. */
function shellItself(input: string): Effect {
  return {
    kind: "execute",
    argv: ["bash", "-c", input],
    assigns: [],
    via: [],
    consequences: "listed",
    span: { start: 0, end: input.length },
  };
}
