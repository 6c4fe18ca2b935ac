import { anyCommand, gap, type CommandPattern } from "./command-pattern.ts";
import type { Wildcard } from "./wildcard.ts";

export type CommandReading =
  | { readonly kind: "command"; readonly pattern: CommandPattern }
  /** A list or pipeline: no single command ever matches it. */
  | { readonly kind: "list"; readonly parts: readonly CommandPattern[] };

/** Parses the text between the parentheses of `Bash(...)`: words with quotes and backslashes as in a shell, and `*`. */
export function readCommandPattern(spec: string): CommandReading {
  const { commands, isList } = splitCommands(spec);
  const parts = commands.map(compileCommand);
  const [first] = parts;
  if (!isList && first !== undefined) return { kind: "command", pattern: first };
  return { kind: "list", parts };
}

interface PatternWord {
  /** Text between stars. */
  readonly pieces: readonly string[];
}

function compileCommand(words: readonly PatternWord[]): CommandPattern {
  const list = [...words];
  const last = list.at(-1);
  let hasOpenEnd = false;
  if (last !== undefined && isLoneStar(last) && list.length > 1) {
    list.pop();
    hasOpenEnd = true;
  } else if (last !== undefined && last.pieces.length > 1 && last.pieces.at(-1) === "") {
    const stem = last.pieces.slice(0, -1);
    const end = stem.at(-1) ?? "";
    // `npm:*` is the older spelling of `npm *`.
    if (end.endsWith(":") && end.length > 1) {
      list[list.length - 1] = { pieces: [...stem.slice(0, -1), end.slice(0, -1)] };
      hasOpenEnd = true;
    }
  }
  if (words.length === 1 && last !== undefined && isLoneStar(last)) return anyCommand;
  const pieces = joinWords(list);
  const program = list.find(({ pieces: [start = ""] }) => !/^[A-Za-z_]\w*=/u.test(start));
  const exact: Wildcard = { pieces };
  const open: Wildcard = { pieces: [...pieces.slice(0, -1), `${pieces.at(-1) ?? ""}${gap}`, ""] };
  return {
    isAny: false,
    isNamed: program !== undefined && program.pieces.length === 1,
    forms: hasOpenEnd ? [exact, open] : [exact],
    hasStar: hasOpenEnd || pieces.length > 1,
  };
}

function isLoneStar(word: PatternWord): boolean {
  return word.pieces.length > 1 && word.pieces.every((piece) => piece === "");
}

function joinWords(words: readonly PatternWord[]): readonly string[] {
  const pieces: string[] = [];
  words.forEach((word, index) => {
    const [first = "", ...rest] = word.pieces;
    if (index === 0) pieces.push(first);
    else pieces.push(`${pieces.pop() ?? ""}${gap}${first}`);
    pieces.push(...rest);
  });
  return pieces;
}

interface SplitSpec {
  readonly commands: readonly (readonly PatternWord[])[];
  /** The text contains a list operator or redirection, so it is more than the words of one command. */
  readonly isList: boolean;
}

/** A redirection without effects on files: to `/dev/null`, or to another output. */
const harmlessRedirect = /^(?:&?>>?\s*\/dev\/null|>&\d)(?=\s|$)/u;

/**
 * Splits a text into words with quotes removed, and into commands at `&&`, `||`, `;`, `|`, `&`, redirections and line
 * ends. A star is a wildcard unless a backslash precedes it.
 */
function splitCommands(spec: string): SplitSpec {
  const commands: PatternWord[][] = [];
  let isList = false;
  let words: PatternWord[] = [];
  let pieces: string[] | undefined;
  const add = (text: string): void => {
    if (pieces === undefined) pieces = [text];
    else pieces[pieces.length - 1] = `${pieces.at(-1) ?? ""}${text}`;
  };
  const endWord = (): void => {
    if (pieces !== undefined) words.push({ pieces });
    pieces = undefined;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  let quote = "";
  for (let at = 0; at < spec.length; at += 1) {
    const character = spec.charAt(at);
    const next = spec.charAt(at + 1);
    const redirect = quote === "" ? harmlessRedirect.exec(spec.slice(at)) : null;
    if (redirect !== null) {
      // A leading digit selects the output.
      if (/^\d$/u.test(pieces?.join("*") ?? "")) pieces = undefined;
      endWord();
      at += redirect[0].length - 1;
    } else if (character === "\\" && next !== "" && (quote !== "'" || next === "*")) {
      add(next);
      at += 1;
    } else if (character === "*") {
      add("");
      pieces?.push("");
    } else if (quote !== "" && character === quote) {
      quote = "";
    } else if (quote !== "") {
      add(character);
    } else if ((character === '"' || character === "'") && closes(spec, at)) {
      quote = character;
      add("");
    } else if (/[\n;|&<>]/u.test(character)) {
      isList = true;
      endCommand();
    } else if (/\s/u.test(character)) {
      endWord();
    } else {
      add(character);
    }
  }
  endCommand();
  return { commands, isList };
}

function closes(spec: string, open: number): boolean {
  const character = spec.charAt(open);
  for (let at = open + 1; at < spec.length; at += 1) {
    if (spec[at] === "\\" && character === '"') at += 1;
    else if (spec[at] === character) return true;
  }
  return false;
}
