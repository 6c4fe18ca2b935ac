import {
  interpreters,
  knownVariables,
  loadingVariables,
  makesCode,
  maxChars,
  maxDepth,
  maxWords,
  placedWords,
  shellTokens,
  withoutWritten,
  wordsOf,
  type PlacedWord,
  type StartedProgram,
} from "./command-words.ts";
import { calculates, unprovenCommands } from "./unproven-commands.ts";
import { maskParts, type MaskedText } from "./computed-parts.ts";
import { operandPrograms, inertPrograms, readers } from "./program-tables.ts";

/**
 * Parts of a command whose files are not known before it runs. A value that is only known then is named, unless it is
 * surely an argument of a program that runs nothing: a name too many costs a look, a missing one hides code.
 */
export function uncoveredParts({ command }: Pick<StartedProgram, "command">): readonly string[] {
  const whole = typeof command === "string" ? command : command.join(" ");
  const text = whole.slice(0, maxChars).replaceAll(knownVariables, "");
  const words = wordsOf({ command: text }, "/");
  const runners = words.flatMap(({ word, role }) =>
    role === "command" && startsOthers.has(word) ? [word] : [],
  );
  const modules = text.match(/\bpython[\d.]*\s+-m\s+\S+/gu) ?? [];
  const isProven =
    !makesCode.test(text) &&
    !redefines.test(text) &&
    (!readsLines.test(text) || readsCall.test(text));
  const mayExport = exports.test(text);
  const scope: Scope = { isProven, mayExport, values: new Map(), inputs: new Map(), depth: 0 };
  const isLong = wordsOf({ command }, "/").length > maxWords;
  const parts = [...new Set([...runners, ...modules, ...partsOf(text, scope)])];
  const written =
    typeof command === "string" ? text : command.map((each) => each.replaceAll(knownVariables, ""));
  const run = new Set(
    wordsOf({ command: written }, "/").flatMap(({ word, role }) =>
      role === "other" ? [] : [word],
    ),
  );
  const commands = unprovenCommands(written, (file) => run.has(file.replace(/^~\//u, "/")));
  const isNamed = (each: string) =>
    parts.some((part) => holds(each, part) || (/^[$`]/u.test(part) && part.includes(each)));
  const others = [...new Set(commands)].filter((each) => !isNamed(each)).map(shortened);
  return [
    ...parts,
    ...others.slice(0, maxCommands),
    ...(others.length > maxCommands ? [`${others.length - maxCommands} more commands`] : []),
    ...(isLong ? [`words after the first ${maxWords}`] : []),
    ...(whole.length > maxChars ? [`characters after the first ${maxChars}`] : []),
  ];
}

/** Maximum numbers of commands that are named, and of the characters of each. */
const maxCommands = 20;
const maxNamed = 80;

function shortened(text: string): string {
  const command = text.replaceAll(/\s+/gu, " ").trim();
  return command.length > maxNamed ? `${command.slice(0, maxNamed)}…` : command;
}

/** Whether a text holds a part as a whole word. */
function holds(text: string, part: string): boolean {
  const isWord = /^\w/u.test(part);
  return isWord ? ` ${text} `.includes(` ${part} `) : text.includes(part);
}

/** Programs that start what other files name. */
const startsOthers: ReadonlySet<string> = new Set(
  "npm npx pnpm yarn bunx make just task cargo go gradle mvn rake uv uvx poetry pipx docker eval xargs find bundle composer mix tox nox hatch pdm rye pre-commit lefthook mise rails ant ninja meson ctest cmake bazel dotnet swift pytest jest vitest".split(
    " ",
  ),
);

/**
 * A command that may give the name of a program another meaning, has text that no quotes limit, or sets variables by
 * other means than an assignment.
 */
const redefines =
  /\w\s*\(\s*\)|\b(?:function|alias|enable|hash|trap)\s|\bPATH\+?=|<<(?!<)|(?<!\$)\(\(|\$\{\w+:?=/u;

/** A command that reads lines into variables. */
const readsLines = /\b(?:read|mapfile|readarray)\s/u;

/** A command whose lines are a field of the hook's call, which is on its input. */
const readsCall = /^\s*jq(?:\s+-\w+)*\s+(?:'[^']*'|"[^"$`]*"|[^\s'"|<;&$`]+)\s*\|[^<]*$/u;

/** A command that may pass its variables to programs, or to a script that it loads. */
const exports =
  /\b(?:export|declare|typeset|allexport|source|set\s+[-+]\w*[ak])|(?:^|[\s;&|({])\.\s/u;

/** Programs and words of a shell that run nothing, whatever their arguments are. */
const inert: ReadonlySet<string> = new Set([...inertPrograms, ...readers.keys(), "case", "uniq"]);

/** Options of words before a program after which the program follows. */
const prefixOptions = /^(?:-0|-r|-n1|-y|--yes|--no-install)$/u;

const shells = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da|k)?sh$/u;

interface Scope {
  /** Whether the names of programs have their meaning, and files of data stay data. */
  readonly isProven: boolean;
  readonly mayExport: boolean;
  /** Texts that variables are set to. */
  readonly values: Map<string, string[]>;
  /** Whether all values of a variable are part of the call. */
  readonly inputs: Map<string, boolean>;
  readonly depth: number;
}

function partsOf(text: string, scope: Scope): readonly string[] {
  const masked = maskParts(text.replaceAll(casePatterns, ";; "));
  const words = placedWords(shellTokens(withoutWritten(masked.text)), "/");
  for (const placed of words) noteValue(placed, masked, scope);
  scope.inputs.clear();
  const below = { ...scope, depth: scope.depth + 1 };
  return words.flatMap((placed): readonly string[] => {
    const { word } = placed;
    const inner = masked.partsIn(word).flatMap((part) => {
      // Programs in the default of a variable run too.
      if (part.startsWith("${") && /`|\$\(/u.test(part)) return [part];
      const [, substitution] = /^(?:\$\(|`)([^]*?)[)`]?$/u.exec(part) ?? [];
      if (substitution === undefined || scope.depth >= maxDepth) return [];
      return partsOf(substitution, below);
    });
    if (isData(placed, masked, scope) || isLocalValue(placed, masked, scope)) return inner;
    if (isShellCode(placed) && masked.partsIn(word).length === 0 && scope.depth < maxDepth) {
      return partsOf(word, below);
    }
    return isPlainAwk(placed, masked) ? inner : [...allParts(masked.restore(word)), ...inner];
  });
}

/** Patterns of a `case` after the first, which are not commands. */
const casePatterns = /;;&?\s*\(?[^\s()"'$`]+(?:\s*\|\s*[^\s()"'$`]+)*\s*\)/gu;

/** All parts of a text that are known only when it runs. */
function allParts(text: string): readonly string[] {
  const patterns = text.split(/[\s"']+/u).filter((word) => isPattern(maskParts(word).text));
  return [...maskParts(text, { isQuoted: true }).parts, ...patterns];
}

/** Whether a shell makes other words of one: by a pattern, by braces, or by the home of another user. */
function isPattern(word: string): boolean {
  const braces = word.match(/\{[^{}]*\}/gu) ?? [];
  return (
    /[*?]|\[[^\][]+\]|^~\w/u.test(word) ||
    braces.some((each) => each.includes(",") || each.includes(".."))
  );
}

/** Whether a word is surely an argument of a program that runs nothing. */
function isData(placed: PlacedWord, masked: MaskedText, scope: Scope): boolean {
  const { word, role, command, index } = placed;
  const { words, prefixes } = command;
  if (!scope.isProven || role !== "other") return false;
  if (prefixes.some((each) => each.startsWith("-") && !prefixOptions.test(each))) return false;
  const [program = "", ...rest] = words.slice(0, index);
  const isPackage = prefixes.some((each) => /^(?:npx|bunx|uvx)$/u.test(each));
  if (inert.has(program) && !isPackage) {
    return !words.some((each) => calculates.test(each));
  }
  const name = program.replace(/^(?:\/(?:usr\/)?bin\/|(?:\.?\/)?node_modules\/\.bin\/)/u, "");
  const parts = masked.partsIn(word);
  if (parts.length > 0 && isOfCall(placed) && parts.every((part) => isInput(part, scope))) {
    return true;
  }
  const options = operandPrograms.get(name);
  if (options === undefined || word.startsWith("-") || /^[*?[{]/u.test(word)) return false;
  const before = words[index - 1] ?? "";
  const isOperand = index === 1 || !before.startsWith("-") || options.test(before);
  const operands = rest.filter((each) => !each.startsWith("-"));
  const needed = name === "sed" || name === "git" ? 1 : 0;
  const isAfter = operands.length >= needed && (name !== "git" || isPlainGit(rest[0] ?? ""));
  return (
    isOperand && isAfter && parts.every((part) => isInput(part, scope) || isGiven(part, scope))
  );
}

function isPlainGit(subcommand: string): boolean {
  return /^(?:add|commit|diff|log|show|status)$/u.test(subcommand);
}

/** Whether a word is an argument of a script whose file is named, which is covered. */
function isOfCall({ command: { words }, index }: PlacedWord): boolean {
  const [program = "", script = ""] = words;
  if (/^(?:[\w.][\w./-]*\/[\w.-]+|\/[\w./-]+\.\w+)$/u.test(program) && !interpreters.test(program))
    return index > 0;
  return interpreters.test(program) && index > 1 && /^[\w./][\w./-]*$/u.test(script);
}

/** Whether a value is part of the call that a hook is about. */
function isInput(part: string, scope: Scope): boolean {
  const name = variableOf(part);
  if (name !== undefined) {
    const values = scope.values.get(name);
    if (values === undefined) return /^CLAUDE_(?:FILE_PATHS|TOOL_\w+)$/u.test(name);
    const known = scope.inputs.get(name);
    if (known !== undefined) return known;
    // False while it is found out: a value that holds itself is not known.
    scope.inputs.set(name, false);
    const isFound = values.every((value) => isInputText(value, scope));
    scope.inputs.set(name, isFound);
    return isFound;
  }
  const [, text] = /^\$\(([^]*)\)$/u.exec(part) ?? [];
  return text !== undefined && isInputText(text, scope, true);
}

function isInputText(text: string, scope: Scope, isCommand = false): boolean {
  if (scope.depth > maxDepth) return false;
  const below = { ...scope, depth: scope.depth + 1 };
  const masked = maskParts(text);
  if (!masked.parts.every((part) => isInput(part, below))) return false;
  if (!isCommand) return true;
  if (/[<>]/u.test(text)) return false;
  return placedWords(shellTokens(masked.text), "/").every(({ command, role }) => {
    const [program = "", ...rest] = command.words;
    const operands = rest.filter((each) => !each.startsWith("-"));
    if (role === "assignment" || command.prefixes.length > 0) return false;
    if (program === "echo" || program === "printf") return true;
    if (program === "cat") return rest.length === 0;
    return (
      program === "jq" &&
      operands.length <= 1 &&
      rest.every((each) => /^(?:-[re]+|[^-].*)$/u.test(each))
    );
  });
}

/** Whether a value is set outside the command. */
function isGiven(part: string, scope: Scope): boolean {
  const name = variableOf(part);
  return name !== undefined && !scope.values.has(name);
}

function variableOf(part: string): string | undefined {
  return /^\$\{?(\w+)\}?$/u.exec(part)?.[1];
}

function noteValue({ word, role, command, index }: PlacedWord, masked: MaskedText, scope: Scope) {
  const [, name, value] = role === "assignment" ? (/^(\w+)=([^]*)$/u.exec(word) ?? []) : [];
  const [program, variable, separator] = command.words;
  const isListed = program === "for" && separator === "in" && index > 2;
  const target = name ?? (isListed ? variable : undefined);
  if (target === undefined) return;
  const text = masked.restore(value ?? word);
  const values = scope.values.get(target) ?? [];
  // A pattern stands for names that nothing has judged.
  values.push(name === undefined && isPattern(word) ? "$(ls)" : text);
  scope.values.set(target, values);
}

/** Whether a word only sets a variable of the shell, each use of which is judged by itself. */
function isLocalValue(
  { word, role, command }: PlacedWord,
  masked: MaskedText,
  scope: Scope,
): boolean {
  if (role !== "assignment" || command.words.length > 0) return false;
  const isAlone = command.prefixes.every((each) =>
    /^(?:\w+=[^]*|if|then|else|elif|do|while|until|!|\{)$/u.test(each),
  );
  const name = word.slice(0, word.indexOf("="));
  if (!isAlone || !scope.isProven || scope.mayExport) return false;
  if (loadingVariables.test(`${name}=`)) return false;
  // A variable in capitals may be in the environment already, and programs may load what it names.
  const isOwn = /^(?!npm_)[a-z_][a-z\d_]*$/u.test(name);
  return isOwn || masked.partsIn(word).every((part) => isInput(part, scope));
}

function isShellCode({ role, command: { words }, index }: PlacedWord): boolean {
  return (
    role === "given" && shells.test(words[0] ?? "") && /^-[a-z]*c$/u.test(words[index - 1] ?? "")
  );
}

/** Whether a word is a program of awk, whole in quotes, that starts and loads nothing. */
function isPlainAwk({ word, command: { words }, index }: PlacedWord, masked: MaskedText): boolean {
  return (
    /^[gmn]?awk$/u.test(words[0] ?? "") &&
    index === 1 &&
    masked.partsIn(word).length === 0 &&
    !/system|getline|[|@>]/u.test(word)
  );
}
