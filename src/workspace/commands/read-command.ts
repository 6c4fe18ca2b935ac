import { nearestName, ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { lineOfField, readAllowedTools } from "../documents/allowed-tools.ts";
import { readDocument } from "../documents/read-document.ts";

/** A slash command of a project or a user: a prompt with places for arguments, files and the output of programs. */
export interface SlashCommand {
  /** As it is typed after the slash: `git:sync` for `git/sync.md`. */
  readonly name: string;
  /** Shown in lists; the first line of the body if the file has none. */
  readonly description: string;
  /** Arguments in a few words, for help. */
  readonly argumentHint?: string;
  /** Names of its arguments, in order. */
  readonly arguments: readonly string[];
  /** Only tools and rules that it may use; undefined: no limit. */
  readonly allowedTools?: readonly string[];
  /** Model of the run, as `provider:model` or an alias. */
  readonly model?: string;
  /** Whether the model may run it, or only the user. */
  readonly isForModel: boolean;
  /** Text in which arguments and insertions are replaced. */
  readonly body: string;
  /** Format of the file, which decides how arguments and insertions are written. */
  readonly syntax: "markdown" | "toml";
  /** Canonical path. */
  readonly file: string;
  /** Rejects with PERMISSION_DENIED if the files that it belongs to changed after they were trusted. */
  readonly verify?: () => Promise<void>;
}

/** A command file that was not taken as it is. */
export interface CommandProblem {
  /** "error" if a part of the file is lost. */
  readonly severity: "error" | "warning";
  /** One sentence. */
  readonly message: string;
  /** Next step, or how the part is handled. */
  readonly hint?: string;
  /** Line, from 1. */
  readonly line?: number;
}

export interface ReadCommand {
  /** Undefined if the file is not a command that can be run. */
  readonly command: SlashCommand | undefined;
  readonly problems: readonly CommandProblem[];
}

const notUsed = "Until it is corrected, the command is not used.";

const fieldNames = new Set([
  "name",
  "description",
  "argument-hint",
  "arguments",
  "allowed-tools",
  "model",
  "disable-model-invocation",
  "user-invocable",
]);

interface Source {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Reads a command of Markdown with YAML fields. What could widen it and cannot be read makes it unusable. */
export async function readMarkdownCommand({ name, file, text }: Source): Promise<ReadCommand> {
  const { fields, body, problems: wrong } = await readDocument(text);
  const problems: CommandProblem[] = wrong.map((each) => ({ severity: "error", ...each }));
  const report = (severity: CommandProblem["severity"], message: string, hint: string): void => {
    problems.push({ severity, message, hint, line: 1 });
  };
  const lines = text.split(/\r?\n/u);
  let unusable = wrong.length > 0;
  // A limit that is lost makes the command do more than its author wrote.
  const loseLimit = (message: string, key: string, hint = notUsed): void => {
    unusable = true;
    problems.push({ severity: "error", message, hint, line: lineOfField(key, lines) });
  };
  for (const key of Object.keys(fields)) {
    if (fieldNames.has(key)) continue;
    const message = `A command has no field \`${key}\`.`;
    const near = nearestName(key.slice(0, 64), fieldNames);
    if (key === "disallowed-tools" || near === "allowed-tools")
      loseLimit(message, key, "Write `allowed-tools`; until then the command is not used.");
    else report("warning", message, "It is ignored.");
  }
  const described = textField(fields, "description", report);
  const argumentHint = textField(fields, "argument-hint", report);
  const model = textField(fields, "model", report);
  const { allowedTools, faults, notes } = readAllowedTools(fields["allowed-tools"]);
  for (const message of faults) loseLimit(message, "allowed-tools");
  for (const message of notes)
    problems.push({ severity: "warning", message, line: lineOfField("allowed-tools", lines) });
  return {
    problems,
    command: unusable
      ? undefined
      : {
          name,
          description: described ?? firstLine(body),
          ...(argumentHint === undefined ? {} : { argumentHint }),
          arguments: listField(fields, "arguments", report) ?? [],
          ...(allowedTools === undefined ? {} : { allowedTools }),
          ...(model === undefined ? {} : { model }),
          isForModel: fields["disable-model-invocation"] !== true,
          body,
          syntax: "markdown",
          file,
        },
  };
}

/** Reads a command of TOML: `prompt` and `description`. */
export async function readTomlCommand({ name, file, text }: Source): Promise<ReadCommand> {
  const { parse, TomlError } = await loadToml();
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const message =
      error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    const line = error instanceof TomlError ? { line: error.line } : {};
    const problem = {
      severity: "error",
      message: `This is not TOML: ${message}`,
      ...line,
    } as const;
    return { command: undefined, problems: [problem] };
  }
  const { prompt, description } = isRecord(value) ? value : {};
  if (typeof prompt !== "string") {
    const message = "A command in TOML has a text `prompt`.";
    return { command: undefined, problems: [{ severity: "error", message, line: 1 }] };
  }
  return {
    problems: [],
    command: {
      name,
      description: typeof description === "string" ? description : firstLine(prompt),
      arguments: [],
      isForModel: true,
      body: prompt,
      syntax: "toml",
      file,
    },
  };
}

async function loadToml() {
  return await import("smol-toml").catch((cause: unknown) => {
    throw new ToolError("UNAVAILABLE", "Commands in TOML need the package smol-toml.", {
      hint: "Install it with `npm install smol-toml`.",
      cause,
    });
  });
}

type Fields = Readonly<Record<string, unknown>>;
type Report = (severity: CommandProblem["severity"], message: string, hint: string) => void;

function textField(fields: Fields, name: string, report: Report): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === "string") return value;
  // A hint such as [file] is a list in YAML.
  if (name === "argument-hint" && Array.isArray(value)) return `[${value.join(", ")}]`;
  report("error", `\`${name}\` is a text.`, "It is ignored.");
  return undefined;
}

/** A list, or a text of entries separated by commas or, outside of parentheses, by blanks. */
function listField(fields: Fields, name: string, report: Report): readonly string[] | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value === "string" && /^[\s,]*$/u.test(value.replaceAll(listEntry, "")))
    return value.match(listEntry) ?? [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  report("error", `\`${name}\` is a list of texts.`, "It is ignored.");
  return undefined;
}

/** An entry of a list that is written as a text, as in "Read, Bash(git diff *)". */
const listEntry = /(?:[^\s,()]|\([^)]*\))+/gu;

function firstLine(body: string): string {
  const [line = ""] = body.split("\n").filter((each) => each.trim() !== "");
  return line.replace(/^#+\s*/u, "").slice(0, 120);
}
