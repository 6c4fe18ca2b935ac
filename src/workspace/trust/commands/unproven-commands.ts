import { interpreters, loadingVariables, maxDepth } from "./command-words.ts";
import { operandPrograms, inertPrograms, readers, settingBuiltins } from "./program-tables.ts";
import { simpleCommands, type ShellWord, type SimpleCommand } from "./simple-commands.ts";

/**
 * Commands of a text for which nothing proves which files they run. Proved are those whose program runs no code of its
 * operands, or is a file that is named and covered, provided that no command writes what another runs.
 */
export function unprovenCommands(
  command: string | readonly string[],
  isCovered: (file: string) => boolean,
): readonly string[] {
  const found: Found = { commands: [], isElsewhere: false, unknown: [] };
  if (typeof command === "string") judgeText(command, found, 0);
  else {
    const words = command.map((text) => ({ text, isLiteral: !text.includes("$") }));
    const source = command.join(" ");
    judgeCommand({ source, words, assignments: [], reads: [], writes: [] }, found, 0);
  }
  const { commands } = found;
  const runners = commands.filter(({ runs }) => runs !== undefined);
  const missed = runners.filter(({ runs = "" }) => !isCovered(runs));
  const readsFiles = commands.some((each) => each.readsFiles);
  const writers = commands.filter((each) => {
    if (!each.writesFile) return false;
    const isAlone = runners.every((runner) => runner === each);
    return !isAlone || (readsFiles && each.runs === undefined);
  });
  return [...found.unknown, ...[...missed, ...writers].map(({ source }) => source)];
}

interface Found {
  readonly commands: CommandUse[];
  /** Whether an earlier command may have changed the directory. */
  isElsewhere: boolean;
  readonly unknown: string[];
}

interface Use {
  /** File that it runs, which another command may have written. */
  readonly runs: string | undefined;
  /** Whether the content of a file may be in its output. */
  readonly readsFiles: boolean;
  /** Whether it writes a file with content that it gets. */
  readonly writesFile: boolean;
}

interface CommandUse extends Use {
  readonly source: string;
}

type Words = readonly ShellWord[];

function judgeText(text: string, found: Found, depth: number): void {
  const parsed = depth > maxDepth ? undefined : simpleCommands(text);
  if (parsed === undefined) {
    found.unknown.push(text);
    return;
  }
  for (const part of parsed.masked.parts) {
    const inner = /^(?:\$\((?!\()([^]*)\)|`([^`\\]*)`)$/u.exec(part);
    if (inner !== null) judgeText(inner[1] ?? inner[2] ?? "", found, depth + 1);
    else if (!isPlainPart(part)) found.unknown.push(part);
  }
  for (const command of parsed.commands) judgeCommand(command, found, depth);
}

/** A variable, its length, a part of it, or its default. Other parts calculate, or run commands. */
const plainParts: readonly RegExp[] = [
  /^\$(?:\w+|[@*]|'[^]*'|\(\([\s\d+*%()-]*\)\))$/u,
  /^\$\{#?(?:\w+|[@*])(?:\[[@*\d]\])?\}$/u,
  /^\$\{(?:\w+|[@*]):\d+(?::\d+)?\}$/u,
  /^\$\{(?:\w+|[@*])(?:\[[@*\d]\])?(?::?[-+?]|##?|%%?|\/|,,?|\^\^?)(?:[^`$]|\$\w)*\}$/u,
];

function isPlainPart(part: string): boolean {
  return plainParts.some((pattern) => pattern.test(part));
}

function judgeCommand(command: SimpleCommand, found: Found, depth: number): void {
  const { source, assignments, reads, writes } = command;
  const isKnown = assignments.every((each) =>
    isKnownValue(each, { isExported: command.words.length > 0 }),
  );
  const words = isKnown ? withoutPrefixes(command.words) : undefined;
  const use = words === undefined ? undefined : useOf(words, found, depth);
  if (use === undefined) {
    found.unknown.push(source);
    return;
  }
  const isWritten = writes.some(({ text }) => !/^\/dev\/(?:null|stdout|stderr|tty)$/u.test(text));
  found.commands.push({
    source,
    runs: use.runs,
    readsFiles: use.readsFiles || reads.length > 0,
    writesFile: use.writesFile || isWritten,
  });
}

/** Names for values of the call that no program loads. */
const dataNames =
  /^(?:FILES?|FILE_PATHS?|INPUT|LINE|JSON|COMMAND|CMD|TOOL|TOOL_NAME|MESSAGE|MSG|TITLE|NAME|REPLY|EXT|STATUS|RESULT|OUTPUT)$/u;

/** Variables whose value no program takes for a file. */
const plainNames =
  /^(?:CI|NODE_ENV|FORCE_COLOR|NO_COLOR|LANG|LC_ALL|TZ|TERM|DEBUG|VERBOSE|QUIET|DRY_RUN|SKIP|PORT|LOG_LEVEL|HUSKY|PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|IOENCODING)|GIT_(?:TERMINAL_PROMPT|OPTIONAL_LOCKS))$/u;

/** Whether no program loads the code that an assignment names, or trust covers it. */
function isKnownValue(text: string, { isExported }: { readonly isExported: boolean }): boolean {
  const [, name = "", value = ""] = /^(\w+)\+?=([^]*)$/u.exec(text) ?? [];
  if (/^(?:CLAUDE_PROJECT_DIR|HAFT_PROJECT_DIR|OLDPWD|PWD|IFS|.*PATH|c?d?f?path)$/u.test(name)) {
    return (dataNames.test(name) && !isExported) || text === "IFS=";
  }
  if (plainNames.test(name) || dataNames.test(name) || value === "") return true;
  if (loadingVariables.test(`${name}=`)) {
    // Packages and commands may be named as well; paths and other options are found.
    const isFound = value
      .split(/\s+/u)
      .every((each) => /^(?:-|[./\w-]*[./])[\w./=,:-]*$/u.test(each));
    return isFound && name !== "GIT_SSH_COMMAND";
  }
  if (isExported) return false;
  return /^(?!npm_)[a-z_][a-z\d_]*$/u.test(name) || /^\uE000\d+\uE001$/u.test(value);
}

/** Words before a program, with the options that they may have. */
const prefixPatterns: ReadonlyMap<string, RegExp> = new Map([
  ["time", /^(?:-p )?/u],
  ["exec", /^/u],
  ["command", /^(?:-[pvV] )?/u],
  ["builtin", /^/u],
  ["nohup", /^/u],
  ["setsid", /^(?:-[fw] )*/u],
  ["nice", /^(?:-n -?\d+ |-\d+ )?/u],
  [
    "timeout",
    /^(?:(?:-v|--foreground|--preserve-status|-k \d+\w?|-s \w+|--signal=\w+) )*[\d.]+[smhd]? /u,
  ],
  ["env", /^/u],
  ["sudo", /^(?:(?:-[nEH]+|-u \w+) )*/u],
  ["stdbuf", /^(?:-[ioe][L0] )*/u],
]);

/** The program and its arguments; undefined where it is not known which word the program is. */
function withoutPrefixes(words: Words): Words | undefined {
  let rest = words;
  for (;;) {
    const [first] = rest;
    const pattern = first?.isLiteral === true ? prefixPatterns.get(nameOf(first.text)) : undefined;
    if (first === undefined || pattern === undefined) return rest;
    rest = rest.slice(1);
    const literals = rest.slice(0, 12).map(({ text }) => (/\s/u.test(text) ? "?" : text));
    const options = pattern.exec(`${literals.join(" ")} `)?.[0];
    if (options === undefined) return undefined;
    rest = rest.slice(options.split(" ").length - 1);
    while (first.text.endsWith("env") && /^\w+=/u.test(rest[0]?.text ?? "")) {
      if (!isKnownValue(rest[0]?.text ?? "", { isExported: true })) return undefined;
      rest = rest.slice(1);
    }
  }
}

/** Name of a program in a directory of the system, or of the packages of the workspace. */
function nameOf(program: string): string {
  return program.replace(
    /^(?:\/(?:usr\/)?(?:local\/)?bin\/|\/opt\/homebrew\/bin\/|(?:\.?\/)?node_modules\/\.bin\/)/u,
    "",
  );
}

const uses = (use: Partial<Use> = {}): Use => ({
  runs: undefined,
  readsFiles: false,
  writesFile: false,
  ...use,
});

/** Use that a program makes of its arguments; undefined if that is not known. */
function useOf(words: Words, found: Found, depth: number): Use | undefined {
  const [program, ...args] = words;
  if (program === undefined) return uses();
  if (program.text === "" || !(program.isLiteral || /^\[\[?$/u.test(program.text)))
    return undefined;
  const name = nameOf(program.text);
  if (interpreters.test(name)) return useOfInterpreter(name, args, { found, depth });
  const known = useOfProgram(name, args, found);
  if (known !== undefined) return known;
  // A file that is named, which decides about its arguments.
  return name.includes("/") && isFile(program) ? uses({ runs: program.text }) : undefined;
}

function useOfProgram(name: string, args: Words, found: Found): Use | undefined {
  const texts = args.map(({ text }) => text);
  const options = texts.filter((text) => /^-./u.test(text));
  const operands = texts.filter((text) => !/^(?:-.*|\W?|\d+)$/u.test(text));
  if (inertPrograms.has(name) || settingBuiltins.has(name)) {
    found.isElsewhere ||= name === "cd" && texts.some((text) => text !== "" && text !== ".");
    return isHarmlessBuiltin(name, texts) ? uses() : undefined;
  }
  const own = readers.get(name);
  if (own !== undefined) return uses({ readsFiles: operands.length > own });
  switch (name) {
    case "uniq":
      return operands.length > 1 ? undefined : uses({ readsFiles: operands.length > 0 });
    case "tee":
      return uses({ writesFile: operands.some((text) => text !== "/dev/null") });
    case "sed":
      return useOfSed(options, operands);
    case "git":
      // A directory may be a repository of its own, whose configuration names programs.
      return found.isElsewhere ? undefined : useOfGit(texts);
    case "curl":
      return isPlainCurl(texts) ? uses({ readsFiles: true }) : undefined;
  }
  const safe = operandPrograms.get(name);
  if (safe === undefined || !options.every((text) => safe.test(text))) return undefined;
  if (name === "tsc" && !options.includes("--noEmit")) return undefined;
  return uses({ readsFiles: true });
}

/** Operators with which a shell calculates, which runs the substitutions in a text. */
export const calculates = /^-(?:eq|ne|lt|le|gt|ge|v)$/u;

/** Whether an operator of a test has numbers, or parts that are judged by themselves. A name may have code as its value. */
function isNumeric(operator: string, at: number, texts: readonly string[]): boolean {
  const sides = operator === "-v" ? [texts[at + 1]] : [texts[at - 1], texts[at + 1]];
  const plain = operator === "-v" ? /^\w+$/u : /^(?:-?\d+|\$[#?]|\uE000\d+\uE001)$/u;
  return sides.every((side) => plain.test(side ?? ""));
}

function isHarmlessBuiltin(name: string, texts: readonly string[]): boolean {
  switch (name) {
    case "printf":
      return !texts[0]?.startsWith("-v");
    case "test":
    case "[":
    case "[[":
      return texts.every((text, at) => !calculates.test(text) || isNumeric(text, at, texts));
    case "set":
      return texts.every((text) => /^(?:-[euxo]+|\+[ex]|pipefail)$/u.test(text));
    case "read":
    case "for": {
      const names =
        name === "for" ? texts.slice(0, 1) : texts.filter((text) => !text.startsWith("-"));
      return names.every((text) => isKnownValue(`${text}=x`, { isExported: false }));
    }
    case "local":
    case "export":
    case "declare":
    case "typeset":
    case "readonly":
      return texts.every(
        (text) => !text.startsWith("-") && isKnownValue(text, { isExported: true }),
      );
    default:
      return true;
  }
}

/** A command of sed that only selects, deletes or replaces lines. */
const sedCommand =
  /^(?:(?:\d+|\$|\/(?:[^/\\]|\\.)*\/)(?:,(?:\d+|\$|\/(?:[^/\\]|\\.)*\/))?)?\s*(?:[dpq]|s([/|,#])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*)(?:;\s*|$)/u;

function useOfSed(options: readonly string[], operands: readonly string[]): Use | undefined {
  const isKnown = options.every((text) => operandPrograms.get("sed")?.test(text));
  let [script = ""] = operands;
  if (!isKnown) return undefined;
  while (script !== "") {
    const part = sedCommand.exec(script)?.[0];
    if (part === undefined || part === "") return undefined;
    script = script.slice(part.length);
  }
  return options.includes("-i")
    ? uses({ writesFile: true })
    : uses({ readsFiles: operands.length > 1 });
}

function useOfGit([subcommand = "", ...rest]: readonly string[]): Use | undefined {
  const isReader = /^(?:add|commit|diff|log|show|status|rev-parse|ls-files|branch)$/u.test(
    subcommand,
  );
  // Those that write a file, or run a program of the configuration, also abbreviated.
  const isPlain = !rest.some((text) => /^(?:--(?:o|ex)|-O)/u.test(text));
  return isReader && isPlain ? uses({ readsFiles: true }) : undefined;
}

function isPlainCurl(texts: readonly string[]): boolean {
  return texts.every((text, at) => {
    const before = texts[at - 1] ?? "";
    if (/^(?:-o|--output)$/u.test(before)) return text === "/dev/null";
    return (
      !text.startsWith("-") ||
      /^-(?:[sSfLk]*[sSfLkoXdHm]|-silent|-fail|-location|-data|-data-raw|-header|-request|-max-time|-output)$/u.test(
        text,
      )
    );
  });
}

/** Options of interpreters that load nothing, or a file that is found. A `?` stands for a value. */
const interpreterOptions: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:ba|z|da|k)?sh$/u,
    /^(?:[-+](?:[eufxlvhn]*o \w+|[eufxlvhn]+)|--posix|--norc|--noprofile|--login) /u,
  ],
  [/^python[\d.]*$/u, /^(?:-[uBEsSIPOvqbd]+|-W ?ignore) /u],
  [
    /^(?:node|nodejs|tsx)$/u,
    /^(?:--(?:no-warnings|enable-source-maps|experimental-(?:strip-types|transform-types)|max-old-space-size=\d+)|(?:--(?:import|require|loader)[ =]|-r ?)\.{0,2}\/[\w./@-]+) /u,
  ],
  [/^deno$/u, /^(?:run|-A|-q|--no-prompt|--allow-[\w-]+(?:=[\w./,:-]+)?) /u],
  [/^java$/u, /^-jar /u],
  [/^pwsh$/u, /^-(?:NoProfile|NonInteractive|File) /u],
  [/^(?:perl|ruby)$/u, /^-w /u],
];

function useOfInterpreter(
  path: string,
  args: Words,
  { found, depth }: { readonly found: Found; readonly depth: number },
): Use | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (/^[gmn]?awk$/u.test(name)) return useOfAwk(args);
  if (name === "osascript") {
    const isPlain = args.every(({ text }, at) => (at % 2 === 0 ? text === "-e" : isNotice(text)));
    return isPlain && args.length > 0 ? uses() : undefined;
  }
  // They load what a file of configuration names.
  if (/^(?:bun|ts-node)$/u.test(name)) return undefined;
  const options = interpreterOptions.find(([program]) => program.test(name))?.[1] ?? /(?!)/u;
  let rest = args;
  for (;;) {
    const [first, second, third] = rest;
    const isShell = /^(?:ba|z|da|k)?sh$/u.test(name);
    if (isShell && first?.isLiteral === true && /^-[eux]*c$/u.test(first.text)) {
      if (second === undefined || /[\uE000\uE001]/u.test(second.text)) return undefined;
      // Other shells split some texts of bash in another way.
      const isOther = !/^(?:bash|(?:da)?sh)$/u.test(name);
      const isBash = /\[\[|&>|\$['"]|[<>]\(|<<</u.test(second.text);
      if (isOther || (name !== "bash" && isBash)) return undefined;
      judgeText(second.text, found, depth + 1);
      return uses();
    }
    const literals = [first, second, third].map((word) =>
      word === undefined || /\s/u.test(word.text) || !word.isLiteral ? "?" : word.text,
    );
    const option = options.exec(`${literals.join(" ")} `)?.[0];
    if (option === undefined) break;
    rest = rest.slice(option.split(" ").length - 1);
  }
  const [script] = rest;
  if (script === undefined || !isFile(script)) return undefined;
  if (name === "deno" && !/[./]/u.test(script.text)) return undefined;
  return uses({ runs: script.text });
}

/** Whether a word names a file, which trust covers where the workspace has it. */
function isFile({ text, isLiteral }: ShellWord): boolean {
  const isDevice = /^\/|(?:^|\/)\.\.\//u.test(text) && /\/(?:dev|proc)\//u.test(text);
  return isLiteral && !isDevice && !/^-|^$|:|^~[^/]/u.test(text);
}

/** A program of awk that starts, loads and writes nothing, with its options. */
function useOfAwk(args: Words): Use | undefined {
  for (let at = 0; at < args.length; at += 1) {
    const { text, isLiteral } = args[at] ?? { text: "", isLiteral: false };
    if (/^-[Fv]$/u.test(text)) at += 1;
    else if (text === "-f") {
      const [file, ...rest] = args.slice(at + 1);
      const isOnly = !rest.some((each) => each.text.startsWith("-"));
      return file !== undefined && isFile(file) && isOnly ? uses({ runs: file.text }) : undefined;
    } else if (!/^-[Fv]./u.test(text)) {
      const isPlain = !/^-|system|getline|[|@>\uE000]/u.test(text);
      return isPlain ? uses({ readsFiles: args.length > at + 1 }) : undefined;
    }
    if (!isLiteral && text.startsWith("-")) return undefined;
  }
  return undefined;
}

/** A script of AppleScript that only shows a text. */
function isNotice(text: string): boolean {
  return /^\s*(?:display (?:notification|dialog)|beep|say)(?:\s+(?:"[^"\\]*"|with title|subtitle|sound name|\d+))*\s*$/u.test(
    text,
  );
}
