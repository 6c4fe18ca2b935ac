import type { AgentRun, HeardRun } from "../../agent/index.ts";
import { argumentError, ToolError, type Toolkit } from "../../core/index.ts";
import { sentMessage, type UserMessage } from "../../session/index.ts";
import { runProblem } from "../../text/index.ts";
import type { KitInstructions } from "../instructions/kit-instructions.ts";
import { unstoredHint } from "../../workspace/index.ts";
import type { KitParts } from "../kit-parts.ts";
import type { Hearing, RunParts, RunWithModels } from "./begin-run.ts";
import type { KitModels } from "./models.ts";
import type { KitRunOptions } from "./run-options.ts";

export type { AgentRun } from "../../agent/index.ts";

/** Kit whose tools a run has. */
interface RunningKit extends Toolkit {
  readonly workspace: { readonly path: string };
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
  const { host, shared, sessionFile, models, runs, toolProblems, hooks, tasks } = parts;
  const { instructions } = toolkit;
  return startAgentRun(
    { clock: host.clock, ...given },
    {
      toolkit,
      workspace: toolkit.workspace.path,
      ending,
      sessions: sessionFile,
      models,
      runs,
      onAsk: shared.onAsk,
      taints: shared.taints,
      onUnstored: (sessionId) => toolProblems.unstored(sessionId),
      hooks,
      instructions,
      tasks,
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
  const loaded = import("./begin-run.ts");
  const started = loaded.then(async ({ beginRun }) => {
    const found = await beginRun(run, { ...parts, signal, hear });
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
      const { failedStart } = await loaded;
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
