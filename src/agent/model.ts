import type { DefinitionFormat, JsonSchema, TokenUsage } from "../core/index.ts";
import type { Message, ProviderData } from "../session/index.ts";

/** A tool as a model is told of it, in plain JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Ask the provider to hold the model to the schema. */
  readonly strict?: boolean;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
}

/** Why an answer ended. `interrupted`: the stream stopped without saying that it was done. */
export type FinishReason =
  | "stop"
  | "tool-calls"
  | "length"
  | "content-filter"
  | "error"
  | "interrupted"
  | "other";

/**
 * What a model's stream brings. Pieces of text or reasoning with the same `block` belong together; without
 * one, neighbouring pieces do. A stream that ends without `finish` was interrupted.
 */
export type ModelEvent =
  | {
      readonly type: "text" | "reasoning";
      readonly text: string;
      readonly block?: string;
      readonly providerData?: ProviderData;
    }
  | {
      readonly type: "tool-call";
      readonly id: string;
      readonly name: string;
      /** JSON text exactly as the model sent it. */
      readonly input: string;
      /** The stream ended inside this call. */
      readonly incomplete?: boolean;
      readonly providerData?: ProviderData;
    }
  | { readonly type: "usage"; readonly usage: TokenUsage }
  | { readonly type: "finish"; readonly reason: FinishReason };

/** A language model, whoever serves it. */
export interface Model {
  /** `provider:model`, for logs and people. */
  readonly id: string;
  /** Whose schema dialect its tool definitions must be in. Default: plain JSON Schema. */
  readonly dialect?: DefinitionFormat;
  /**
   * One answer. Fails with MODEL_FAILED, `retryable` where asking again may help; `data.retryAfterMs` is how
   * long the provider wants to be left alone.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
