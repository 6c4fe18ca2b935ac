import type { ContentPart } from "../../core/index.ts";

/** Data of a provider that must be returned unchanged with a part it sent: signatures, item ids. Keyed by provider. */
export type ProviderData = Readonly<Record<string, unknown>>;

/** Message of a conversation, independent of providers. Tool results keep their content parts, including images. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Message of the user. */
export interface UserMessage {
  readonly role: "user";
  /** Text and media. */
  readonly content: readonly ContentPart[];
}

/** Answer of the model in one turn. */
export interface AssistantMessage {
  readonly role: "assistant";
  /** Parts, in the order in which they arrived. */
  readonly content: readonly AssistantPart[];
}

/** Results of the calls in the assistant message right before it, in call order. */
export interface ToolMessage {
  readonly role: "tool";
  /** Results, in the order of the calls. */
  readonly content: readonly ToolResultPart[];
}

/** Part of an answer: text, reasoning, a call, or a part that only the provider understands. */
export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly providerData?: ProviderData }
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: ProviderData }
  | ToolCallPart
  | ProviderPart;

/**
 * Part that the provider made and only the provider understands: a tool that it ran itself, the result of that tool, a
 * source. Returned to the same provider unchanged; other providers do not get it.
 */
export interface ProviderPart {
  readonly type: "provider";
  /** Provider that made it, as in `anthropic`. */
  readonly provider: string;
  /** Kind of the part. */
  readonly kind: "tool-call" | "tool-result" | "source" | "other";
  /** The part in the provider package's own form, serializable as JSON. */
  readonly data: unknown;
}

/** A call of the model. */
export interface ToolCallPart {
  readonly type: "tool-call";
  /** Id assigned by the run, unique in its store. */
  readonly id: string;
  /** Id under which the provider knows the call. It may repeat, so nothing is looked up by it. */
  readonly providerCallId?: string;
  /** Name of the tool as the model wrote it. */
  readonly name: string;
  /** JSON text exactly as the model sent it; may be truncated or invalid. */
  readonly input: string;
  /** Whether the model's stream ended inside this call. */
  readonly incomplete?: boolean;
  /** Data that the provider needs back. */
  readonly providerData?: ProviderData;
}

/** Result of one call. */
export interface ToolResultPart {
  readonly type: "tool-result";
  /** Id of the call. */
  readonly callId: string;
  /** Name of the tool. */
  readonly name: string;
  /** Result as the model sees it. */
  readonly content: readonly ContentPart[];
  /** Whether the call failed. */
  readonly isError: boolean;
  /** Names of tools that it found, for providers that load tools by a result. Default: none. */
  readonly loadedTools?: readonly string[];
}

export function userMessage(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === "tool-call");
}
