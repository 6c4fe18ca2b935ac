import { joinPath } from "../../../text/index.ts";

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

/** Maximum numbers of words and of characters of one command that are looked at. */
export const maxWords = 200;
export const maxChars = 20_000;

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

export const interpreters =
  /^(?:.*\/)?(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|luajit|[gmn]?awk|java|pwsh|Rscript|tclsh|osascript|sh|bash|zsh|dash|ksh|fish|source|\.)$/u;

/** Redirections and files of `tee`: what a command only writes, as a log, changes each time it runs. */
const writtenFiles =
  /(?:[\d&]?>{1,2}[|&]?\s*|\btee\s+(?:-\S+\s+)*)(?:"[^"]*"|'[^']*'|[^\s;|&<>()"'])+/gu;

export function withoutWritten(text: string): string {
  return text.slice(0, maxChars).replaceAll(writtenFiles, " ");
}

/** The project variables, also with a default, and the directory in which a command is. */
export const knownVariables =
  /\$(?:(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)\b|\{(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|PWD)(?::?[-=?][^{}]*)?\})/gu;

/** A word with the values of variables that are known, and the defaults of others. */
function expanded(word: string, workspace: string): string {
  return withVariables(word, workspace).replaceAll(/\$\{\w+:?[-=]([^{}]*)\}/gu, "$1");
}

export function withVariables(word: string, workspace: string): string {
  return word.replaceAll(knownVariables, (name) => (/^\$\{?PWD/u.test(name) ? "." : workspace));
}

/** Variables with which programs load code. Those that list directories, as PYTHONPATH, name no file by themselves. */
export const loadingVariables =
  /^(NODE_OPTIONS|BASH_ENV|ENV|PYTHONSTARTUP|RUBYOPT|PERL5OPT|LUA_INIT|LD_PRELOAD|DYLD_INSERT_LIBRARIES|JAVA_TOOL_OPTIONS|CLASSPATH|GIT_SSH_COMMAND)=/u;

/** Words after which a command follows. */
const prefixes: ReadonlySet<string> = new Set(
  "if then else elif do while until ! { time exec env sudo nice nohup command builtin setsid stdbuf timeout xargs npx bunx uvx".split(
    " ",
  ),
);

/** Options of interpreters that may take the next word as their value. Others are known to take none, or code. */
const takesValue =
  /^-(?:[rCWXIOd]|[a-z]*o)$|^--(?!(?:no|allow|enable|disable|trace|inspect|watch|harmony|unstable|quiet|verbose|posix|login|eval|print)(?:-|$)|experimental-(?!loader|config)|nor?c|noprofile)[\w-]+$/u;

/** A command that makes code of files that are data elsewhere: it makes them executable, or pipes them to a shell. */
export const makesCode =
  /\bchmod\b|\|&?\s*(?:[\w/.-]*\/)?(?:(?:ba|z|da|k|fi)?sh|node|python[\d.]*|perl|ruby)(?:\s+-[a-z]*)*\s*(?:$|[;&|)\n"'`])/u;

interface Word {
  readonly word: string;
  /** `given`: an interpreter loads it, so that its ending may be missing. */
  readonly role: "command" | "given" | "other";
  /** Endings that may be missing. */
  readonly endings: readonly string[];
}

/** Words of a command as a shell would see them, and the parts of those that hold a command or a list of paths. */
export function wordsOf(
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
    for (const { word, role, endings } of placedWords(tokens, workspace)) {
      addParts(word, role === "assignment" ? "other" : role, endings);
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

/** A word with its place in a command. */
export interface PlacedWord {
  readonly word: string;
  readonly role: Word["role"] | "assignment";
  /** Endings that may be missing. */
  readonly endings: readonly string[];
  readonly command: SimpleCommand;
  /** Number of words of its command before it. */
  readonly index: number;
}

/** One command with its arguments. */
interface SimpleCommand {
  /** Words from the program on, without words before it as `time`. */
  readonly words: string[];
  /** Words before the program, and their options. */
  readonly prefixes: string[];
}

/** The role of each word. */
export function placedWords(tokens: readonly Token[], workspace: string): readonly PlacedWord[] {
  const placed: PlacedWord[] = [];
  let next: Word["role"] = "other";
  let mayBeValue = false;
  let ofLoader: readonly string[] = [];
  let command: SimpleCommand = { words: [], prefixes: [] };
  for (const token of tokens) {
    const word = expanded(token.word, workspace);
    if (token.starts) {
      next = "command";
      command = { words: [], prefixes: [] };
    }
    const isLoader =
      interpreters.test(word) && (next === "command" || !/^(?:source|\.)$/u.test(word));
    const place = (role: PlacedWord["role"], endings: readonly string[] = []) =>
      placed.push({ word, role, endings, command, index: command.words.length });
    let isPrefix = false;
    if (/^\w+=/u.test(word)) {
      place("assignment");
      isPrefix = next === "command";
    } else if (isLoader) {
      place("command");
      next = "given";
      ofLoader = endingsFor(word);
      mayBeValue = false;
    } else if (next === "given" && word.startsWith("-")) {
      place("given", ofLoader);
      mayBeValue = takesValue.test(word);
    } else {
      place(next, next === "given" ? ofLoader : []);
      isPrefix = next === "command" && (prefixes.has(word) || /^(?:-.*|\d+\w?)$/u.test(word));
      const goesOn = isPrefix || (next === "given" && (mayBeValue || word === "run"));
      if (!goesOn) next = "other";
      mayBeValue = false;
    }
    (isPrefix ? command.prefixes : command.words).push(word);
  }
  return placed;
}

/** Depth to which texts in quotes are read as commands. */
export const maxDepth = 3;

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

export function shellWords(text: string): readonly string[] {
  return shellTokens(text).map(({ word }) => word);
}

/** Splits a text at blanks and operators outside quotes, and removes the quotes. */
export function shellTokens(text: string): readonly Token[] {
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
