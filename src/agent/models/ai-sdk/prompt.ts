import { partText, type ContentPart } from "../../../core/index.ts";
import {
  toolCallsOf,
  type AssistantPart,
  type Message,
  type ToolResultPart,
} from "../../../session/index.ts";
import type { ModelRequest } from "../model.ts";

/** Prompt features of one model. */
export interface PromptTraits {
  /** Version of the language model specification: each represents files differently. */
  readonly version: 2 | 3 | 4;
  /** Whether a tool's result may contain images. If not, they follow as a user message. */
  readonly takesMediaInResults: boolean;
  /** Whether the prompt marks up to where it may be cached. */
  readonly marksCache: boolean;
  /** Provider whose own parts are returned to it. */
  readonly provider: string;
}

type PromptPart = Readonly<Record<string, unknown>>;

interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: unknown;
}

/** Converts a conversation to a prompt of the AI SDK's language model specification. */
export function toPrompt(
  request: Pick<ModelRequest, "system" | "messages">,
  traits: PromptTraits,
): readonly PromptMessage[] {
  const prompt: PromptMessage[] = [];
  if (request.system !== "") prompt.push({ role: "system", content: request.system });
  const withIds = { ...traits, ids: idsAtProvider(request.messages) };
  for (const message of request.messages) prompt.push(...promptMessages(message, withIds));
  if (!traits.marksCache) return prompt;
  // The beginning never changes, and the next turn continues from the end, so both are worth caching.
  return prompt.map((message, index) =>
    index === 0 || index === prompt.length - 1
      ? { ...message, providerOptions: { anthropic: { cacheControl: { type: "ephemeral" } } } }
      : message,
  );
}

interface Traits extends PromptTraits {
  readonly ids: ReadonlyMap<string, string>;
}

/** Ids under which the provider knows the calls: its own where they are unique, otherwise those of the run. */
function idsAtProvider(messages: readonly Message[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const { id, providerCallId } of toolCallsOf(message)) {
      if (providerCallId === undefined || taken.has(providerCallId)) continue;
      taken.add(providerCallId);
      ids.set(id, providerCallId);
    }
  }
  return ids;
}

function promptMessages(message: Message, traits: Traits): readonly PromptMessage[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content.map((part) => userPart(part, traits)) }];
    case "assistant":
      return [
        {
          role: "assistant",
          content: message.content.flatMap((part) => assistantPart(part, traits)),
        },
      ];
    case "tool":
      return toolMessages(message.content, traits);
  }
}

function userPart(part: ContentPart, traits: PromptTraits): PromptPart {
  return isMedia(part)
    ? { type: "file", data: fileData(part.data, traits), mediaType: part.mimeType }
    : { type: "text", text: partText(part) };
}

function assistantPart(part: AssistantPart, { provider, ids }: Traits): readonly PromptPart[] {
  if (part.type === "provider") {
    return part.provider === provider && isRecord(part.data) ? [part.data] : [];
  }
  const options = part.providerData === undefined ? {} : { providerOptions: part.providerData };
  switch (part.type) {
    case "text":
    case "reasoning":
      return [{ type: part.type, text: part.text, ...options }];
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId: ids.get(part.id) ?? part.id,
          toolName: part.name,
          input: inputObject(part.input),
          ...options,
        },
      ];
  }
}

/** Providers refuse a conversation in which a call's input is not an object, so invalid text is wrapped in one. */
function inputObject(input: string): unknown {
  if (input.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Falls through: the text of the model is preserved.
  }
  return { unreadable: input };
}

function toolMessages(
  results: readonly ToolResultPart[],
  traits: Traits,
): readonly PromptMessage[] {
  const tool: PromptMessage = {
    role: "tool",
    content: results.map((result) => ({
      type: "tool-result",
      toolCallId: traits.ids.get(result.callId) ?? result.callId,
      toolName: result.name,
      output: resultOutput(result, traits),
    })),
  };
  if (traits.takesMediaInResults) return [tool];
  const media = results.flatMap(({ callId, content }) => {
    const parts = content.filter(isMedia);
    if (parts.length === 0) return [];
    const title = { type: "text", text: `What call ${traits.ids.get(callId) ?? callId} showed:` };
    return [title, ...parts.map((part) => userPart(part, traits))];
  });
  return media.length === 0 ? [tool] : [tool, { role: "user", content: media }];
}

function resultOutput({ content, isError }: ToolResultPart, traits: PromptTraits): PromptPart {
  if (!isError && traits.takesMediaInResults && content.some(isMedia)) {
    return { type: "content", value: content.map((part) => resultPart(part, traits)) };
  }
  return { type: isError ? "error-text" : "text", value: content.map(partText).join("\n") };
}

function resultPart(part: ContentPart, traits: PromptTraits): PromptPart {
  if (!isMedia(part)) return { type: "text", text: partText(part) };
  const { data, mimeType: mediaType } = part;
  switch (traits.version) {
    case 2:
      return { type: "media", data, mediaType };
    case 3:
      return { type: part.type === "image" ? "image-data" : "file-data", data, mediaType };
    case 4:
      return { type: "file", data: fileData(data, traits), mediaType };
  }
}

function fileData(data: string, { version }: PromptTraits): unknown {
  return version === 4 ? { type: "data", data } : data;
}

function isMedia(part: ContentPart): part is Extract<ContentPart, { type: "image" | "audio" }> {
  return part.type === "image" || part.type === "audio";
}

function isRecord(value: unknown): value is PromptPart {
  return typeof value === "object" && value !== null;
}
