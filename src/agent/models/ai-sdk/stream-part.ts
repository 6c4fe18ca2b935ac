import type { FinishReason, ModelEvent } from "../model.ts";
import type { ProviderData } from "../../../session/index.ts";

type Part = Readonly<Record<string, unknown>>;

/**
 * Converts a provider's stream to model events. Throws an error that it contains. Omits calls that the provider runs
 * itself.
 */
export async function* streamEvents(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<ModelEvent, void, undefined> {
  const open = new Map<string, { name: string; input: string }>();
  for await (const part of stream) {
    if (!isRecord(part)) continue;
    switch (part["type"]) {
      case "text-start":
      case "text-delta":
      case "text-end":
        yield* piece("text", part);
        break;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        yield* piece("reasoning", part);
        break;
      case "tool-input-start":
        if (part["providerExecuted"] !== true) {
          open.set(text(part["id"]), { name: text(part["toolName"]), input: "" });
        }
        break;
      case "tool-input-delta": {
        const call = open.get(text(part["id"]));
        if (call !== undefined) call.input += text(part["delta"]);
        break;
      }
      case "tool-call":
        open.delete(text(part["toolCallId"]));
        if (part["providerExecuted"] !== true) yield toolCall(part);
        break;
      case "error":
        throw part["error"];
      case "finish":
        // Begun but never completed: the stream was cut off inside the call.
        for (const [id, call] of open) yield { type: "tool-call", id, ...call, incomplete: true };
        open.clear();
        yield { type: "usage", usage: usageOf(part["usage"]) };
        yield { type: "finish", reason: finishReason(part["finishReason"]) };
        break;
      default:
        break;
    }
  }
  for (const [id, call] of open) yield { type: "tool-call", id, ...call, incomplete: true };
}

function* piece(type: "text" | "reasoning", part: Part): Generator<ModelEvent, void, undefined> {
  const data = providerData(part);
  const delta = text(part["delta"]);
  if (delta === "" && data.providerData === undefined) return;
  yield { type, text: delta, block: text(part["id"]), ...data };
}

function toolCall(part: Part): ModelEvent {
  const input = part["input"];
  return {
    type: "tool-call",
    id: text(part["toolCallId"]),
    name: text(part["toolName"]),
    input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
    ...providerData(part),
  };
}

function providerData(part: Part): { providerData?: ProviderData } {
  const data = part["providerMetadata"];
  return isRecord(data) ? { providerData: data } : {};
}

/** Token usage. Version 2 gives numbers, later ones a breakdown with a total. */
function usageOf(usage: unknown): { input: number; output: number } {
  const { inputTokens, outputTokens } = isRecord(usage) ? usage : {};
  return { input: tokens(inputTokens), output: tokens(outputTokens) };
}

function tokens(value: unknown): number {
  const total = isRecord(value) ? value["total"] : value;
  return typeof total === "number" && Number.isFinite(total) ? total : 0;
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map(
  (
    ["stop", "tool-calls", "length", "content-filter", "error", "interrupted", "other"] as const
  ).map((reason) => [reason, reason]),
);

function finishReason(value: unknown): FinishReason {
  return finishReasons.get(isRecord(value) ? value["unified"] : value) ?? "other";
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isRecord(value: unknown): value is Part {
  return typeof value === "object" && value !== null;
}
