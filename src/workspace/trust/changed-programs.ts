import { inBatches } from "../../text/index.ts";
import { hashFiles, type FileHashes, type HashOptions } from "./hash-files.ts";
import type { StartedProgram } from "./command-words.ts";
import { filesOfProgram } from "./program-files.ts";
import { programsIn } from "./started-programs.ts";

/** Files that trust covers with a change of a configuration file, and those that it releases. */
export interface CoverageChange {
  /** Files of the programs that it adds. */
  readonly added: FileHashes;
  /** Files of the programs that it removes. Other parts of the configuration may still name them. */
  readonly removed: ReadonlySet<string>;
}

/** A configuration file, named by its path below the workspace, before and after a change. */
export interface ChangedText {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type CoverageOptions = Pick<HashOptions, "host" | "workspace">;

/** Compares the programs that a configuration file starts before and after a change. */
export async function changedCoverage(
  { name, before, after }: ChangedText,
  options: CoverageOptions,
): Promise<CoverageChange> {
  const [former, next] = await Promise.all([programsIn(name, before), programsIn(name, after)]);
  const [added, removed] = await Promise.all([
    filesOf(without(next, former), options),
    filesOf(without(former, next), options),
  ]);
  return { added, removed: new Set(removed.keys()) };
}

function without(
  programs: readonly StartedProgram[],
  others: readonly StartedProgram[],
): readonly StartedProgram[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return programs.filter((each) => !known.has(JSON.stringify(each)));
}

async function filesOf(
  programs: readonly StartedProgram[],
  options: CoverageOptions,
): Promise<FileHashes> {
  const where = { ...options, stats: new Map() };
  const files = await inBatches(programs, async (each) => await filesOfProgram(each, where));
  return await hashFiles(files.flat(), options);
}
