import type { ContentPart } from "../core/index.ts";

/** What a provider wants back untouched with a part it once sent: signatures, item ids. Keyed by provider. */
export type ProviderData = Readonly<Record<string, unknown>>;

/** A conversation in no provider's words. Tool results keep their content parts, images too. */
export type Message = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
}

/** The results of the calls of the assistant message right before it, in call order. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
}

export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly providerData?: ProviderData }
  | { readonly type: "reasoning"; readonly text: string; readonly providerData?: ProviderData }
  | ToolCallPart;

export interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  /** JSON text exactly as the model sent it; may be cut off or broken. */
  readonly input: string;
  /** The model's stream ended inside this call. */
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
