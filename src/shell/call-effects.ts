import type { Effect, ExecuteEffect } from "../core/index.ts";
import type { CommandAnalysis } from "./analyse.ts";

/** Maximum characters of a command that rules can allow; no user reads a longer one, so it always needs approval. */
const maxAnswerable = 10_000;

/**
 * Effects of a call that runs the command: its own effects, each floor finding as a separate effect, and the shell
 * itself if it starts no other program.
 */
export function callEffects(analysis: CommandAnalysis): readonly Effect[] {
  const { input, effects, findings, hasUnknownHost } = analysis;
  const more: Effect[] = [];
  for (const { rule, text, span } of findings) {
    if (rule !== "floor") continue;
    more.push({ kind: "unknown", because: text, origin: "Bash", span, floor: true });
  }
  if (input.length > maxAnswerable) {
    const because = `the command is longer than ${maxAnswerable} characters`;
    more.push({ kind: "unknown", because, origin: "Bash", alwaysAsks: true });
  }
  if (!effects.some(({ kind }) => kind === "execute")) {
    const shell = shellItself(input);
    more.push(hasUnknownHost ? { ...shell, hosts: "unknown" } : shell);
  }
  return more.length === 0 ? effects : [...effects, ...more];
}

/** Effect of a shell for a text that starts no program, such as `x=1` or `> file`. */
function shellItself(input: string): ExecuteEffect {
  return {
    kind: "execute",
    argv: ["bash", "-c", input],
    assigns: [],
    via: [],
    consequences: "listed",
    span: { start: 0, end: input.length },
  };
}
