import type { TokenUsage } from "../core/index.ts";
import type { AssistantPart, ProviderData, ToolCallPart } from "../session/index.ts";
import type { FinishReason, ModelEvent } from "./model.ts";

/** One whole answer of a model, as JSON can carry it. */
export interface Answer {
  readonly content: readonly AssistantPart[];
  readonly finish: FinishReason;
  readonly usage: TokenUsage;
}

/** Gathers a model's stream into its answer. */
export interface AnswerCollector {
  add(event: ModelEvent): void;
  /** Whether anything came that a person may have seen or a call that may be run. */
  readonly hasContent: boolean;
  answer(): Answer;
}

/** `takeId` gives a call its id: the model's own where it is fit, another where it is empty or was used before. */
export function answerCollector(takeId: (wanted: string) => string): AnswerCollector {
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
          parts.push({ ...event, id: takeId(event.id) });
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

type TextEvent = Extract<ModelEvent, { type: "text" | "reasoning" }>;

interface TextDraft {
  readonly type: "text" | "reasoning";
  text: string;
  readonly block?: string;
  providerData?: ProviderData;
}

type Draft = TextDraft | ToolCallPart;

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
    const { type, text, providerData } = part;
    if (text === "" && (type === "text" || providerData === undefined)) return [];
    return [{ type, text, ...(providerData === undefined ? {} : { providerData }) }];
  });
}

/**
 * Whether an answer that was cut off was cut inside this call. No beginning of a JSON object is itself one, so
 * a whole object is a whole call; only the last call may still have lacked all of its input.
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
