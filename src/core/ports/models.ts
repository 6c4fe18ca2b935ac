import type { TokenUsage } from "../call/token-usage.ts";
import { serviceToken } from "./service-token.ts";

/** Properties of a model that a run needs for compaction and money. */
export interface ModelInfo {
  /** Maximum tokens of request and answer together. */
  readonly contextTokens?: number;
  /** Maximum tokens of an answer. */
  readonly maxOutputTokens?: number;
  /** Prices in US dollars for a million tokens. `cacheRead` and `cacheWrite` default to `input`. */
  readonly usdPerMTok?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
}

/** An endpoint in the form of OpenAI's API that turns texts into vectors. */
export interface EmbeddingSettings {
  /** Address without `/embeddings`, as in `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of the model at the endpoint. */
  readonly model: string;
  /** Environment variable with the key. Default: no key is sent. */
  readonly apiKeyEnv?: string;
}

/** Models of the settings: the ones to use, short names, and what is known about them. */
export interface ModelSettings {
  /** Model of a run for which none is named, as `provider:model` or an alias. */
  readonly default?: string;
  /** Model for work in the background, such as summaries. Default: the model of the run. */
  readonly background?: string;
  /** Short names of models, as in `{ "fast": "anthropic:claude-haiku-4-5" }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Sizes and prices of models, keyed by `provider:model`. haft knows none itself, because they change. */
  readonly catalog?: Readonly<Record<string, ModelInfo>>;
  /** Model that turns texts into vectors. */
  readonly embeddings?: EmbeddingSettings;
  /**
   * Model that puts the best 20 matches of ToolSearch in order after their words have been compared: the background
   * model, or that of `embeddings`. Where it fails or takes more than 4 seconds, the order of the words counts.
   *
   * @default "none"
   */
  readonly toolRanking?: "none" | "background" | "embeddings";
}

/** A question for a model, without tools. */
export interface BackgroundRequest {
  /** Prompt of the request. */
  readonly prompt: string;
  /** Instructions. Default: none. */
  readonly system?: string;
  /** Maximum tokens of the answer. Default: the provider's. */
  readonly maxOutputTokens?: number;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** Run whose budget pays for the request, as `context.runId`. */
  readonly runId?: string | undefined;
}

/** Answer of the background model. */
export interface BackgroundAnswer {
  /** Text of the answer. */
  readonly text: string;
  /** Tokens of the request. */
  readonly usage: TokenUsage;
  /** US dollars; missing for a model without prices. */
  readonly costUsd?: number;
}

/** Model for work in the background of an agent, such as the summary of a page. */
export interface BackgroundModel {
  /**
   * Asks the model once, with retries. Rejects with MODEL_FAILED, and with LIMIT_REACHED if the budget of the run is
   * used up.
   */
  ask(request: BackgroundRequest): Promise<BackgroundAnswer>;
}

/** Token of the service that asks the background model. */
export const backgroundModel = serviceToken<BackgroundModel>("backgroundModel");
