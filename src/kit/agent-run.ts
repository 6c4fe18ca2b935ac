import type { AgentRun, RunOptions } from "../agent/index.ts";
import { argumentError, type Toolkit } from "../core/index.ts";
import { runProblem } from "../text/index.ts";

export type { AgentRun } from "../agent/index.ts";

export type KitRunOptions = Omit<RunOptions, "toolkit">;

/** Starts a run at once and loads the loop in the background, so that a kit without agents never loads one. */
export function startAgentRun(
  toolkit: Toolkit,
  options: KitRunOptions,
  ending: AbortSignal,
): AgentRun {
  // The loop makes the same check, but is loaded too late to throw to the caller at once.
  const problem = runProblem(options);
  if (problem !== undefined) throw argumentError(problem);
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
