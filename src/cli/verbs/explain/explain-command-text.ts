import { explainDecision, type CommandExplanation } from "../../../entries/shell.ts";
import type { Explanation, Kit } from "../../../index.ts";

/** Explanation of a command with all the toolkit knows of the machine, and the full decision. */
export type ExplainedText = (CommandExplanation | { readonly input: string }) &
  Pick<Explanation, "decision" | "error">;

/** Explains a command with a toolkit, without running it. */
export async function explainCommandText(
  kit: Kit,
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ExplainedText> {
  const { effects, decision, error } = await kit.explain({ name: "Bash", input: { command } });
  if (decision === undefined) {
    return { input: command, ...(error === undefined ? {} : { error }) };
  }
  const { mode } = kit;
  const workspace = kit.workspace.path;
  const home = env["HOME"] ?? workspace;
  const decided = { effects, decision, cwd: workspace, workspace, home, mode };
  return { ...explainDecision(command, decided), decision };
}
