import type { AgentRun, HeardRun, Model, RunEvents, RunResult } from "../../agent/index.ts";
import { argumentError, ToolError, type OnAsk, type Toolkit } from "../../core/index.ts";
import { sentMessage, userMessage, type UserMessage } from "../../session/index.ts";
import { messageOf, runProblem } from "../../text/index.ts";
import type { KitHooks } from "../hooks/kit-hooks.ts";
import type { InstructedRun } from "../instructions/instructed-run.ts";
import type { KitInstructions } from "../instructions/kit-instructions.ts";
import type { HookedRun } from "../hooks/run-hooks.ts";
import type { SessionFile } from "../sessions/session-file.ts";
import type { ContinuedRun } from "../sessions/stored-run.ts";
import { unstoredHint } from "../options/tool-problems.ts";
import type { KitParts } from "../kit-parts.ts";
import type { ActiveRun, ActiveRuns } from "./active-runs.ts";
import type { OpenRun } from "./open-run.ts";
import type { KitModels, ModelChoice } from "./models.ts";
import type { KitRunOptions } from "./run-options.ts";

export type { AgentRun } from "../../agent/index.ts";

interface RunParts {
  readonly toolkit: Toolkit;
  readonly workspace: string;
  /** Fires when the kit is disposed. */
  readonly ending: AbortSignal;
  readonly sessions: SessionFile;
  readonly models: KitModels;
  readonly runs: ActiveRuns;
  readonly onAsk: OnAsk | undefined;
  /** Called with a session that the run names, if no sessions are stored. */
  readonly onUnstored: (sessionId: string) => void;
  /** Hooks of the settings; undefined if there are none. */
  readonly hooks: KitHooks | undefined;
  /** Instructions of the project; undefined where no files are read. */
  readonly instructions: KitInstructions | undefined;
}

/** Kit whose tools a run has. */
interface RunningKit extends Toolkit {
  readonly workspace: string;
  readonly instructions: KitInstructions | undefined;
}

/** Starts a run of a kit, which ends with the kit. */
export function runOfKit(
  toolkit: RunningKit,
  {
    given,
    parts,
    ending,
  }: { readonly given: KitRunOptions; readonly parts: KitParts; readonly ending: AbortSignal },
): AgentRun {
  const { host, shared, sessionFile, models, runs, toolProblems, hooks } = parts;
  const { workspace, instructions } = toolkit;
  return startAgentRun(
    { clock: host.clock, ...given },
    {
      toolkit,
      workspace,
      ending,
      sessions: sessionFile,
      models,
      runs,
      onAsk: shared.onAsk,
      onUnstored: (sessionId) => toolProblems.unstored(sessionId),
      hooks,
      instructions,
    },
  );
}

/** Starts a run at once and loads the loop in the background, so that a kit without agents never loads one. */
function startAgentRun(given: KitRunOptions, parts: RunParts): AgentRun {
  const { toolkit, ending, sessions, models } = parts;
  const options = withModels(given, models);
  // The loop makes the same checks, but is loaded too late to throw to the caller at once.
  const { task } = options;
  const isContinued = sessions.isStored && options.sessionId !== undefined && task === undefined;
  const startable = isContinued ? { ...options, task: "continue" } : options;
  const problem = runProblem(startable, { opens: true });
  const isUnstored = !sessions.isStored && options.log === undefined;
  if (isUnstored && options.sessionId !== undefined && options.messages === undefined) {
    if (task === undefined) throw argumentError(cannotContinue(options.sessionId));
    parts.onUnstored(options.sessionId);
  }
  if (problem !== undefined) throw argumentError(problem);
  const runId = options.runId ?? toolkit.newId("run");
  const sessionId = options.sessionId ?? toolkit.newId("session");
  const controller = new AbortController();
  const signals = [controller.signal, ending];
  if (options.signal !== undefined) signals.push(options.signal);
  const signal = AbortSignal.any(signals);
  const run = { ...options, runId, sessionId };
  const waiting: UserMessage[] = [];
  let current: HeardRun | undefined;
  let isRefused = false;
  const { promise: hearing, resolve: hear } = Promise.withResolvers<Hearing>();
  const started = start(run, { ...parts, signal, hear }).then((found) => {
    current = found.agent;
    isRefused = current === undefined;
    for (const message of waiting) current?.send(message);
    return found;
  });
  return {
    id: runId,
    sessionId,
    events: {
      async *[Symbol.asyncIterator]() {
        const events = await hearing;
        if (events !== undefined) yield* events;
      },
    },
    result: started.then(async ({ agent, stored, failure }) => {
      const result =
        agent === undefined ? failedStart(failure, options, waiting) : await agent.result;
      parts.runs.delete(runId);
      // The conversation is stored; without this record the run counts as interrupted.
      await stored?.end(result).catch(() => undefined);
      return result;
    }),
    send(message) {
      const checked = sentMessage(message);
      if (current !== undefined) return current.send(checked);
      if (!isRefused) waiting.push(checked);
      return !isRefused;
    },
    compact: async () => (await (await started).agent?.compact()) ?? false,
    // Before the run itself starts, the signal ends what it waits for, such as a call that is settled.
    abort: (reason) => {
      if (current === undefined) controller.abort(abortion(reason));
      else current.abort(reason);
    },
  };
}

function cannotContinue(sessionId: string): string {
  return `${sessionId} cannot be continued: this toolkit stores no sessions. ${unstoredHint}`;
}

function abortion(reason = "The run was aborted."): ToolError {
  return new ToolError("ABORTED", reason, { hint: "Continue the session when you like." });
}

/** Events of the run; undefined if it cannot start. */
type Hearing = AgentRun["events"] | undefined;

interface Started {
  readonly agent?: HeardRun;
  readonly stored?: ContinuedRun;
  /** Why the run could not start. */
  readonly failure?: unknown;
}

type RunWithModels = KitRunOptions & { readonly model: ModelChoice };

type IdentifiedRun = RunWithModels & { readonly runId: string; readonly sessionId: string };

/** Options with the models of the kit where the run names none. */
function withModels(options: KitRunOptions, { main, background }: KitModels): RunWithModels {
  const model = options.model ?? main;
  if (model === undefined) {
    throw argumentError(
      "A run needs a model: the option model of the run or of createToolkit, or models.default of the settings.",
    );
  }
  const backgroundModel = options.backgroundModel ?? background;
  return { ...options, model, ...(backgroundModel === undefined ? {} : { backgroundModel }) };
}

/** The run with the models that its options name. */
async function opened(named: IdentifiedRun, models: KitModels): Promise<OpenRun> {
  const { model, fallbackModels = [], backgroundModel, ...run } = named;
  const fallbacks: Model[] = [];
  for (const each of fallbackModels) fallbacks.push(await models.open(each));
  return {
    ...run,
    model: await models.open(model),
    fallbackModels: fallbacks,
    ...(backgroundModel === undefined
      ? {}
      : { backgroundModel: await models.open(backgroundModel) }),
  };
}

async function start(
  named: IdentifiedRun,
  parts: RunParts & { readonly signal: AbortSignal; readonly hear: (events: Hearing) => void },
): Promise<Started> {
  const { toolkit, sessions, signal, hear, runs } = parts;
  let stored: ContinuedRun | undefined;
  let early: RunEvents | undefined;
  let unfollow: (() => void) | undefined;
  try {
    const { runEvents, startHeardRun } = await import("../../agent/index.ts");
    const instructed = await withInstructions(await opened(named, parts.models), parts);
    unfollow = instructed.stop;
    const hooked = await withHooks(instructed.run, parts);
    const { run } = hooked;
    // Calls that are settled before the run starts are events of it, and so are questions about them.
    const onClaim = (): void => {
      early = runEvents(toolkit, run.runId, run.sessionId);
      hear(early.events);
    };
    // A log that the caller keeps takes precedence.
    if (sessions.isStored && run.log === undefined) {
      const { beginStoredRun } = await import("../sessions/stored-run.ts");
      stored = await beginStoredRun({ ...parts, run, store: await sessions.open(), onClaim });
    }
    const agent = startHeardRun(
      { ...run, ...stored?.options, toolkit, signal },
      early,
      hooked.gates,
    );
    hooked.follow(agent);
    void agent.result.finally(instructed.stop);
    runs.set(agent.id, activeRun(run, agent));
    hear(agent.events);
    if (signal.aborted && ToolError.is(signal.reason)) agent.abort(signal.reason.message);
    return { agent, ...(stored === undefined ? {} : { stored }) };
  } catch (failure) {
    unfollow?.();
    early?.end();
    hear(undefined);
    return { failure, ...(stored === undefined ? {} : { stored }) };
  }
}

/** The run with the instructions of its project; the run itself where no files are read. */
async function withInstructions(
  run: OpenRun,
  { instructions, toolkit }: Pick<RunParts, "instructions" | "toolkit">,
): Promise<InstructedRun> {
  if (instructions === undefined) return { run, stop: () => undefined };
  const { instructedRun } = await import("../instructions/instructed-run.ts");
  return await instructedRun(run, instructions, toolkit);
}

/** The run as its hooks make it; the run itself where there are none. */
async function withHooks(
  run: OpenRun,
  { hooks, signal }: Pick<RunParts, "hooks"> & { readonly signal: AbortSignal },
): Promise<HookedRun> {
  if (hooks === undefined) return { run, gates: undefined, follow: () => undefined };
  const { hookedRun } = await import("../hooks/run-hooks.ts");
  return await hookedRun(run, hooks, signal);
}

function activeRun(
  { agentId, parentAgentId, depth = 0, model, backgroundModel }: OpenRun,
  { id, sessionId, budget, signal, addDenials, yieldWith }: HeardRun,
): ActiveRun {
  return {
    runId: id,
    sessionId,
    agentId,
    parentAgentId,
    depth,
    model,
    backgroundModel,
    budget,
    signal,
    addDenials,
    yieldWith,
  };
}

/** Result of a run that could not start. The task and messages that were sent to it stay in its conversation. */
function failedStart(
  failure: unknown,
  { task, messages = [] }: KitRunOptions,
  sent: readonly UserMessage[],
): RunResult {
  const error = startError(failure);
  return {
    status: error.code === "ABORTED" ? "aborted" : "failed",
    text: `Stopped: ${error.message}`,
    turns: 0,
    calls: 0,
    usage: { input: 0, output: 0 },
    denials: [],
    messages: [...messages, ...(task === undefined ? [] : [userMessage(task)]), ...sent],
    error: error.toJSON(),
  };
}

/** Options that no run can have are a TypeError; anything else is a mistake in the program. */
function startError(failure: unknown): ToolError {
  if (ToolError.is(failure)) return failure;
  if (failure instanceof TypeError && "code" in failure) {
    return new ToolError("INVALID_INPUT", failure.message, {
      hint: "Give the run a task, or a session that can continue.",
      cause: failure,
    });
  }
  return new ToolError("INTERNAL", `The run could not start: ${messageOf(failure)}`, {
    hint: "This is a mistake in the program that ran it: please report it.",
    cause: failure,
  });
}
