import { ToolError, type Host } from "../../../core/index.ts";
import { inBatches, joinPath, pathBelow } from "../../../text/index.ts";
import {
  interpreters,
  maxWords,
  shellWords,
  withVariables,
  wordsOf,
  type StartedProgram,
} from "./command-words.ts";
import { tooManyFiles } from "../hash-files.ts";

/** Kind of what is at a path, with every link followed. */
type Found = "file" | "executable" | "directory" | undefined;

export interface ProgramFilesOptions {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  /** `run`: only executable files, commands and what an interpreter is given, not other scripts that words name. */
  readonly only?: "run";
  /** Results by path, for programs that are looked at together: many name the same files. */
  readonly stats?: Map<string, Promise<Found>>;
  /** Number of paths that may still be looked up, for programs that are looked at together. */
  readonly lookups?: { left: number };
}

/** Maximum number of paths that are looked up for a configuration: a small one may name a large tree in many ways. */
export const maxLookups = 20_000;

/**
 * Files of the workspace that a program may run, in the workspace and in each directory that a word of its command names,
 * because the command may enter it. They are what stands for a command, what an interpreter is given, what variables as
 * NODE_OPTIONS load, executable files, and scripts by their ending. Other files are data, which may change.
 * `tooManyFiles` stands for paths that are too many to look up.
 */
export async function filesOfProgram(
  program: Omit<StartedProgram, "what">,
  given: ProgramFilesOptions,
): Promise<readonly string[]> {
  const { workspace, lookups = { left: maxLookups }, stats = new Map() } = given;
  const options = { ...given, stats };
  const { command, environment = [] } = program;
  const words = [
    ...wordsOf({ command }, workspace)
      .toSorted((one, other) => Number(one.role === "other") - Number(other.role === "other"))
      .slice(0, maxWords),
    ...wordsOf({ command: [], environment }, workspace),
  ];
  const cost = words.reduce((sum, { endings }) => sum + 1 + endings.length, 0);
  const bases = new Set([workspace, joinPath(workspace, program.cwd ?? ".")]);
  // A set that grows while it is visited: `cd a && cd b` leads to a/b.
  for (const base of bases) {
    lookups.left -= cost;
    if (lookups.left < 0) return [tooManyFiles];
    const found = await inBatches(words, async ({ word }) => {
      const path = joinPath(base, word);
      return (await kindAt(path, options)) === "directory" ? [path] : [];
    });
    for (const path of found.flat()) if (isBelow(path, workspace)) bases.add(path);
  }
  const candidates = new Map<string, boolean>();
  for (const base of bases) {
    for (const { word, role, endings } of words) {
      const path = joinPath(base, word);
      candidates.set(path, role !== "other" || candidates.get(path) === true);
      for (const ending of endings) candidates.set(`${path}${ending}`, true);
    }
  }
  const files = await inBatches([...candidates], async ([path, isRun]) => {
    if (!isBelow(path, workspace)) return [];
    const kind = await kindAt(path, options);
    const isCode = isRun || (options.only !== "run" && scriptEnding.test(path));
    const counts = kind === "executable" || (kind === "file" && isCode);
    return counts ? [pathBelow(workspace, path) ?? path] : [];
  });
  return files.flat();
}

/** Endings of files that are always code. */
const scriptEnding =
  /\.(?:sh|bash|zsh|fish|ksh|[cm]?[jt]sx?|py[cwz]?|rb|pl|pm|php|lua|ps1|bat|cmd|awk|sed|tcl|exs?|jl|r|go|java|kts?|swift|groovy|jar|class|so|dylib|dll|exe|node|wasm)$/iu;

/**
 * Path of the script that a command runs, as it is written, if there is no such file: the program will fail. Undefined
 * for a command that a shell would have to understand, because it may test for the file or write it.
 */
export async function missingScript(
  { command }: Pick<StartedProgram, "command">,
  { host, workspace }: ProgramFilesOptions,
): Promise<string | undefined> {
  const text = typeof command === "string" ? command : command.join(" ");
  // Without a slash, also from a variable, it names no script.
  if (!/[/$]/u.test(text) || /[;&|<>()[\]`\n]/u.test(text)) return undefined;
  const [program = "", argument = ""] = shellWords(text).map((word) =>
    withVariables(word, workspace),
  );
  const script = interpreters.test(program) ? argument : program;
  if (!scriptEnding.test(script) || !script.includes("/") || /[$*?~{}]/u.test(script)) {
    return undefined;
  }
  try {
    await host.fs.stat(joinPath(workspace, script));
    return undefined;
  } catch (error) {
    return ToolError.is(error) && error.code === "NOT_FOUND" ? script : undefined;
  }
}

function isBelow(path: string, workspace: string): boolean {
  const below = pathBelow(workspace, path);
  return below !== undefined && below !== "";
}

/** Kind at a path; of a link, that of its target, wherever it is. */
async function kindAt(
  path: string,
  { host: { fs }, workspace, stats = new Map() }: ProgramFilesOptions,
): Promise<Found> {
  if (pathBelow(workspace, path) === undefined) return undefined;
  const known = stats.get(path);
  if (known !== undefined) return await known;
  const look = async (): Promise<Found> => {
    try {
      const canonical = async () => ({ path: await fs.canonical(path), exists: undefined });
      const located = await (fs.locate?.(path) ?? canonical());
      // Most words of commands name no file, and `stat` would make an error for each.
      if (located.exists === false) return undefined;
      const { kind, mode } = await fs.stat(located.path);
      if (kind === "directory") return kind;
      if (kind !== "file") return undefined;
      return (mode & 0o111) === 0 ? "file" : "executable";
    } catch {
      return undefined;
    }
  };
  const looking = look();
  stats.set(path, looking);
  return await looking;
}
