import { ToolError, type Host } from "../../core/index.ts";
import { inBatches, joinPath, pathBelow } from "../../text/index.ts";
import { tooManyFiles } from "./hash-files.ts";

/** A command that configuration starts: of a hook, an MCP server, a checker or a language server. */
export interface StartedProgram {
  /** Its part of the configuration, for users. */
  readonly what: string;
  /** A text that a shell reads, or the words of a command. */
  readonly command: string | readonly string[];
  /** Directory in which it starts, if it is not the workspace. */
  readonly cwd?: string;
  /** Values of its environment, which may name files that it loads. */
  readonly environment?: readonly string[];
}

/** Kind of what is at a path, with every link followed. */
type Found = "file" | "executable" | "directory" | undefined;

export interface ProgramFilesOptions {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  /** `run`: only executable files and those that an interpreter is given, not what may be data. */
  readonly only?: "run";
  /** Results by path, for programs that are looked at together: many name the same files. */
  readonly stats?: Map<string, Promise<Found>>;
  /** Number of paths that may still be looked up, for programs that are looked at together. */
  readonly lookups?: { left: number };
}

/** Maximum numbers of words and of characters of one command that are looked at. */
const maxWords = 200;
const maxChars = 20_000;

/** Maximum number of paths that are looked up for a configuration: a small one may name a large tree in many ways. */
export const maxLookups = 20_000;

/**
 * Files of the workspace that a program may run: every file that a word of its command can mean, in the workspace and in
 * each directory that a word names, because a command may enter it. Which of them run is not guessed. With too many paths
 * the last of the names is `tooManyFiles`.
 */
export async function filesOfProgram(
  program: Omit<StartedProgram, "what">,
  options: ProgramFilesOptions,
): Promise<readonly string[]> {
  const { workspace, lookups = { left: maxLookups } } = options;
  const words = wordsOf(program, workspace).slice(0, maxWords);
  const cost = words.length + words.filter(({ isRun }) => isRun).length * loadedAs.length;
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
    for (const { word, isRun } of words) {
      const path = joinPath(base, word);
      candidates.set(path, isRun || candidates.get(path) === true);
      if (isRun) for (const ending of loadedAs) candidates.set(`${path}${ending}`, true);
    }
  }
  const files = await inBatches([...candidates], async ([path, isRun]) => {
    if (!isBelow(path, workspace)) return [];
    const kind = await kindAt(path, options);
    const counts = kind === "executable" || (kind === "file" && (isRun || options.only !== "run"));
    return counts ? [pathBelow(workspace, path) ?? path] : [];
  });
  return files.flat();
}

/** Endings of files that are always scripts. */
const scriptEnding = /\.(?:sh|bash|zsh|fish|ksh|[cm]?[jt]s|py|rb|pl|php|lua|ps1)$/iu;

/**
 * Path of the script that a command runs, as it is written, if there is no such file: the program will fail. Undefined
 * for a command that a shell would have to understand, because it may test for the file or write it.
 */
export async function missingScript(
  { command }: Pick<StartedProgram, "command">,
  { host, workspace }: ProgramFilesOptions,
): Promise<string | undefined> {
  const text = typeof command === "string" ? command : command.join(" ");
  if (/[;&|<>()[\]`\n]/u.test(text)) return undefined;
  const [program = "", argument = ""] = shellWords(text).map((word) =>
    word.replaceAll(knownVariables, () => workspace),
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

/** Parts of a command whose files are not known before it runs. */
export function uncoveredParts({ command }: Pick<StartedProgram, "command">): readonly string[] {
  const whole = typeof command === "string" ? command : command.join(" ");
  const text = whole.slice(0, maxChars).replaceAll(knownVariables, "");
  const computed =
    text.match(/\bpython[\d.]*\s+-m\s+\S+|\$\([^)]*\)?|\$\{?\w+\}?|`[^`]*`?/gu) ?? [];
  const dynamic = [...computed, ...text.split(/[\s"']+/u).filter((word) => /[*?]/u.test(word))];
  const runners = shellWords(text).filter((word) => startsOthers.has(word));
  const isLong = wordsOf({ command }, "/").length > maxWords;
  return [
    ...new Set([...runners, ...dynamic]),
    ...(isLong ? [`words after the first ${maxWords}`] : []),
    ...(whole.length > maxChars ? [`characters after the first ${maxChars}`] : []),
  ];
}

/** Programs that start what other files name. */
const startsOthers: ReadonlySet<string> = new Set(
  "npm npx pnpm yarn bunx make just task cargo go gradle mvn rake uv uvx poetry pipx docker eval xargs find".split(
    " ",
  ),
);

/** Endings with which an interpreter completes the name of a file or a directory. */
const loadedAs =
  ".js .mjs .cjs .ts .mts .py .sh .rb /index.js /index.mjs /index.cjs /index.ts /package.json /__main__.py".split(
    " ",
  );

const interpreters =
  /^(?:.*\/)?(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|sh|bash|zsh|dash|ksh|fish|source|\.)$/u;

/** Redirections and files of `tee`: what a command only writes, as a log, changes each time it runs. */
const writtenFiles =
  /(?:[\d&]?>{1,2}[|&]?\s*|\btee\s+(?:-\S+\s+)*)(?:"[^"]*"|'[^']*'|[^\s;|&<>()"'])+/gu;

/** Files that programs append to or create; one counts if an interpreter is given it. */
const dataEnding = /\.(?:log|jsonl|ndjson|pid|lock)$/iu;

const knownVariables = /\$\{?(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)\b\}?/gu;

interface Word {
  readonly word: string;
  /** Whether an interpreter runs it, so that its ending may be missing. */
  readonly isRun: boolean;
}

/** Words of a command as a shell would see them, and the parts of those that hold a command or a list of paths. */
function wordsOf(
  { command, environment = [] }: Omit<StartedProgram, "what">,
  workspace: string,
): readonly Word[] {
  const given = typeof command === "string" ? [command] : command;
  const texts = given.map((text) => text.slice(0, maxChars).replaceAll(writtenFiles, " "));
  const whole = texts
    .flatMap((text) =>
      typeof command === "string" ? shellWords(text) : [text, ...shellWords(text)],
    )
    .concat(environment)
    .map((word) => word.replaceAll(knownVariables, () => workspace));
  const found = new Map<string, Word>();
  let isAfterInterpreter = false;
  for (const each of whole) {
    const parts = [each, ...each.split(/[\s;|&<>()`={}]+/u), ...each.split(/[\s:,=]+/u)];
    for (const word of parts.map((part) => part.replaceAll(/["'\\]/gu, ""))) {
      if (word === "" || word.startsWith("-") || word.includes("\0")) continue;
      const isRun = isAfterInterpreter || found.get(word)?.isRun === true;
      if (dataEnding.test(word) && !isRun) continue;
      found.set(word, { word, isRun });
    }
    // Options of an interpreter come before its file.
    isAfterInterpreter = interpreters.test(each) || (isAfterInterpreter && each.startsWith("-"));
  }
  return [...found.values()];
}

/** Splits a text at blanks and operators outside quotes, and removes the quotes. */
function shellWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\[^]|[\s;|&<>()`]+|[^]/gu)) {
    if (/^[\s;|&<>()`]/u.test(part)) {
      words.push(word);
      word = "";
    } else if (part.length > 1 && /^["']/u.test(part)) {
      word += part.slice(1, -1).replaceAll(/\\(["\\$`])/gu, "$1");
    } else word += part.length === 2 && part.startsWith("\\") ? part.slice(1) : part;
  }
  return [...words, word].filter((each) => each !== "");
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
      const { kind, mode } = await fs.stat(await fs.canonical(path));
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
