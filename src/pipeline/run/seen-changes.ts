import { isEverydayPart, isWithin, namedPaths } from "../../text/index.ts";
import { protectedPart } from "../../policy/index.ts";
import type { CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment.ts";

/** Samples are never run. */
const sample = /\/hooks\/.*\.sample$/iu;

/**
 * Sentences about what a program on the real files was seen to change: undo does not cover it, and protected files among
 * it that the call did not name could not be asked about before. Those that another note names are not named again.
 */
export function seenChanges(
  seen: readonly string[],
  { effects, confined }: Pick<CallState, "effects" | "confined">,
  { boundary, cwd }: Pick<PipelineEnvironment, "boundary" | "cwd">,
): readonly string[] {
  const { roots } = boundary();
  const isDeclared = (path: string): boolean =>
    effects.some((effect) => effect.kind === "write" && isWithin(effect.path, path));
  const isNamed = (path: string): boolean =>
    confined?.notes.some((note) => note.includes(path)) === true;
  const isRunning = (path: string): boolean => {
    const part = protectedPart(path, roots);
    if (part === undefined || isEverydayPart(part, path)) return false;
    return part.pattern !== ".git" || !sample.test(path);
  };
  const planted = seen.filter((path) => isRunning(path) && !isDeclared(path) && !isNamed(path));
  const [files, them] =
    planted.length === 1 ? ["a protected file", "it"] : ["protected files", "them"];
  return [
    ...(seen.length === 0
      ? []
      : [`It changed ${namedPaths(seen, cwd)}; undo does not cover that.`]),
    ...(planted.length === 0
      ? []
      : [
          `Among it ${files} that nobody was asked about (${namedPaths(planted, cwd)}): the user should check ${them}.`,
        ]),
  ];
}
