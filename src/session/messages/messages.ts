import type { ContentPart } from "../../core/index.ts";

/** Data of a provider that must be returned unchanged with a part it sent: signatures, item ids. Keyed by provider. */
export type ProviderData = Readonly<Record<string, unknown>>;

/** Message of a conversation, independent of providers. Tool results keep their content parts, including images. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
}

/** Results of the calls in the assistant message right before it, in call order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
}

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
  readonly kind: "tool-call" | "tool-result" | "source" | "other";
  /** The part in the provider package's own form, serializable as JSON. */
  readonly data: unknown;
}

export interface ToolCallPart {
  readonly type: "tool-call";
  /** Id assigned by the run, unique in its store. */
  readonly id: string;
  /** Id under which the provider knows the call. It may repeat, so nothing is looked up by it. */
  readonly providerCallId?: string;
  readonly name: string;
  /** JSON text exactly as the model sent it; may be truncated or invalid. */
  readonly input: string;
  /** Whether the model's stream ended inside this call. */
  readonly incomplete?: boolean;
  readonly providerData?: ProviderData;
}

export interface ToolResultPart {
  readonly type: "tool-result";
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
}

export function userMessage(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter((part) => part.type === "tool-call");
}
