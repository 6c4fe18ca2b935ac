import type { parseArgs as ParseArgs, ParseArgsOptionsConfig } from "node:util";
import { assignmentForm } from "./call-arguments.ts";
import { didYouMean } from "./nearest.ts";
import { UsageError } from "../usage-error.ts";

export interface ParsedWords<T extends ParseArgsOptionsConfig> {
  readonly values: ReturnType<typeof ParseArgs<{ options: T; allowPositionals: true }>>["values"];
  /** Arguments that are not options, in order. */
  readonly words: readonly string[];
}

/**
 * Parses the options and other arguments of a command line. `key=value` and `key:=json` are not options even if the key
 * begins with a single dash, as in Grep's `-i:=true`; neither is anything after `--`. `ifUnknown` is the hint for an
 * option that does not exist.
 */
export function parseWords<T extends ParseArgsOptionsConfig>(
  line: readonly string[],
  options: T,
  { ifUnknown = "Add --help to see the options." }: { readonly ifUnknown?: string } = {},
): ParsedWords<T> {
  const { args, words } = separate(line, options);
  // Not an import: that would evaluate all of `node:util`.
  const { parseArgs } = process.getBuiltinModule("node:util");
  try {
    const { values } = parseArgs({ args, options, allowPositionals: true });
    return { values, words };
  } catch (error) {
    throw usageErrorOf(error, options, ifUnknown);
  }
}

/** Throws for extra arguments: ignoring one would hide what the user meant. */
export function refuseMore(words: readonly string[], most: number, hint: string): void {
  const tooMuch = words[most];
  if (tooMuch === undefined) return;
  throw new UsageError(`Unexpected argument ${JSON.stringify(tooMuch)}.`, hint);
}

interface Separated {
  readonly args: readonly string[];
  readonly words: readonly string[];
}

function separate(line: readonly string[], options: ParseArgsOptionsConfig): Separated {
  const args: string[] = [];
  const words: string[] = [];
  for (let at = 0; at < line.length; at += 1) {
    const word = line[at] ?? "";
    if (word === "--") {
      words.push(...line.slice(at + 1));
      break;
    }
    if (!word.startsWith("-") || word === "-" || assignmentForm.test(word)) {
      words.push(word);
      continue;
    }
    args.push(word);
    const value = line[at + 1];
    if (value === undefined || !takesNext(word, options)) continue;
    // Joined with its value, so that a value may begin with a dash.
    if (word.startsWith("--")) args[args.length - 1] = `${word}=${value}`;
    else args.push(value);
    at += 1;
  }
  return { args, words };
}

/** Whether the argument after this option is its value. */
function takesNext(word: string, options: ParseArgsOptionsConfig): boolean {
  if (word.startsWith("--")) return options[word.slice(2)]?.type === "string";
  const letter = word.at(-1);
  return Object.values(options).some(({ type, short }) => short === letter && type === "string");
}

function usageErrorOf(error: unknown, options: ParseArgsOptionsConfig, ifUnknown: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const named = /'(?<option>-[^' ]*)/u.exec(error.message)?.groups?.["option"];
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && named !== undefined) {
    const known = Object.keys(options).map((name) => `--${name}`);
    const guess = didYouMean(named, known);
    return new UsageError(
      `There is no option ${named} here.${guess}`,
      guess === "" ? ifUnknown : "Add --help to see the options.",
    );
  }
  return new UsageError(
    `${(error.message.split(/[.\n]/u)[0] ?? error.message).trim()}.`,
    "Add --help to see the options.",
  );
}
