import type { HeardRun, RunGates } from "../../agent/index.ts";
import { ToolError } from "../../core/index.ts";
import type { HookVerdicts } from "../../workspace/index.ts";
import type { OpenRun } from "../runs/run-options.ts";
import type { HookSource, KitHooks } from "./kit-hooks.ts";

/** A run with what its hooks added to the task, and the points at which they may hold it up. */
export interface HookedRun {
  readonly run: OpenRun;
  readonly gates: RunGates | undefined;
  /** Lets hooks end the run, until it has ended. */
  readonly follow: (agent: Pick<HeardRun, "abort" | "result" | "budget">) => void;
}

/**
 * Runs the hooks for the start of a session, a task or an agent. Throws BLOCKED_BY_HOOK if one blocks the task. What
 * they say to the model follows the task.
 */
export async function hookedRun(
  run: OpenRun,
  hooks: KitHooks,
  signal: AbortSignal,
): Promise<HookedRun> {
  const { runId, sessionId, agentId, depth = 0, model, backgroundModel, task } = run;
  const source: HookSource = {
    runId,
    sessionId,
    signal,
    ...(agentId === undefined ? {} : { agentId }),
  };
  const asked = {
    model: backgroundModel ?? model,
    agentModel: () => ({
      model: backgroundModel ?? model,
      ...(run.budget === undefined ? {} : { budget: run.budget }),
    }),
  };
  const unregister = hooks.follow(runId, { ...asked, abort: () => undefined });
  const contexts: string[] = [];
  const hear = (verdicts: HookVerdicts | undefined): void => {
    if (verdicts === undefined) return;
    const { decision, reason, context, stop } = verdicts;
    if (stop !== undefined || decision === "deny") {
      unregister();
      throw new ToolError("BLOCKED_BY_HOOK", `A hook blocked the task: ${stop ?? reason ?? ""}`, {
        hint: "Change the task, or the hook.",
      });
    }
    if (context !== undefined) contexts.push(context);
  };
  if (depth > 0) {
    const names = namesOf(agentId, hooks);
    hear(await hooks.run({ event: "SubagentStart", names, fields: {}, source }));
  } else {
    if (!hooks.isOfHook(agentId) && hooks.openSession(sessionId)) {
      const from = run.messages === undefined && task !== undefined ? "startup" : "resume";
      const fields = { source: from, model: model.id };
      hear(await hooks.run({ event: "SessionStart", names: [from], fields, source }));
    }
    if (task !== undefined) {
      const fields = { prompt: task };
      hear(await hooks.run({ event: "UserPromptSubmit", names: [], fields, source }));
    }
  }
  const isAdding = contexts.length > 0 && task !== undefined;
  return {
    run: isAdding ? { ...run, task: [task, ...contexts].join("\n\n") } : run,
    gates: gatesOf(hooks, source, depth),
    follow(agent) {
      const stop = hooks.follow(runId, {
        ...asked,
        abort: (reason) => agent.abort(reason),
        agentModel: () => ({ model: backgroundModel ?? model, budget: agent.budget }),
      });
      void agent.result.finally(stop);
    },
  };
}

/** Names of an agent that a matcher may use. */
function namesOf(agentId: string | undefined, hooks: KitHooks): readonly string[] {
  return [hooks.typeOf(agentId) ?? []].flat();
}

function gatesOf(hooks: KitHooks, source: HookSource, depth: number): RunGates {
  let isContinued = false;
  return {
    async beforeEnd(text) {
      const event = depth > 0 ? "SubagentStop" : "Stop";
      const names = namesOf(source.agentId, hooks);
      const fields = { stop_hook_active: isContinued, last_assistant_message: text };
      const verdicts = await hooks.run({ event, names, fields, source });
      if (verdicts?.decision !== "deny") return undefined;
      isContinued = true;
      return [verdicts.reason, verdicts.context].filter((each) => each !== undefined).join("\n");
    },
    async beforeCompaction(cause) {
      const trigger = cause === "requested" ? "manual" : "auto";
      const fields = { trigger, custom_instructions: "" };
      const verdicts = await hooks.run({ event: "PreCompact", names: [trigger], fields, source });
      return verdicts?.decision === "deny" ? (verdicts.reason ?? "") : undefined;
    },
  };
}
