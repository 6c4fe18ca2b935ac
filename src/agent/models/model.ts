import type {
  DefinitionFormat,
  JsonSchema,
  ModelInfo,
  NativeSearch,
  TokenUsage,
} from "../../core/index.ts";
import type { Message, ProviderData, ProviderPart } from "../../session/index.ts";

/** A tool as presented to a model, in plain JSON Schema. */
export interface ModelTool {
  /** Name of the tool. */
  readonly name: string;
  /** Description for the model. */
  readonly description: string;
  /** JSON Schema of its input. */
  readonly inputSchema: JsonSchema;
  /** Whether to ask the provider to enforce the schema. */
  readonly strict?: boolean;
  /** Name under which results name it that load it; until then the provider keeps it from the model. Default: not kept. */
  readonly deferred?: string;
  /** Whether its results load deferred tools. */
  readonly findsDeferred?: boolean;
}

/** Request to a model. */
export interface ModelRequest {
  /** System prompt. */
  readonly system: string;
  /** Conversation. */
  readonly messages: readonly Message[];
  /** Tools that the model may call. */
  readonly tools: readonly ModelTool[];
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** Maximum tokens of the answer. Default: the provider's. */
  readonly maxOutputTokens?: number;
  /** Whether and which tool the model must call. Default: "auto". */
  readonly toolChoice?: ToolChoice;
  /** Sampling temperature. Default: the provider's. */
  readonly temperature?: number;
  /** HTTP headers added to the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of a provider's package, keyed by provider, as in `{ anthropic: { thinking: … } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** `required`: any tool; `{ tool }`: the tool of that name. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

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
      /** Whether the block is complete with this piece, whose text may be empty. */
      readonly end?: boolean;
      readonly providerData?: ProviderData;
    }
  /** Input of a call as it arrives, for display; the call itself follows as `tool-call`. */
  | {
      readonly type: "tool-input";
      readonly block: string;
      readonly name: string;
      readonly text: string;
    }
  /** A part that only the provider understands, stored and returned to it. */
  | { readonly type: "provider"; readonly part: ProviderPart }
  | {
      readonly type: "tool-call";
      /** Id that the provider gave the call; may be empty or repeat. */
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
  /** Sizes and prices, where they are known. */
  readonly info?: ModelInfo;
  /** Whether its provider keeps tools that are marked as deferred from it until a result loads them. Default: no. */
  readonly defersTools?: boolean;
  /** Whether its provider caches the beginning of requests, so that a changed list costs more. Default: no. */
  readonly cachesPrompts?: boolean;
  /** Search of the web that the provider runs itself; missing where it has none. */
  readonly search?: NativeSearch;
  /**
   * Streams one answer. Fails with MODEL_FAILED, `retryable` if another attempt may help; `data.retryAfterMs` is the
   * delay that the provider requests. Fails with CONTEXT_OVERFLOW if the conversation is longer than the model accepts.
   */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
