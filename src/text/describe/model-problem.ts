import { arePrices } from "./model-info.ts";

interface RunModels {
  readonly task?: unknown;
  readonly messages?: unknown;
  readonly model?: unknown;
  readonly fallbackModels?: unknown;
  readonly backgroundModel?: unknown;
  readonly limits?: unknown;
}

/**
 * Reason why no run can be started with these options; undefined if one can. With `opens`, a model may be a text that is
 * opened when the run starts, and checked then.
 */
export function runProblem(
  options: RunModels,
  { opens = false }: { readonly opens?: boolean } = {},
): string | undefined {
  const { task, messages, model, fallbackModels = [], backgroundModel, limits } = options;
  const goesOn = task === undefined && Array.isArray(messages) && messages.length > 0;
  if (!goesOn && (typeof task !== "string" || task.trim() === "")) return "A run needs a task.";
  if (!Array.isArray(fallbackModels)) return "fallbackModels must be a list of models.";
  const others: readonly unknown[] = backgroundModel === undefined ? [] : [backgroundModel];
  const named: readonly unknown[] = [model, ...fallbackModels, ...others];
  const models = opens ? named.filter((each) => !isModelName(each)) : named;
  const problem = models.map(modelProblem).find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  const hasMaxCost = field(limits, "maxCost") !== undefined;
  const unpriced = hasMaxCost
    ? models.map(priceProblem).find((each) => each !== undefined)
    : undefined;
  return unpriced === undefined ? undefined : `${unpriced} ${priceHint}`;
}

/** Whether a value can name a model, as in `provider:model` or an alias. */
export function isModelName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

export const priceHint = "Set info.usdPerMTok of the model, or remove maxCost.";

/** Reason why the cost of a model cannot be limited; undefined if its prices are known. */
export function priceProblem(model: unknown): string | undefined {
  if (arePrices(field(field(model, "info"), "usdPerMTok"))) return undefined;
  const id = String(field(model, "id"));
  return `limits.maxCost needs the prices of ${id}, which are not known.`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
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
