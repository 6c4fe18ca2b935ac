import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import type { Mode, ToolkitOptions } from "../index.ts";
import { nearestWords } from "./nearest.ts";
import { prompter } from "./prompt.ts";
import type { Terminal } from "./terminal.ts";
import { UsageError } from "./usage-error.ts";

const modeNames = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;

/** Options every verb that opens a toolkit takes. */
export const kitOptions = {
  mode: { type: "string", short: "m" },
  workspace: { type: "string", short: "C" },
  "add-dir": { type: "string", multiple: true },
  allow: { type: "string", multiple: true },
  ask: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
  trust: { type: "boolean" },
  "no-settings": { type: "boolean" },
  "data-dir": { type: "string" },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsOptionsConfig;

export const kitOptionsHelp = `  -C, --workspace DIR   the folder to work in (default: the current one)
  -m, --mode MODE       ${modeNames.join(", ")}
      --add-dir DIR     another folder that counts as inside; may be repeated
      --allow RULE      a rule for this run, as in Bash(npm test); may be repeated
      --ask RULE, --deny RULE
  -y, --yes             answer every question with yes; what a rule denies stays denied
      --trust           let the workspace's own settings allow things
      --no-settings     read no settings files
      --data-dir DIR    where the journal, logs and long answers are kept
      --json            print one JSON document
`;

export interface ParsedWords<T extends ParseArgsOptionsConfig> {
  readonly values: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>["values"];
  readonly words: readonly string[];
}

/**
 * Options and the other words of a command line. `key=value` and `key:=json` are words even when the key begins
 * with a single dash, as Grep's `-i:=true`; everything after `--` is a word.
 */
export function parseWords<T extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: T,
): ParsedWords<T> {
  const rest = words.indexOf("--");
  const before = rest < 0 ? words : words.slice(0, rest);
  const isAssignment = (word: string): boolean => /^(?!--)[A-Za-z_-][\w.-]*:?=/u.test(word);
  const assignments = before.filter(isAssignment);
  try {
    const { values, positionals } = parseArgs({
      args: before.filter((word) => !isAssignment(word) && word !== "-"),
      options,
      allowPositionals: true,
    });
    const dash = before.includes("-") ? ["-"] : [];
    const after = rest < 0 ? [] : words.slice(rest + 1);
    return { values, words: [...positionals, ...assignments, ...dash, ...after] };
  } catch (error) {
    throw usageErrorOf(error, options);
  }
}

function usageErrorOf(error: unknown, options: ParseArgsOptionsConfig): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const named = /'(?<option>-[^' ]*)/u.exec(error.message)?.groups?.["option"];
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION" && named !== undefined) {
    const known = Object.keys(options).map((name) => `--${name}`);
    const nearest = nearestWords(named, known);
    const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : "";
    return new UsageError(
      `There is no option ${named} here.${guess}`,
      "Add --help to see the options.",
    );
  }
  return new UsageError(
    error.message.split(". ")[0] ?? error.message,
    "Add --help to see the options.",
  );
}

type KitValues = ParsedWords<typeof kitOptions>["values"];

/** The toolkit's options as the command line gives them. */
export function toolkitOptions(values: KitValues, terminal: Terminal): ToolkitOptions {
  const rules = {
    ...(values.allow === undefined ? {} : { allow: values.allow }),
    ...(values.ask === undefined ? {} : { ask: values.ask }),
    ...(values.deny === undefined ? {} : { deny: values.deny }),
  };
  const onAsk = values.yes === true ? alwaysOnce : terminal.canAsk ? prompter(terminal) : undefined;
  return {
    eventLog: "file",
    settings: values["no-settings"] === true ? "none" : "load",
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
    ...(values.mode === undefined ? {} : { mode: modeOf(values.mode) }),
    ...(values["add-dir"] === undefined ? {} : { additionalDirectories: values["add-dir"] }),
    ...(values["data-dir"] === undefined ? {} : { dataDirectory: values["data-dir"] }),
    ...(values.trust === true ? { trust: true } : {}),
    ...(onAsk === undefined ? {} : { onAsk }),
  };
}

const alwaysOnce: NonNullable<ToolkitOptions["onAsk"]> = () => Promise.resolve({ kind: "once" });

function modeOf(name: string): Mode {
  const mode = modeNames.find((candidate) => candidate.toLowerCase() === name.toLowerCase());
  if (mode !== undefined) return mode;
  const nearest = nearestWords(name, modeNames);
  const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : "";
  throw new UsageError(
    `There is no mode ${JSON.stringify(name)}.${guess}`,
    `Modes: ${modeNames.join(", ")}.`,
  );
}
