import { defaultPromptParts, type PromptPart, type RunOptions } from "../../agent/index.ts";
import type { Effect, ObservableToolkit } from "../../core/index.ts";
import type { OpenRun } from "../runs/run-options.ts";
import type { KitInstructions } from "./kit-instructions.ts";

/** A run with the instructions of its project, and the function that stops following its calls. */
export interface InstructedRun {
  readonly run: OpenRun;
  readonly stop: () => void;
}

/** Maximum number of directories whose instructions a run gets because its calls touched them. */
const maxDirectories = 100;

/**
 * Adds the instructions to the system prompt of a run, so that they are there after a compaction too. Those of a
 * directory are added before the turn after a call has touched something in it. A prompt given as a text is left alone.
 */
export async function instructedRun(
  run: OpenRun,
  instructions: KitInstructions,
  toolkit: ObservableToolkit,
): Promise<InstructedRun> {
  const given = run.system;
  if (typeof given === "string") return { run, stop: () => undefined };
  const { files } = await instructions.read();
  const base = given ?? defaultPromptParts;
  const parts: PromptPart[] = [...base, ...files.map(({ part }) => part)];
  const known = [...files];
  const touched = new Set<string>();
  const seen = new Set<string>();
  const stop = toolkit.events.subscribe((event) => {
    if (event.type !== "call-decided" || event.runId !== run.runId) return;
    for (const directory of directoriesOf(event.effects)) {
      if (seen.size >= maxDirectories || seen.has(directory)) continue;
      seen.add(directory);
      touched.add(directory);
    }
  });
  const added: PromptPart[] = [];
  const prepareTurn: RunOptions["prepareTurn"] = async (info) => {
    const changes = await run.prepareTurn?.(info);
    for (const directory of touched) {
      touched.delete(directory);
      const found = await instructions.readFor(directory, known);
      known.push(...found.files);
      added.push(...found.files.map(({ part }) => part));
    }
    if (added.length === 0 || typeof changes?.system === "string") return changes;
    return { ...changes, system: [...(changes?.system ?? parts), ...added] };
  };
  // A final output has a part of its own in the prompt, which a change to a turn would lose.
  const follows = run.output === undefined;
  return { run: { ...run, system: parts, ...(follows ? { prepareTurn } : {}) }, stop };
}

/** Directories that a call reads or writes in. */
function directoriesOf(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => {
    if (effect.kind !== "read" && effect.kind !== "write") return [];
    if (effect.scope === "tree") return [effect.path];
    return [effect.path.slice(0, effect.path.lastIndexOf("/")) || "/"];
  });
}
