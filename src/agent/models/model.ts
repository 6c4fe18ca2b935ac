import type { DefinitionFormat, JsonSchema, TokenUsage } from "../../core/index.ts";
import type { Message, ProviderData } from "../../session/index.ts";

/** A tool as presented to a model, in plain JSON Schema. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether to ask the provider to enforce the schema. */
  readonly strict?: boolean;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
}

/** Reason for which an answer ended. `interrupted`: the stream stopped without a finish event. */
export type FinishReason =
  | "stop"
  | "tool-calls"
  | "length"
  | "content-filter"
  | "error"
  | "interrupted"
  | "other";

/**
 * Event of a model's stream. Pieces of text or reasoning with the same `block` belong together; without `block`,
 * adjacent pieces do. A stream that ends without `finish` was interrupted.
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
      /** Whether the stream ended inside this call. */
      readonly incomplete?: boolean;
      readonly providerData?: ProviderData;
    }
  | { readonly type: "usage"; readonly usage: TokenUsage }
  | { readonly type: "finish"; readonly reason: FinishReason };

/** A language model, independent of the provider. */
export interface Model {
  /** Name in the form `provider:model`, for logs and the user. */
  readonly id: string;
  /** Provider whose schema dialect the tool definitions must use. Default: plain JSON Schema. */
  readonly dialect?: DefinitionFormat;
  /**
   * Streams one answer. Fails with MODEL_FAILED, `retryable` if another attempt may help; `data.retryAfterMs` is the
   * delay that the provider requests.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
