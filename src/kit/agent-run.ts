import type { AgentRun, RunOptions } from "../agent/index.ts";
import { argumentError, type Toolkit } from "../core/index.ts";
import { modelProblem } from "../text/index.ts";

export type { AgentRun } from "../agent/index.ts";

export type KitRunOptions = Omit<RunOptions, "toolkit">;

/** Starts a run at once and loads the loop in the background, so that a kit without agents never loads one. */
export function startAgentRun(
  toolkit: Toolkit,
  options: KitRunOptions,
  ending: AbortSignal,
): AgentRun {
  checkTaskAndModel(options);
  const id = options.runId ?? toolkit.newId("run");
  const sessionId = options.sessionId ?? toolkit.newId("session");
  const controller = new AbortController();
  const signals = [controller.signal, ending];
  if (options.signal !== undefined) signals.push(options.signal);
  const started = import("../agent/index.ts").then(({ startRun }) =>
    startRun({ ...options, toolkit, runId: id, sessionId, signal: AbortSignal.any(signals) }),
  );
  return {
    id,
    sessionId,
    events: {
      async *[Symbol.asyncIterator]() {
        yield* (await started).events;
      },
    },
    result: started.then(async (run) => await run.result),
    abort: (reason) => {
      void started.then((run) => run.abort(reason));
    },
  };
}

/** The loop makes the same checks, but is loaded too late to throw to the caller at once. */
function checkTaskAndModel({ task, model }: KitRunOptions): void {
  if (typeof task !== "string" || task.trim() === "") throw argumentError("A run needs a task.");
  const problem = modelProblem(model);
  if (problem !== undefined) throw argumentError(problem);
}
