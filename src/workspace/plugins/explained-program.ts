import type { Decision, Effect, Toolkit } from "../../core/index.ts";

/** A program that a plugin or skill brings, with what it would do. */
export interface ExplainedProgram {
  /** File, and for a hook or server its name in it. */
  readonly name: string;
  /** Command as a shell would run it; of a shell script, its text. */
  readonly command: string;
  /** Whether the installed version does not have exactly this program. */
  readonly isNew: boolean;
  /** Everything it would touch. */
  readonly effects: readonly Effect[];
  /** Decision of the rules if Bash ran it; absent if it could not be judged. */
  readonly decision?: Decision["kind"];
}

/** Adds to each program the effects that it would have as a command. Runs nothing. */
export async function explainedPrograms(
  programs: readonly Pick<ExplainedProgram, "name" | "command" | "isNew">[],
  explain: Toolkit["explain"],
): Promise<readonly ExplainedProgram[]> {
  const explained: ExplainedProgram[] = [];
  for (const program of programs) {
    const { effects, decision } = await explain({
      name: "Bash",
      input: { command: program.command },
    });
    explained.push({ ...program, effects, ...(decision && { decision: decision.kind }) });
  }
  return explained;
}
