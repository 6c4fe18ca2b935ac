import { aCount, type Form } from "../../core/index.ts";

/** Limits of a run. Options are checked before the agent loop is loaded, and again by the loop itself. */
export const aRunLimit: Form = {
  is: "an object of limits",
  fields: {
    maxTurns: aCount,
    maxCalls: aCount,
    maxTokens: aCount,
    deadlineMs: aCount,
    maxOutputTokens: aCount,
  },
};

/** Reason why no run can be started with these options; undefined if one can. */
export function runProblem(options: {
  readonly task?: unknown;
  readonly messages?: unknown;
  readonly model?: unknown;
}): string | undefined {
  const { task, messages } = options;
  const goesOn = task === undefined && Array.isArray(messages) && messages.length > 0;
  if (!goesOn && (typeof task !== "string" || task.trim() === "")) return "A run needs a task.";
  return modelProblem(options.model);
}

/** Reason why no run can be started with a model; undefined if one can. Checked before the agent loop is loaded. */
export function modelProblem(model: unknown): string | undefined {
  if (typeof model === "string") {
    const spec = JSON.stringify(model);
    return `model is the text ${spec}; a run needs the model itself: await loadModel(${spec}), from haft/agent.`;
  }
  const isModel =
    typeof model === "object" &&
    model !== null &&
    "id" in model &&
    typeof model.id === "string" &&
    "stream" in model &&
    typeof model.stream === "function";
  return isModel ? undefined : "A run needs a model: an object with an id and a stream function.";
}
