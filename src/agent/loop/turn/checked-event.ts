import { ToolError, type TokenUsage } from "../../../core/index.ts";
import type { FinishReason, Model, ModelEvent } from "../../models/model.ts";

type Fields = Readonly<Record<string, unknown>>;

const finishReasons = new Set<FinishReason>([
  "stop",
  "tool-calls",
  "length",
  "content-filter",
  "error",
  "interrupted",
  "other",
]);

/**
 * Event of a model's stream in the form that is stored; undefined for one of an unknown type. A model is any program: a
 * call that is not what it must be would be stored as a message that cannot be read again. Throws MODEL_FAILED for an
 * event without its text or part.
 */
export function checkedEvent(model: Model, event: ModelEvent): ModelEvent | undefined {
  const given: unknown = event;
  if (!isFields(given)) throw invalid(model, "an event that is not an object");
  switch (event.type) {
    case "text":
    case "reasoning":
      if (typeof given["text"] !== "string") throw invalid(model, `${event.type} without a text`);
      return event;
    case "tool-call": {
      const { id, name, input } = given;
      const call = { ...event, id: textOf(id), name: textOf(name), input: inputOf(input) };
      if (typeof given["incomplete"] === "boolean" || given["incomplete"] === undefined)
        return call;
      throw invalid(model, "a call with an invalid field incomplete");
    }
    case "tool-input":
      return event;
    case "provider": {
      const { part } = given;
      const isPart = isFields(part) && part["type"] === "provider";
      if (isPart && typeof part["provider"] === "string" && typeof part["kind"] === "string") {
        return event;
      }
      throw invalid(model, "an invalid provider part");
    }
    case "usage":
      return { type: "usage", usage: usageOf(given["usage"]) };
    case "finish":
      return finishReasons.has(event.reason) ? event : { type: "finish", reason: "other" };
    default:
      return unknownEvent(event);
  }
}

/** A later version of a model may send more. */
function unknownEvent(_event: never): undefined {
  return undefined;
}

/** JSON text of an input, which some models send as a value. */
function inputOf(input: unknown): string {
  if (typeof input === "string") return input;
  return JSON.stringify(input ?? {}) ?? "";
}

/** Ids are often numbers; a call without an id or a name is answered as what it is. */
function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const counts = ["input", "output", "cacheRead", "cacheWrite", "reasoning"] as const;

/** Usage without what is not a count, so that no sum becomes invalid. */
function usageOf(usage: unknown): TokenUsage {
  const given = isFields(usage) ? usage : {};
  const known = counts.flatMap((name) => {
    const count = given[name];
    const isCount = typeof count === "number" && Number.isFinite(count) && count >= 0;
    return isCount ? [[name, count] as const] : [];
  });
  return { input: 0, output: 0, ...Object.fromEntries(known) };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

function invalid(model: Model, what: string): ToolError {
  return new ToolError("MODEL_FAILED", `${model.id} sent ${what}.`, {
    hint: "Fix the model, or use another one.",
    retryable: false,
  });
}
