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
  /** Its environment, as `NAME=value`, which may name files that it loads. */
  readonly environment?: readonly string[];
}

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

/** Maximum numbers of words and of characters of one command that are looked at. */
const maxWords = 200;
const maxChars = 20_000;

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
  options: ProgramFilesOptions,
): Promise<readonly string[]> {
  const { workspace, lookups = { left: maxLookups } } = options;
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

/** Parts of a command whose files are not known before it runs. */
export function uncoveredParts({ command }: Pick<StartedProgram, "command">): readonly string[] {
  const whole = typeof command === "string" ? command : command.join(" ");
  const text = whole.slice(0, maxChars).replaceAll(knownVariables, "");
  const computed = [
    ...text.matchAll(/\bpython[\d.]*\s+-m\s+\S+|\$\([^)]*\)?|\$\{[^}]*\}?|\$\w+|`[^`]*`?/gu),
    ...[...text.matchAll(/[^\s"']+/gu)].filter(([word]) => isPattern(word)),
  ];
  const isAllCode = makesCode.test(text);
  // A value that is an argument of another program is data, as the name of the file that a formatter gets.
  const dynamic = computed
    .filter(({ index }) => isAllCode || runsAt.test(text.slice(Math.max(0, index - 200), index)))
    .map(([part]) => part);
  const runners = wordsOf({ command: text }, "/").flatMap(({ word, role }) =>
    role === "command" && startsOthers.has(word) ? [word] : [],
  );
  const isLong = wordsOf({ command }, "/").length > maxWords;
  return [
    ...new Set([...runners, ...dynamic]),
    ...(isLong ? [`words after the first ${maxWords}`] : []),
    ...(whole.length > maxChars ? [`characters after the first ${maxChars}`] : []),
  ];
}

/** Text before a word that is a command, or that a program runs as one. */
const runsAt =
  /(?:^|[;&|(){}\n`!]|\b(?:then|do|else|elif|if|while|until|exec|time|env|sudo|nohup|command|eval|source|bash|sh|zsh|dash|ksh|fish|node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|java)\s(?:\s*-\S+\s)*|(?:^|[\s;&|])\.\s)\s*(?:\w+=\S*\s+)*["']?[\w./~-]*$/u;

/** Whether a shell makes other words of one: by a pattern, by braces, or by the home of another user. */
function isPattern(word: string): boolean {
  const braces = word.match(/\{[^{}]*\}/gu) ?? [];
  return (
    /[*?]|\[[^\][]+\]|^~\w/u.test(word) ||
    braces.some((each) => each.includes(",") || each.includes(".."))
  );
}

/** Programs that start what other files name. */
const startsOthers: ReadonlySet<string> = new Set(
  "npm npx pnpm yarn bunx make just task cargo go gradle mvn rake uv uvx poetry pipx docker eval xargs find".split(
    " ",
  ),
);

/** Endings with which interpreters complete the name of a file or a directory, by the name of the interpreter. */
const endingsOf: readonly (readonly [program: RegExp, endings: readonly string[]])[] = [
  [
    /(?:^|\/)(?:node|nodejs|bun|deno|tsx|ts-node)$|^NODE_/u,
    ".js .mjs .cjs .ts .mts /index.js /index.mjs /index.cjs /index.ts /package.json".split(" "),
  ],
  [/(?:^|\/)python[\d.]*$|^PYTHON/u, [".py", "/__main__.py"]],
  [/(?:^|\/)ruby$|^RUBY/u, [".rb"]],
  [/(?:^|\/)(?:sh|bash|zsh|dash|ksh|fish|source|\.)$/u, [".sh"]],
];

/** Endings of what a program or a variable loads; none for one that takes names as they are. */
function endingsFor(loader: string): readonly string[] {
  return endingsOf.find(([program]) => program.test(loader))?.[1] ?? [];
}

const interpreters =
  /^(?:.*\/)?(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|luajit|[gmn]?awk|java|pwsh|Rscript|tclsh|osascript|sh|bash|zsh|dash|ksh|fish|source|\.)$/u;

/** Redirections and files of `tee`: what a command only writes, as a log, changes each time it runs. */
const writtenFiles =
  /(?:[\d&]?>{1,2}[|&]?\s*|\btee\s+(?:-\S+\s+)*)(?:"[^"]*"|'[^']*'|[^\s;|&<>()"'])+/gu;

function withoutWritten(text: string): string {
  return text.slice(0, maxChars).replaceAll(writtenFiles, " ");
}

/** The project variables, also with a default, and the directory in which a command is. */
const knownVariables =
  /\$(?:(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)\b|\{(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)(?::?[-=?][^{}]*)?\})/gu;

/** A word with the values of variables that are known, and the defaults of others. */
function expanded(word: string, workspace: string): string {
  return withVariables(word, workspace).replaceAll(/\$\{\w+:?[-=]([^{}]*)\}/gu, "$1");
}

function withVariables(word: string, workspace: string): string {
  return word.replaceAll(knownVariables, (name) => (/^\$\{?PWD/u.test(name) ? "." : workspace));
}

/** Variables with which programs load code. Those that list directories, as PYTHONPATH, name no file by themselves. */
const loadingVariables =
  /^(NODE_OPTIONS|BASH_ENV|ENV|PYTHONSTARTUP|RUBYOPT|PERL5OPT|LUA_INIT|LD_PRELOAD|DYLD_INSERT_LIBRARIES|JAVA_TOOL_OPTIONS|CLASSPATH|GIT_SSH_COMMAND)=/u;

/** Words after which a command follows. */
const prefixes: ReadonlySet<string> = new Set(
  "if then else elif do while until ! { time exec env sudo nice nohup command builtin setsid stdbuf timeout xargs".split(
    " ",
  ),
);

/** Options of interpreters that may take the next word as their value. Others are known to take none, or code. */
const takesValue =
  /^-(?:[rCWXIOd]|[a-z]*o)$|^--(?!(?:no|allow|enable|disable|trace|inspect|watch|harmony|unstable|quiet|verbose|posix|login|eval|print)(?:-|$)|experimental-(?!loader|config)|nor?c|noprofile)[\w-]+$/u;

/** A command that makes code of files that are data elsewhere: it makes them executable, or pipes them to a shell. */
const makesCode =
  /\bchmod\b|\|&?\s*(?:[\w/.-]*\/)?(?:(?:ba|z|da|k|fi)?sh|node|python[\d.]*|perl|ruby)(?:\s+-[a-z]*)*\s*(?:$|[;&|)\n"'`])/u;

interface Word {
  readonly word: string;
  /** `given`: an interpreter loads it, so that its ending may be missing. */
  readonly role: "command" | "given" | "other";
  /** Endings that may be missing. */
  readonly endings: readonly string[];
}

/** Words of a command as a shell would see them, and the parts of those that hold a command or a list of paths. */
function wordsOf(
  { command, environment = [] }: Pick<StartedProgram, "command" | "environment">,
  workspace: string,
): readonly Word[] {
  const found = new Map<string, Word>();
  const isAllCode = [command].flat().some((text) => makesCode.test(text.slice(0, maxChars)));
  const add = (word: string, as: Word["role"], endings: readonly string[] = []) => {
    if (word === "" || word.startsWith("-") || word.includes("\0")) return;
    const role = isAllCode && as === "other" ? "command" : as;
    for (const each of withoutHome(word, workspace)) {
      const before = found.get(each);
      const isMore = before === undefined || before.role === "other" || role === "given";
      found.set(each, {
        word: each,
        role: isMore ? role : before.role,
        endings: [...new Set([...(before?.endings ?? []), ...endings])],
      });
    }
  };
  const addParts = (whole: string, role: Word["role"], endings: readonly string[] = []) => {
    const word = whole.replace(/^-\w(?=[./~])/u, "");
    const variable = loadingVariables.exec(word)?.[1];
    const ofParts = variable !== undefined ? "given" : /\s/u.test(word) ? "other" : role;
    const loaded = variable === undefined ? endings : endingsFor(variable);
    add(word.replaceAll(/["'\\]/gu, ""), role, endings);
    for (const part of [...word.split(/[\s;|&<>()`={}]+/u), ...word.split(/[\s:,=]+/u)]) {
      add(part.replaceAll(/["'\\]/gu, ""), ofParts, ofParts === "given" ? loaded : []);
    }
  };
  const read = (tokens: readonly Token[], depth: number) => {
    let next: Word["role"] = "other";
    let mayBeValue = false;
    let endings: readonly string[] = [];
    for (const token of tokens) {
      const word = expanded(token.word, workspace);
      if (token.starts) next = "command";
      const isLoader =
        interpreters.test(word) && (next === "command" || !/^(?:source|\.)$/u.test(word));
      if (/^\w+=/u.test(word)) addParts(word, "other");
      else if (isLoader) {
        addParts(word, "command");
        next = "given";
        endings = endingsFor(word);
        mayBeValue = false;
      } else if (next === "given" && word.startsWith("-")) {
        addParts(word, "given", endings);
        mayBeValue = takesValue.test(word);
      } else {
        addParts(word, next, next === "given" ? endings : []);
        const goesOn =
          next === "command"
            ? prefixes.has(word) || /^(?:-.*|\d+\w?)$/u.test(word)
            : next === "given" && (mayBeValue || word === "run");
        if (!goesOn) next = "other";
        mayBeValue = false;
      }
      if (depth < maxDepth && /[\s;|&()`]/u.test(word)) read(shellTokens(word), depth + 1);
    }
  };
  if (typeof command === "string") read(shellTokens(withoutWritten(command)), 0);
  else
    read(
      command.map((text, at) => ({ word: withoutWritten(text), starts: at === 0 })),
      0,
    );
  for (const each of environment) addParts(expanded(each.slice(0, maxChars), workspace), "other");
  return [...found.values()];
}

/** Depth to which texts in quotes are read as commands. */
const maxDepth = 3;

/** A word, or what one in the user's home is in the workspace, which may be that home or below it. */
function withoutHome(word: string, workspace: string): readonly string[] {
  if (!word.startsWith("~/")) return [word];
  const names = word.slice(2).split("/");
  return names.slice(0, workspace.split("/").length).flatMap((_name, count) => {
    const isWorkspace = count === 0 || workspace.endsWith(`/${names.slice(0, count).join("/")}`);
    return isWorkspace ? [joinPath(workspace, names.slice(count).join("/"))] : [];
  });
}

interface Token {
  readonly word: string;
  /** Whether it is the first word of a command. */
  readonly starts: boolean;
}

function shellWords(text: string): readonly string[] {
  return shellTokens(text).map(({ word }) => word);
}

/** Splits a text at blanks and operators outside quotes, and removes the quotes. */
function shellTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let word = "";
  let starts = true;
  const end = () => {
    if (word === "") return;
    tokens.push({ word, starts });
    word = "";
    starts = false;
  };
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|\\[^]|[\s;|&<>()`]+|[^]/gu)) {
    if (/^[\s;|&<>()`]/u.test(part)) {
      end();
      starts ||= /[;|&()`\n]/u.test(part);
    } else if (part.length > 1 && /^["']/u.test(part)) {
      word += part.slice(1, -1).replaceAll(/\\(["\\$`])/gu, "$1");
    } else word += part.length === 2 && part.startsWith("\\") ? part.slice(1) : part;
  }
  end();
  return tokens;
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
