import { z } from "zod";
import {
  artifactStore,
  commandEnvironment,
  defineTool,
  jobs,
  limits,
  redaction,
  ToolError,
  type Effect,
  type Jobs,
  type Limits,
  type ToolContext,
  type Trust,
} from "../../core/index.ts";
import { isWithin } from "../../text/index.ts";
import { displayPath } from "../files/paths/display-path.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/paths/missing-path.ts";
import { optionalService } from "../files/optional-service.ts";
import { answer, factsOf, leftAnswer, seconds, type Answering } from "./answer.ts";
import { isStill, keepDirectory, startDirectory, traced } from "./working-directory.ts";
import { previewCommand } from "./preview-command.ts";
import { needsRealFiles } from "./needs-real-files.ts";
import { waitingRefusal } from "./leading-sleep.ts";
import { runCommand, type LeftRun } from "./run-command.ts";
import { understand, type Start, type Understanding } from "./analyze-command.ts";
import type { CommandAnalysis } from "../../shell/index.ts";
import { notDirectory } from "../files/paths/wrong-kind.ts";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;
/** Milliseconds from the command's deadline to the pipeline's: time to end the command's processes. */
const marginMs = 30_000;
const defaultShownChars = 30_000;
/** Maximum characters of the latest output that a new background task can show at once, if the output is long. */
const latestChars = 30_000;
/** Maximum characters of a command that is offered as a rule; a user would not read a longer one. */
const maxRuleChars = 200;

const Input = z.strictObject({
  command: z.string().min(1).describe("As typed in a shell."),
  timeout: z
    .int()
    .min(1)
    .max(maxTimeoutMs)
    .optional()
    .describe(`Milliseconds. Default ${defaultTimeoutMs}.`),
  description: z.string().optional().describe("What it does, in a few words."),
  cwd: z
    .string()
    .optional()
    .describe("Directory inside the workspace. Default: where the last command ended."),
  run_in_background: z
    .boolean()
    .optional()
    .describe("Return at once; TaskOutput shows what it prints."),
});

type BashInput = z.infer<typeof Input>;

interface Judged {
  readonly understood: Understanding;
  readonly cwd: string;
}

/** Judged command of each call input, so that the run executes exactly the command that was judged. */
const judged = new WeakMap<object, Judged>();

export const bash = defineTool({
  name: "Bash",
  displayName: "Run command",
  description: [
    "Run a shell command and return what it prints, standard error under a [stderr] mark.",
    "No terminal, no input.",
    `After ${defaultTimeoutMs / 1000} seconds, or timeout, it is stopped or continues in the background.`,
    "For servers and watchers set run_in_background.",
    "The working directory persists between calls if it stays in the workspace; variables do not.",
    "Do not sleep to wait.",
    "For files use Read, Glob, Grep and Edit.",
  ].join(" "),
  category: "shell",
  searchHint: "shell terminal command run execute script test build git npm background",
  input: Input,
  inputAliases: {
    command: ["cmd", "script"],
    timeout: ["timeout_ms", "timeoutMs"],
    cwd: ["working_directory", "workingDirectory", "workdir", "directory"],
    run_in_background: ["background", "is_background", "runInBackground"],
  },
  freeText: ["command"],
  touches: ["read", "write", "connect", "execute", "unknown"],
  staged: "commands",
  timeoutMs: maxTimeoutMs + marginMs,
  maxChars: defaultShownChars,
  async effects(input, context) {
    const { cwd } = input;
    const { host, workspace } = context;
    const folder =
      cwd === undefined
        ? await startDirectory(context)
        : await host.fs.canonical(cwd, { base: context.cwd, signal: context.signal });
    const understood = await understand(input.command, { host, workspace, cwd: folder });
    judged.set(input, { understood, cwd: folder });
    // Without effects the user is not asked about a call that is refused anyway.
    if (refusalOf(input, optionalService(context, jobs)) !== undefined) return [];
    // A different working directory is part of the decision: approval in one does not apply to another.
    const named = cwd ?? (folder === context.cwd ? undefined : folder);
    const reading = named === undefined ? [] : await readingEffects(named, context);
    return [...reading, ...understood.effects];
  },
  signature: ({ command }) => `Bash ${command}`,
  suggestRule: ({ command }) =>
    command.length <= maxRuleChars && !command.includes("\n") ? `Bash(${command})` : undefined,

  async run(input, context) {
    const tasks = optionalService(context, jobs);
    const refusal = refusalOf(input, tasks);
    if (refusal !== undefined) throw refusal;
    const known = await judgedOf(input, context);
    const cwd = await workingFolder(input.cwd, known.cwd, context);
    const job = { input, context, cwd, understood: known.understood };
    if (input.run_in_background === true && tasks !== undefined) {
      return await startTask(job, tasks);
    }
    return await runToEnd(job, tasks);
  },

  /**
   * A background command that still runs, or ended by itself, needs no repetition; any other one may be half done. The
   * journal knows commands that did not run in the background.
   */
  async reconcile(_input, context) {
    const tasks = (await optionalService(context, jobs)?.list()) ?? [];
    const task = tasks.find(({ callId }) => callId === context.callId);
    if (task === undefined) return undefined;
    if (task.status === "running") return "done";
    const isWhole =
      task.kind === "command" && typeof task.exitCode === "number" && task.endedBy === undefined;
    return isWhole ? "done" : "unknown";
  },

  async preview(input, context) {
    const refusal = refusalOf(input, optionalService(context, jobs));
    if (refusal !== undefined) throw refusal;
    const known = await judgedOf(input, context);
    return await previewCommand(
      {
        start: known.understood.start,
        cwd: await workingFolder(input.cwd, known.cwd, context),
        timeoutMs: input.timeout ?? context.service(limits).bash.timeoutMs,
        inBackground: input.run_in_background === true,
      },
      context,
    );
  },
});

async function judgedOf(input: BashInput, context: ToolContext): Promise<Judged> {
  const { host, cwd, signal } = context;
  const known = judged.get(input);
  if (known !== undefined) {
    const start = inEnvironment(known.understood.start, context);
    return { ...known, understood: { ...known.understood, start } };
  }
  // A cwd that the system rejects explains the missing effects; this call then throws that error.
  if (input.cwd !== undefined) await host.fs.canonical(input.cwd, { base: cwd, signal });
  throw new ToolError("INTERNAL", "This command was not judged before it was run.", {
    hint: "Ask for its effects first; the toolkit does.",
  });
}

/**
 * Adds the variables of the settings. A command that is known to do nothing beyond its listed effects runs without them,
 * because a variable can change what it does.
 */
function inEnvironment(start: Start, context: ToolContext): Start {
  const added = optionalService(context, commandEnvironment);
  if (added === undefined || start.keepEnv !== undefined) return start;
  return { ...start, env: { ...added, ...start.env } };
}

interface Job {
  readonly input: BashInput;
  readonly context: ToolContext;
  readonly cwd: string;
  readonly understood: Understanding;
}

/** Reason to refuse a call regardless of the rules; undefined if there is none. */
function refusalOf(
  { command, timeout, run_in_background: inBackground }: BashInput,
  tasks: Jobs | undefined,
): ToolError | undefined {
  if (tasks !== undefined) {
    return inBackground === true ? undefined : waitingRefusal(command, timeout);
  }
  if (inBackground !== true) return undefined;
  return new ToolError("UNAVAILABLE", "Background commands are not available here.", {
    hint: "Run it without run_in_background, with a timeout.",
  });
}

async function runToEnd(job: Job, tasks: Jobs | undefined) {
  const { input, context, cwd, understood } = job;
  const { command } = input;
  const numbers = context.service(limits);
  const timeoutMs = checkedTimeout(input, numbers.bash) ?? numbers.bash.timeoutMs;
  const shownChars = numbers.shownChars["Bash"] ?? defaultShownChars;
  const { start, channel } =
    input.cwd === undefined
      ? await traced(understood, command, context)
      : { start: understood.start, channel: undefined };
  const about = { command, cwd, workspace: context.workspace, shownChars, limits: numbers.bash };
  let next: Answering["next"] = { cwd, note: undefined };
  let ran;
  try {
    ran = await runCommand(
      {
        ...start,
        cwd,
        timeoutMs,
        isLive: needsRealFiles(understood.analysis),
        mayLeave: tasks?.mayPromote === true && mayPromote(understood.analysis),
        limits: numbers.bash,
        shownChars,
        store: optionalService(context, artifactStore),
        redact: (await optionalService(context, redaction)?.load()) ?? ((text) => text),
      },
      context,
    );
  } finally {
    // Removes the channel even if the command never ran or continues in the background.
    next = await keepDirectory(channel, cwd, context);
  }
  const answering: Answering = { ...about, analysis: understood.analysis, next };
  if (ran.kind === "left") {
    if (tasks === undefined) throw new TypeError("A command was left running for nobody.");
    const task = await promote(job, ran, tasks);
    const promoted = { ...about, timeoutMs: numbers.bash.promotedMs };
    return leftAnswer(task, promoted, { run: ran, about: answering, timeoutMs });
  }
  const { exit } = ran;
  // The output has been streamed; the pipeline adds the streamed text to the error.
  if (exit.endedBy === "abort") {
    throw new ToolError("ABORTED", "The command was stopped.", {
      hint: "It may have done part of its work.",
      data: factsOf(ran, about),
    });
  }
  if (exit.endedBy === "timeout") {
    throw new ToolError("TIMEOUT", `The command was stopped after ${seconds(timeoutMs)}.`, {
      hint:
        timeoutMs < numbers.bash.maxTimeoutMs
          ? `Give a longer timeout, at most ${numbers.bash.maxTimeoutMs}, or do less at once.`
          : "Do less at once.",
      data: factsOf(ran, about),
    });
  }
  return answer(ran, answering);
}

async function startTask({ input, context, cwd, understood }: Job, tasks: Jobs) {
  const { host, callId, agentId, runId, signal } = context;
  const { argv, env, keepEnv } = understood.start;
  const prepared = tasks.prepare(argv);
  const startedAt = host.clock.now();
  const { bash: numbers } = context.service(limits);
  const { terminateMs, killMs } = numbers;
  const timeoutMs = checkedTimeout(input, numbers);
  const { pid } = await host.proc.start(
    {
      id: prepared.taskId,
      argv: prepared.argv,
      env,
      ...(keepEnv === undefined ? {} : { keepEnv }),
      cwd,
      stdin: "pipe",
      live: true,
      outlives: true,
      limits: { terminateMs, killMs, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
    },
    { signal },
  );
  const task = await tasks.adopt({
    taskId: prepared.taskId,
    processId: prepared.taskId,
    pid,
    startedAt,
    title: input.command,
    cwd,
    takesInput: true,
    trust: trustOf(understood.effects, context.workspace),
    callId,
    agentId,
    runId,
  });
  const about = { command: input.command, cwd, workspace: context.workspace, timeoutMs };
  return leftAnswer(task, about);
}

async function promote({ input, context, cwd, understood }: Job, ran: LeftRun, tasks: Jobs) {
  const { processId, pid, startedAt, afterSeq, kept, output, reading } = ran;
  const text = kept.held ?? output.latest(latestChars).text;
  return await tasks.adopt({
    processId,
    pid,
    startedAt,
    title: input.command,
    cwd,
    takesInput: false,
    trust: trustOf(understood.effects, context.workspace),
    callId: context.callId,
    agentId: context.agentId,
    maxMs: context.service(limits).bash.promotedMs,
    runId: context.runId,
    taken: { afterSeq, text, stream: kept.stream, bytes: kept.bytes, reading },
  });
}

/**
 * Trust in the output: untrusted if the call's effects read outside the workspace, use the network, or start a program
 * with open consequences outside.
 */
function trustOf(effects: readonly Effect[], workspace: string): Trust {
  const isOutside = effects.some((effect) => {
    if (effect.kind === "connect") return true;
    if (effect.kind === "read") return !isWithin(workspace, effect.path);
    if (effect.kind !== "execute" || effect.consequences === "listed") return false;
    const { worksIn = [] } = effect;
    return worksIn === "unknown" || worksIn.some((place) => !isWithin(workspace, place));
  });
  return isOutside ? "untrusted" : "trusted";
}

/** Timeout in milliseconds that the call requests; undefined if it requests none. */
function checkedTimeout(
  { timeout }: BashInput,
  { maxTimeoutMs: maxMs }: Pick<Limits["bash"], "maxTimeoutMs">,
): number | undefined {
  if (timeout === undefined || timeout <= maxMs) return timeout;
  throw new ToolError("INVALID_INPUT", `timeout is at most ${maxMs} here.`, {
    hint: "Give a shorter one, or set run_in_background without a timeout.",
  });
}

function noLonger(folder: string, hint: string): ToolError {
  return new ToolError("PATH_CHANGED", `${folder} is no longer the same directory.`, { hint });
}

/** Canonical directory inside the workspace: a directory from the model never extends where a call may act. */
async function workingFolder(
  wanted: string | undefined,
  expected: string,
  context: ToolContext,
): Promise<string> {
  if (wanted === undefined) {
    if (await isStill(expected, context)) return expected;
    throw noLonger(
      expected,
      "Call again; the command then starts where the workspace does, or name a directory as cwd.",
    );
  }
  const { host, cwd, workspace, signal } = context;
  const path = await host.fs.canonical(wanted, { base: cwd, signal });
  // The relative paths of the command were judged against the expected directory.
  if (path !== expected) throw noLonger(wanted, "Call again; it is then judged where it is now.");
  if (!isWithin(workspace, path)) {
    throw new ToolError("OUTSIDE_WORKSPACE", `${path} is outside the workspace.`, {
      hint: "Leave cwd out, or name a directory inside the workspace.",
      data: { path },
    });
  }
  const stat = await statOrMissing(path, context);
  if (stat === undefined) throw await missingPath(path, context, wanted);
  if (stat.kind === "directory") return path;
  throw notDirectory(displayPath(path, cwd), {
    hint: "Give the directory to run the command in as cwd.",
  });
}

/**
 * Whether a command may continue in the background after its timeout: not if it only waits, may hold the lock of a
 * repository, or is not fully understood.
 */
export function mayPromote(analysis: CommandAnalysis): boolean {
  const { input, invocations, findings } = analysis;
  if (/^\s*sleep\b/u.test(input) || /\bgit\b/u.test(input)) return false;
  if (invocations.some(({ name }) => name === "git")) return false;
  return !findings.some(({ rule }) => rule === "refused" || rule === "floor");
}
