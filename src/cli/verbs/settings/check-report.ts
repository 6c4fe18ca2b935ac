import type { CheckedFile } from "../../../index.ts";
import { counted } from "../../print/describe-session.ts";
import { visibleText } from "../../print/visible-text.ts";
import type { Terminal } from "../../terminal.ts";
import { describeProblem } from "./describe-problem.ts";

/** Maximum number of files without a problem that are listed one by one. */
const maxSound = 20;
/** Maximum number of files in which the same problem is shown each time. */
const maxRepeated = 4;

interface Repeated {
  readonly problem: CheckedFile["problems"][number];
  /** Files with the problem. */
  readonly files: Set<string>;
  readonly first: string;
}

/** Lines about checked files, each with its problems. Shows what repeats once, unless `isWhole`. */
export function checkReport(
  files: readonly CheckedFile[],
  { isWhole, terminal }: { readonly isWhole: boolean; readonly terminal: Terminal },
): readonly string[] {
  if (files.length === 0) return ["The project brings no settings."];
  const repeated = isWhole ? new Map<string, Repeated>() : repeatedProblems(files);
  const sound = files.filter(({ problems }) => problems.length === 0);
  const countsSound = !isWhole && sound.length > maxSound;
  const lines: string[] = [];
  for (const { path, kind, problems } of files) {
    const shown = problems.filter((problem) => !repeated.has(keyOf(problem)));
    if (shown.length === 0 && (problems.length > 0 || countsSound)) continue;
    const mark = problems.length === 0 ? terminal.style("green", "✓", "out") : "!";
    lines.push(`${mark} ${visibleText(path)}: ${kind}`);
    for (const problem of shown) lines.push(`    ${describeProblem(problem, terminal)}`);
  }
  if (countsSound) {
    lines.push(`${terminal.style("green", "✓", "out")} ${sound.length} files without a problem`);
  }
  for (const { problem, files: places, first } of repeated.values()) {
    const { severity, message, hint } = problem;
    lines.push(`! ${places.size} files, such as ${visibleText(first)}`);
    lines.push(
      `    ${describeProblem({ severity, message, ...(hint === undefined ? {} : { hint }) }, terminal)}`,
    );
  }
  if (countsSound || repeated.size > 0) {
    const all = files.flatMap(({ problems }) => problems);
    const errors = all.filter(({ severity }) => severity === "error").length;
    lines.push(
      `${files.length} files: ${counted(errors, "error")}, ${counted(all.length - errors, "warning")}. With --all, each file is listed.`,
    );
  }
  return lines;
}

/** Problems that more files than a few have, whatever their lines are. */
function repeatedProblems(files: readonly CheckedFile[]): ReadonlyMap<string, Repeated> {
  const found = new Map<string, Repeated>();
  for (const { path, problems } of files) {
    for (const problem of problems) {
      const { file, line } = problem;
      const place = [path, file, line].filter((each) => each !== undefined).join(":");
      const known = found.get(keyOf(problem)) ?? {
        problem,
        files: new Set<string>(),
        first: place,
      };
      known.files.add(path);
      found.set(keyOf(problem), known);
    }
  }
  return new Map([...found].filter(([, { files: places }]) => places.size > maxRepeated));
}

function keyOf({ severity, message, hint }: CheckedFile["problems"][number]): string {
  return JSON.stringify([severity, message, hint]);
}
