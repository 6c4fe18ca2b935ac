import type { DefinitionFormat } from "../../core/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { toPrompt, type PromptTraits } from "./prompt.ts";
import { providerError } from "./provider-error.ts";
import { streamEvents } from "./stream-part.ts";

/** A language model of the AI SDK's provider packages, version 2 to 4 of its specification, by shape alone. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: StreamOptions): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** What is passed to `doStream`; the parts each version words differently are built to its version. */
interface StreamOptions {
  readonly prompt: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

export interface AiSdkOptions {
  /** `provider:model` as it was asked for. Default: the model's own provider and id. */
  readonly id?: string;
  /** Whose schema dialect to ask for. Default: by the model's provider. */
  readonly dialect?: DefinitionFormat;
}

/** Takes a model of an AI SDK provider package as a model for runs. */
export function aiSdkModel(model: LanguageModelLike, options: AiSdkOptions = {}): Model {
  const traits = promptTraits(model);
  const id = options.id ?? `${model.provider}:${model.modelId}`;
  return {
    id,
    dialect: options.dialect ?? dialectOf(model.provider),
    async *stream(request): AsyncGenerator<ModelEvent, void, undefined> {
      try {
        const { stream } = await model.doStream(streamOptions(request, traits));
        yield* streamEvents(stream);
      } catch (cause) {
        throw providerError(id, cause);
      }
    },
  };
}

function streamOptions(request: ModelRequest, traits: PromptTraits): StreamOptions {
  const { maxOutputTokens, signal, tools } = request;
  return {
    prompt: toPrompt(request, traits),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map((tool) => ({ type: "function", ...tool })),
          toolChoice: { type: "auto" },
        }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    abortSignal: signal,
  };
}

function promptTraits({ specificationVersion, provider }: LanguageModelLike): PromptTraits {
  return {
    version: specificationVersion === "v2" ? 2 : specificationVersion === "v3" ? 3 : 4,
    takesMediaInResults: /anthropic|google|vertex|bedrock|openai\.responses/u.test(provider),
    marksCache: provider.startsWith("anthropic"),
  };
}

function dialectOf(provider: string): DefinitionFormat {
  if (/anthropic|bedrock/u.test(provider)) return "anthropic";
  return /google|vertex|gemini/u.test(provider) ? "gemini" : "openai";
}
