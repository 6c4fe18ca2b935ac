import type {
  ArtifactRef,
  CommandTask,
  Limits,
  ProcessExit,
  ToolResult,
} from "../../core/index.ts";
import { displayPath, grouped } from "../files/paths/display-path.ts";
import { isBenignExit } from "./benign-exit.ts";
import type { EndedRun, LeftRun } from "./run-command.ts";
import type { Understanding } from "./analyze-command.ts";

/** Characters reserved for the notes after the shown output. */
const noteChars = 1500;
const tailShare = { ok: 0.2, failed: 0.8 } as const;

export interface Answering {
  readonly command: string;
  /** Directory in which the command ran. */
  readonly cwd: string;
  readonly workspace: string;
  readonly analysis: Understanding["analysis"];
  readonly limits: Limits["bash"];
  readonly shownChars: number;
  /** Directory in which the next command starts, and a note on it for the model. */
  readonly next: { readonly cwd: string; readonly note: string | undefined };
}

/** Result for the model of a command that ended. */
export function answer(ran: EndedRun, about: Answering): ToolResult {
  const { exit, durationMs, artifact } = ran;
  const { command, limits } = about;
  const isError = exit.code !== 0 && !isBenignExit(command, exit.code ?? -1, ran.output.isQuiet);
  // First, because this note opens the truncated answers of all tools.
  const notes = [...outputNotes(ran, about, isError ? "failed" : "ok"), ...exitNotes(exit)];
  notes.push(...ran.notes);
  if (durationMs >= limits.minReportedMs) notes.push(`Took ${seconds(durationMs)}.`);
  if (exit.leftRunning.length > 0) {
    notes.push(
      `Left running: process ${exit.leftRunning.join(", ")}. It ends when the session does.`,
    );
  }
  if (about.next.note !== undefined) notes.push(about.next.note);
  const text = textOf(ran, about, isError ? "failed" : "ok");
  return {
    content: withNotes(text, notes),
    title: command,
    summary:
      exit.signal === null ? `exit code ${exit.code ?? "unknown"}` : `ended by ${exit.signal}`,
    metadata: { ...factsOf(ran, about), ...artifactFacts(artifact), ...classFacts(about) },
    isError,
  };
}

/** Result for the model of a command that continues in the background. */
export function leftAnswer(
  task: CommandTask,
  about: Pick<Answering, "command" | "cwd" | "workspace"> & {
    /** Milliseconds until the task is stopped; undefined if it has no deadline. */
    readonly timeoutMs?: number | undefined;
  },
  ran?: { readonly run: LeftRun; readonly about: Answering; readonly timeoutMs: number },
): ToolResult {
  const notes = [
    ran === undefined
      ? `Runs in the background as ${task.id}, process ${task.pid}.`
      : `Still running after ${seconds(ran.timeoutMs)}, so it continues in the background as ${task.id}.`,
    "TaskOutput shows what it prints, TaskStop ends it; it ends with the session.",
    ...(about.timeoutMs === undefined ? [] : [`It is stopped after ${seconds(about.timeoutMs)}.`]),
  ];
  if (task.outputFile !== undefined) notes.push(`Its output is also in ${task.outputFile}.`);
  const text = ran === undefined ? "" : textOf(ran.run, ran.about, "ok");
  return {
    content: ran === undefined ? `(${notes.join(" ")})` : withNotes(text, notes),
    title: about.command,
    summary: `in the background as ${task.id}`,
    metadata: {
      cwd: about.cwd,
      taskId: task.id,
      pid: task.pid,
      ...(task.outputFile === undefined ? {} : { outputFile: task.outputFile }),
      promoted: ran !== undefined,
    },
  };
}

/** Error data of a run that ended with an error. */
export function factsOf(
  { exit, durationMs, output }: Pick<EndedRun, "exit" | "durationMs" | "output">,
  { cwd, next }: Pick<Answering, "cwd"> & { readonly next?: { readonly cwd: string } },
): Readonly<Record<string, unknown>> {
  return {
    cwd,
    ...(next === undefined || next.cwd === cwd ? {} : { nextCwd: next.cwd }),
    exitCode: exit.code,
    signal: exit.signal,
    ...(exit.endedBy === undefined ? {} : { endedBy: exit.endedBy }),
    leftRunning: exit.leftRunning,
    printedChars: output.total,
    durationMs,
  };
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).replace(/\.0$/u, "")} s`;
}

function classFacts({ analysis }: Answering) {
  return { class: analysis.class, readOnly: analysis.readOnly };
}

function artifactFacts(artifact: ArtifactRef | undefined) {
  return artifact === undefined ? {} : { artifact };
}

function exitNotes(exit: ProcessExit): readonly string[] {
  const notes: string[] = [];
  if (exit.signal !== null) notes.push(`Ended by ${exit.signal}.`);
  else if (exit.code !== 0)
    notes.push(`Exit code ${exit.code ?? "unknown"}${signalIn(exit.code)}.`);
  if (exit.endedBy === "output-limit")
    notes.push("It was stopped because it printed too much output.");
  return notes;
}

/** Names of signals that end programs, by numbers that are the same on every system. */
const signals: ReadonlyMap<number, string> = new Map([
  [1, "SIGHUP"],
  [2, "SIGINT"],
  [3, "SIGQUIT"],
  [4, "SIGILL"],
  [6, "SIGABRT"],
  [8, "SIGFPE"],
  [9, "SIGKILL"],
  [11, "SIGSEGV"],
  [13, "SIGPIPE"],
  [15, "SIGTERM"],
]);

/** Note on the signal behind exit code 128 + n of a shell or sandbox; a program may also exit with such a code. */
function signalIn(code: number | null): string {
  const name = signals.get((code ?? 0) - 128);
  return name === undefined ? "" : `, as after ${name}`;
}

type Fate = keyof typeof tailShare;

function shownOf(
  { output }: { readonly output: EndedRun["output"] },
  about: Answering,
  fate: Fate,
) {
  const maxChars = Math.max(1, about.shownChars - noteChars);
  return output.shown({ maxChars, tailShare: tailShare[fate] });
}

function textOf(ran: EndedRun | LeftRun, about: Answering, fate: Fate): string {
  return shownOf(ran, about, fate).text;
}

function outputNotes(ran: EndedRun, about: Answering, fate: Fate): readonly string[] {
  const { leftOut } = shownOf(ran, about, fate);
  if (leftOut === 0) return [];
  const where = keptWhere(ran.artifact, about.workspace);
  return [
    `truncated: ${grouped(leftOut)} of ${grouped(ran.output.total)} characters left out. ${where}`,
  ];
}

function keptWhere(artifact: ArtifactRef | undefined, workspace: string): string {
  if (artifact === undefined) return "The whole could not be kept.";
  const { missingChars = 0, chars, path } = artifact;
  const what =
    missingChars === 0 ? "The whole is" : `The first ${grouped(chars - missingChars)} are`;
  return `${what} in ${displayPath(path, workspace)}; open parts of it with Read or Grep.`;
}

function withNotes(text: string, notes: readonly string[]): string {
  const said = text === "" ? ["No output.", ...notes] : notes;
  const footer = said.length === 0 ? "" : `(${said.join(" ")})`;
  return [text, footer].filter((part) => part !== "").join("\n");
}
