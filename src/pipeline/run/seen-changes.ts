import { isEverydayPart, isWithin, namedPaths } from "../../text/index.ts";
import { protectedPart } from "../../policy/index.ts";
import type { Finished } from "../step.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";

/** Sample files are never run. */
const sample = /\/hooks\/.*\.sample$/iu;

/**
 * Returns sentences about observed changes of programs on the real files: undo does not cover them, and protected files
 * that the call did not declare could not be asked about before. Files that another note names are not repeated.
 */
export function seenChanges(
  seen: readonly string[],
  { effects, confined }: Pick<Finished, "effects" | "confined">,
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
  const protectedWrites = seen.filter(
    (path) => isRunning(path) && !isDeclared(path) && !isNamed(path),
  );
  const [files, them] =
    protectedWrites.length === 1 ? ["a protected file", "it"] : ["protected files", "them"];
  return [
    ...(seen.length === 0
      ? []
      : [`It changed ${namedPaths(seen, cwd)}; undo does not cover that.`]),
    ...(protectedWrites.length === 0
      ? []
      : [
          `This includes ${files} that the user was not asked about (${namedPaths(protectedWrites, cwd)}): the user should check ${them}.`,
        ]),
  ];
}
