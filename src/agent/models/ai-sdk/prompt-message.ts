/** Part of a prompt message, in the form of the model's version of the specification. */
export type PromptPart = Readonly<Record<string, unknown>>;

/** Message of the AI SDK's language model specification. */
export interface PromptMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly PromptPart[];
  readonly providerOptions?: unknown;
}
