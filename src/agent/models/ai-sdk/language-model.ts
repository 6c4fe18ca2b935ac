import type { DefinitionFormat, ModelInfo, NativeSearch } from "../../../core/index.ts";
import type { Model, ModelEvent, ModelRequest, ModelTool } from "../model.ts";
import { requestDeferral } from "./native-deferral.ts";
import { toPrompt, type PromptTarget } from "./prompt.ts";
import { providerError } from "./provider-error.ts";
import {
  cachesPrompts,
  factsFor,
  providerOf,
  type PackageOptions,
  type Provider,
} from "./provider-table.ts";
import type { ProviderSearch } from "./provider-search-table.ts";
import { streamEvents } from "./stream-part.ts";

/** Language model of an AI SDK provider package, version 2 to 4 of the specification, matched by shape. */
export interface LanguageModelLike {
  /** Version of the interface, such as `v3`. */
  readonly specificationVersion: string;
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the model at the provider. */
  readonly modelId: string;
  /** Sends a request and returns the parts of the answer as they arrive. */
  doStream(options: LanguageModelCall): PromiseLike<{ readonly stream: AsyncIterable<unknown> }>;
}

/** Argument of `doStream`; parts that differ between versions are built for the model's version. */
export interface LanguageModelCall {
  /** Messages in the form of the model's version. */
  readonly prompt: unknown;
  /** Tools in the form of the model's version. */
  readonly tools?: unknown;
  /** Whether and which tool the model must call. */
  readonly toolChoice?: unknown;
  /** Maximum tokens of the answer. */
  readonly maxOutputTokens?: number;
  /** Sampling temperature. */
  readonly temperature?: number;
  /** Headers added to the request. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Options of the provider. */
  readonly providerOptions?: unknown;
  /** Ends the request. */
  readonly abortSignal?: AbortSignal;
}

/** Options for a model of the AI SDK. */
export interface AiSdkOptions {
  /** Id in the form `provider:model`, as requested. Default: the model's own provider and id. */
  readonly id?: string;
  /** Schema dialect of the tool definitions. Default: that of the model's provider. */
  readonly dialect?: DefinitionFormat;
  /** Sizes and prices. Default: unknown. */
  readonly info?: ModelInfo;
  /** Whether an answer may have several calls. Default: true. */
  readonly parallelCalls?: boolean;
}

/** Adapts a model of an AI SDK provider package to a model for runs. */
export function aiSdkModel(model: LanguageModelLike, options: AiSdkOptions = {}): Model {
  return adaptModel(model, providerOf(model.provider), options);
}

/** Adapts a model whose provider is known. */
export function adaptModel(
  model: LanguageModelLike,
  provider: Provider,
  options: AiSdkOptions & { readonly baseUrl?: string },
): Model {
  const { specificationVersion } = model;
  const version = specificationVersion === "v2" ? 2 : specificationVersion === "v3" ? 3 : 4;
  const facts = factsOf(factsFor(provider, model.modelId), version);
  const id = options.id ?? `${model.provider}:${model.modelId}`;
  const { info } = options;
  const base = mergeOptions(
    facts.defaultOptions,
    options.parallelCalls === false ? facts.oneCall : undefined,
  );
  return {
    id,
    dialect: options.dialect ?? facts.dialect,
    ...(info === undefined ? {} : { info }),
    ...(facts.deferral === undefined ? {} : { defersTools: true }),
    ...(cachesPrompts(facts) ? { cachesPrompts: true } : {}),
    ...(facts.search === undefined
      ? {}
      : {
          search: modelSearch(
            model,
            { provider: facts, search: facts.search },
            { id, baseUrl: options.baseUrl },
          ),
        }),
    async *stream(request): AsyncGenerator<ModelEvent, void, undefined> {
      try {
        const deferral = requestDeferral(request.tools, facts.deferral, (tool) =>
          functionTool(tool, facts),
        );
        const target = { version, provider: facts, deferral } as const;
        const { stream } = await model.doStream(streamOptions(request, target, base));
        for await (const event of streamEvents(stream, facts)) {
          yield deferral === undefined ? event : deferral.read(event);
        }
      } catch (cause) {
        throw providerError(id, cause);
      }
    },
  };
}

/** Packages for older versions of the specification cannot express deferred tools. */
function factsOf({ deferral, ...facts }: Provider, version: 2 | 3 | 4): Provider {
  return deferral === undefined || version < 4 ? facts : { ...facts, deferral };
}

function modelSearch(
  model: LanguageModelLike,
  facts: { readonly provider: Provider; readonly search: ProviderSearch },
  { id, baseUrl }: { readonly id: string; readonly baseUrl: string | undefined },
): NativeSearch {
  const own = `https://${facts.search.host}`;
  const address = new URL(baseUrl !== undefined && URL.canParse(baseUrl) ? baseUrl : own);
  return {
    host: address.hostname,
    port: Number(address.port || (address.protocol === "http:" ? 80 : 443)),
    async find(query, { signal }) {
      const { searchNatively } = await import("./native-search.ts");
      try {
        return await searchNatively(model, facts, { query, signal });
      } catch (cause) {
        throw providerError(id, cause);
      }
    },
  };
}

function streamOptions(
  request: ModelRequest,
  target: PromptTarget,
  base: PackageOptions,
): LanguageModelCall {
  const { maxOutputTokens, temperature, headers, signal } = request;
  const providerOptions = mergeOptions(base, request.providerOptions);
  return {
    prompt: toPrompt(request, target),
    ...toolOptions(request, target),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(headers === undefined ? {} : { headers }),
    ...(Object.keys(providerOptions).length === 0 ? {} : { providerOptions }),
    abortSignal: signal,
  };
}

function toolOptions(
  { tools, toolChoice = "auto" }: ModelRequest,
  { provider, deferral }: PromptTarget,
): Pick<LanguageModelCall, "tools" | "toolChoice"> {
  const accepts = provider.toolChoice === "all";
  const offered = accepts ? tools : offeredFor(toolChoice, tools);
  if (offered.length === 0) return {};
  return {
    tools: deferral?.tools ?? offered.map((tool) => functionTool(tool, provider)),
    toolChoice: accepts ? choiceOption(toolChoice) : { type: "auto" },
  };
}

/** Tools that express a choice for a provider that only knows `auto`. */
function offeredFor(
  choice: NonNullable<ModelRequest["toolChoice"]>,
  tools: readonly ModelTool[],
): readonly ModelTool[] {
  if (choice === "none") return [];
  return typeof choice === "string" ? tools : tools.filter(({ name }) => name === choice.tool);
}

function choiceOption(choice: NonNullable<ModelRequest["toolChoice"]>): unknown {
  return typeof choice === "string" ? { type: choice } : { type: "tool", toolName: choice.tool };
}

function functionTool(
  { name, description, inputSchema, strict }: ModelTool,
  provider: Provider,
): Readonly<Record<string, unknown>> {
  return {
    type: "function",
    name,
    description,
    inputSchema,
    ...(strict === undefined || !provider.strict ? {} : { strict }),
  };
}

/** Options of both, those of the second where both have one. */
function mergeOptions(first: PackageOptions = {}, second: PackageOptions = {}): PackageOptions {
  const keys = [...Object.keys(first), ...Object.keys(second)];
  return Object.fromEntries(keys.map((key) => [key, { ...first[key], ...second[key] }]));
}
