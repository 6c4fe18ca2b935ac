import type { Effect } from "../../core/index.ts";
import type { RuleSource } from "../../policy/index.ts";

/** Interprets an example of a rule: a command by the effects it would have. */
export type CommandEffects = (tool: string, example: string) => readonly Effect[];

/** Loads the shell layer, which most kits never need before a command runs. */
export async function commandEffects(place: {
  readonly workspace: string;
  readonly home: string;
}): Promise<CommandEffects> {
  const shell = await import("../../shell/index.ts");
  const where = { cwd: place.workspace, workspace: place.workspace, home: place.home };
  return (tool, example) => (tool === "Bash" ? shell.commandEffects(example, where) : []);
}

/** Whether any rule has examples that need interpreting. */
export function hasExamples(sources: readonly RuleSource[]): boolean {
  return sources.some(({ rules }) =>
    rules.some(
      (rule) =>
        typeof rule === "object" && rule !== null && ("match" in rule || "notMatch" in rule),
    ),
  );
}
