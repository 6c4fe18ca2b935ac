import { z } from "zod";
import { defineTool, isWithin, ToolError, type ToolContext } from "../../core/index.ts";
import { displayPath } from "../files/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/missing-path.ts";
import { isBenignExit } from "./benign-exit.ts";
import { runCommand, type CommandRun } from "./run-command.ts";
import { understand, type Understanding } from "./understand.ts";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
/** The pipeline's own deadline stands behind the command's, with time to end its processes. */
const marginMs = 30_000;
/** A duration is told from here on. */
const longMs = 5000;
/** A longer command is not offered as a rule: nobody would read it. */
const maxRuleChars = 200;

const Input = z.strictObject({
  command: z.string().min(1).describe("The command, as typed in a shell."),
  timeout: z
    .int()
    .min(1)
    .max(maxTimeoutMs)
    .optional()
    .describe(
      `Milliseconds until the command is stopped. Default ${defaultTimeoutMs}, at most ${maxTimeoutMs}.`,
    ),
  description: z.string().optional().describe("What the command does, in a few words."),
  cwd: z
    .string()
    .optional()
    .describe("Folder to run it in, inside the workspace. Default: the working directory."),
});

/** What was judged is what runs: the input of a call leads from its effects to its run. */
const judged = new WeakMap<object, Understanding>();

export const bash = defineTool({
  name: "Bash",
  displayName: "Run command",
  description: [
    "Run a shell command and return what it prints, standard error under a [stderr] mark.",
    "It has no terminal and no input.",
    `It is stopped after ${defaultTimeoutMs / 1000} seconds unless timeout says otherwise.`,
    "Each call starts a new shell: the folder and variables of the last one are gone.",
    "To read, find, search or change files use Read, Glob, Grep and Edit.",
  ].join(" "),
  category: "shell",
  searchHint: "shell terminal command run execute script test build git npm",
  input: Input,
  inputAliases: {
    command: ["cmd", "script"],
    timeout: ["timeout_ms", "timeoutMs"],
    cwd: ["working_directory", "workingDirectory", "workdir", "directory"],
  },
  freeText: ["command"],
  touches: ["read", "write", "connect", "execute", "unknown"],
  timeoutMs: maxTimeoutMs + marginMs,
  maxChars: 30_000,
  async effects(input, context) {
    const { command, cwd } = input;
    const { host, workspace } = context;
    const folder =
      cwd === undefined
        ? context.cwd
        : await host.fs.canonical(cwd, { base: context.cwd, signal: context.signal });
    const understood = await understand(command, { host, workspace, cwd: folder });
    judged.set(input, understood);
    const reading = cwd === undefined ? [] : await readingEffects(cwd, context);
    return [...reading, ...understood.effects];
  },
  signature: ({ command }) => `Bash ${command}`,
  suggestRule: ({ command }) =>
    command.length <= maxRuleChars && !command.includes("\n") ? `Bash(${command})` : undefined,

  async run(input, context) {
    const cwd = await workingDirectory(input.cwd, context);
    const timeoutMs = input.timeout ?? defaultTimeoutMs;
    const understood = judged.get(input);
    if (understood === undefined) {
      throw new ToolError("INTERNAL", "This command was not judged before it was run.", {
        hint: "Ask for its effects first; the toolkit does.",
      });
    }
    const ran = await runCommand({ ...understood.start, cwd, timeoutMs }, context);
    const { exit } = ran;
    // What it printed has been streamed, and goes with the error from there.
    if (exit.endedBy === "abort") {
      throw new ToolError("ABORTED", "The command was stopped.", {
        hint: "It may have done part of its work.",
        data: factsOf(ran, cwd),
      });
    }
    if (exit.endedBy === "timeout") {
      throw new ToolError("TIMEOUT", `The command was stopped after ${seconds(timeoutMs)}.`, {
        hint:
          timeoutMs < maxTimeoutMs
            ? `Give a longer timeout, at most ${maxTimeoutMs}, or do less at once.`
            : "Do less at once.",
        data: factsOf(ran, cwd),
      });
    }
    return answer(ran, { command: input.command, cwd, analysis: understood.analysis });
  },
});

/** Canonical, and inside the workspace: a folder the model names never widens where a call may act. */
async function workingDirectory(wanted: string | undefined, context: ToolContext): Promise<string> {
  if (wanted === undefined) return context.cwd;
  const { host, cwd, workspace, signal } = context;
  const path = await host.fs.canonical(wanted, { base: cwd, signal });
  if (!isWithin(workspace, path)) {
    throw new ToolError("OUTSIDE_WORKSPACE", `${path} is outside the workspace.`, {
      hint: "Leave cwd out, or name a folder inside the workspace.",
      data: { path },
    });
  }
  const stat = await statOrMissing(path, context);
  if (stat === undefined) throw await missingPath(path, context);
  if (stat.kind === "directory") return path;
  throw new ToolError("NOT_A_DIRECTORY", `${displayPath(path, cwd)} is not a folder.`, {
    hint: "Give the folder to run the command in as cwd.",
  });
}

/** Both streams in full as far as they are kept, standard error last and marked. */
function printed({ stdout, stderr }: CommandRun): string {
  const out = stdout.replace(/\s+$/u, "");
  const errors = stderr.replace(/\s+$/u, "");
  if (errors === "") return out;
  return `${out}${out === "" ? "" : "\n"}[stderr]\n${errors}`;
}

interface Answering {
  readonly command: string;
  readonly cwd: string;
  readonly analysis: Understanding["analysis"];
}

function answer(ran: CommandRun, { command, cwd, analysis }: Answering) {
  const { exit, durationMs } = ran;
  const text = printed(ran);
  const failed = exit.code !== 0 && !isBenignExit(command, exit.code ?? -1);
  const notes: string[] = [];
  if (exit.signal !== null) notes.push(`Ended by ${exit.signal}.`);
  else if (exit.code !== 0) notes.push(`Exit code ${exit.code ?? "unknown"}.`);
  if (exit.endedBy === "output-limit") notes.push("It was stopped because it printed too much.");
  if (durationMs >= longMs) notes.push(`Took ${seconds(durationMs)}.`);
  if (exit.leftRunning.length > 0) {
    notes.push(
      `Left running: process ${exit.leftRunning.join(", ")}. It ends when the session does.`,
    );
  }
  if (text === "") notes.unshift("No output.");
  const footer = notes.length === 0 ? "" : `(${notes.join(" ")})`;
  return {
    content: [text, footer].filter((part) => part !== "").join("\n"),
    title: command,
    summary:
      exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `ended by ${exit.signal}`,
    metadata: { ...factsOf(ran, cwd), class: analysis.class, readOnly: analysis.readOnly },
    isError: failed,
  };
}

function factsOf({ exit, durationMs, printed: chars }: CommandRun, cwd: string) {
  return {
    cwd,
    exitCode: exit.code,
    signal: exit.signal,
    ...(exit.endedBy === undefined ? {} : { endedBy: exit.endedBy }),
    leftRunning: exit.leftRunning,
    printedChars: chars,
    durationMs,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).replace(/\.0$/u, "")} s`;
}
