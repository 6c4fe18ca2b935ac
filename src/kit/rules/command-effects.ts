import type { Effect } from "../../core/index.ts";
import type { RuleSource } from "../../policy/index.ts";

/** How an example of a rule is understood: a command by what it would run. */
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

/** Whether any rule brings examples to be understood. */
export function hasExamples(sources: readonly RuleSource[]): boolean {
  return sources.some(({ rules }) =>
    rules.some(
      (rule) =>
        typeof rule === "object" && rule !== null && ("match" in rule || "notMatch" in rule),
    ),
  );
}
