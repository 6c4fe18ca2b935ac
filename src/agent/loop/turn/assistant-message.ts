import type { TokenUsage } from "../../../core/index.ts";
import type {
  AssistantPart,
  ProviderData,
  ProviderPart,
  ToolCallPart,
} from "../../../session/index.ts";
import type { FinishReason, ModelEvent } from "../../models/model.ts";

/** Complete answer of a model, serializable as JSON. */
export interface Answer {
  readonly content: readonly AssistantPart[];
  readonly finish: FinishReason;
  readonly usage: TokenUsage;
}

/** Collects a model's stream into an answer. */
export interface AnswerCollector {
  add(event: ModelEvent): void;
  /** Whether anything arrived that the user may have seen, or a call that may be run. */
  readonly hasContent: boolean;
  answer(): Answer;
}

/** Creates a collector. `nextId` returns the id of the next call; the provider's own is stored with the call. */
export function answerCollector(nextId: () => string): AnswerCollector {
  const parts: Draft[] = [];
  let finish: FinishReason = "interrupted";
  let usage: TokenUsage = { input: 0, output: 0 };
  return {
    add(event) {
      switch (event.type) {
        case "text":
        case "reasoning": {
          const known = openPart(parts, event);
          if (known === undefined) parts.push({ ...event });
          else extend(known, event);
          break;
        }
        case "tool-call":
          parts.push(callPart(event, nextId()));
          break;
        case "provider":
          parts.push(event.part);
          break;
        case "tool-input":
          break;
        case "usage":
          usage = event.usage;
          break;
        case "finish":
          finish = event.reason;
          break;
      }
    },
    get hasContent() {
      return parts.length > 0;
    },
    answer: () => ({ content: finished(parts, isCut(finish)), finish, usage }),
  };
}

function callPart(event: Extract<ModelEvent, { type: "tool-call" }>, id: string): ToolCallPart {
  const { id: providerCallId, ...call } = event;
  return { ...call, id, ...(providerCallId === "" ? {} : { providerCallId }) };
}

type TextEvent = Extract<ModelEvent, { type: "text" | "reasoning" }>;

interface TextDraft {
  readonly type: "text" | "reasoning";
  text: string;
  readonly block?: string;
  providerData?: ProviderData;
}

type Draft = TextDraft | ToolCallPart | ProviderPart;

function openPart(parts: readonly Draft[], event: TextEvent): TextDraft | undefined {
  const last = parts.at(-1);
  if (event.block === undefined) {
    return last?.type === event.type && last.block === undefined ? last : undefined;
  }
  return parts.findLast(
    (part): part is TextDraft => part.type === event.type && part.block === event.block,
  );
}

function extend(part: TextDraft, event: TextEvent): void {
  part.text += event.text;
  if (event.providerData === undefined) return;
  const merged: Record<string, unknown> = { ...part.providerData };
  for (const [provider, data] of Object.entries(event.providerData)) {
    merged[provider] = { ...asRecord(merged[provider]), ...asRecord(data) };
  }
  part.providerData = merged;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isCut(finish: FinishReason): boolean {
  return finish !== "stop" && finish !== "tool-calls" && finish !== "other";
}

function finished(parts: readonly Draft[], wasCut: boolean): readonly AssistantPart[] {
  return parts.flatMap((part, index): readonly AssistantPart[] => {
    if (part.type === "tool-call") {
      return [wasCut && isUnfinished(part, index === parts.length - 1) ? cut(part) : part];
    }
    if (part.type === "provider") return [part];
    const { type, text, providerData } = part;
    if (text === "" && (type === "text" || providerData === undefined)) return [];
    return [{ type, text, ...(providerData === undefined ? {} : { providerData }) }];
  });
}

/**
 * Whether an interrupted answer was cut off inside this call. No proper prefix of a JSON object is an object itself, so
 * a complete object is a complete call; only the last call may still have lacked all of its input.
 */
function isUnfinished(call: ToolCallPart, isLast: boolean): boolean {
  try {
    const value: unknown = JSON.parse(call.input);
    if (typeof value !== "object" || value === null) return true;
    return isLast && Object.keys(value).length === 0;
  } catch {
    return true;
  }
}

function cut(call: ToolCallPart): ToolCallPart {
  return { ...call, incomplete: true };
}
