import type { DefinitionFormat } from "../../../core/index.ts";
import type { Model, ModelEvent, ModelRequest } from "../model.ts";
import { toPrompt, type PromptTraits } from "./prompt.ts";
import { providerError } from "./provider-error.ts";
import { streamEvents } from "./stream-part.ts";

/** Language model of an AI SDK provider package, version 2 to 4 of the specification, matched by shape. */
export interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: StreamOptions): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** Argument of `doStream`; parts that differ between versions are built for the model's version. */
interface StreamOptions {
  readonly prompt: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly maxOutputTokens?: number;
  readonly abortSignal?: AbortSignal;
}

export interface AiSdkOptions {
  /** Id in the form `provider:model`, as requested. Default: the model's own provider and id. */
  readonly id?: string;
  /** Schema dialect of the tool definitions. Default: that of the model's provider. */
  readonly dialect?: DefinitionFormat;
}

/** Adapts a model of an AI SDK provider package to a model for runs. */
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
    provider,
  };
}

function dialectOf(provider: string): DefinitionFormat {
  if (/anthropic|bedrock/u.test(provider)) return "anthropic";
  return /google|vertex|gemini/u.test(provider) ? "gemini" : "openai";
}
