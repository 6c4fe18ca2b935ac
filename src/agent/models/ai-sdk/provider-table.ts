import type { DefinitionFormat } from "../../../core/index.ts";
import { callIdRules, type CallIdRule } from "./call-ids.ts";
import { providerDeferrals, type ProviderDeferral } from "./native-deferral.ts";
import { providerSearches, type ProviderSearch } from "./provider-search-table.ts";

/** Options of provider packages, keyed by provider. */
export type PackageOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Facts about one provider. Code elsewhere reads these and never asks for a provider's name. */
export interface Provider {
  readonly packageName: string;
  /** Names of the factory in the package's versions, the newest first. */
  readonly factories: readonly string[];
  /** Method of the factory's result that creates the model. Default: the result itself. */
  readonly method?: string;
  /** Environment variables that may contain its key, in order. */
  readonly keys: readonly string[];
  /** Whether it needs no key, or its package finds other credentials. */
  readonly isKeyOptional?: boolean;
  /** Environment variables that may contain its address. */
  readonly baseUrls: readonly string[];
  readonly defaultBaseUrl?: string;
  readonly needsBaseUrl?: boolean;
  /** Whether the factory takes a name and serves any address: the protocol is OpenAI's, the server is not. */
  readonly isNamed?: boolean;
  /** Other settings of the factory, each with the environment variables that may contain it. */
  readonly settings?: Readonly<Record<string, readonly string[]>>;
  /** Values of `provider` on its models, without what follows a dot. */
  readonly modelProviders: readonly string[];
  /** Keys under which its package reads options and writes metadata. */
  readonly optionKeys: readonly string[];
  /** Schema dialect of tool definitions. */
  readonly dialect: DefinitionFormat;
  readonly cacheMark?: CacheMark;
  /** Models whose prompts it caches without marks. Missing where that is not known. */
  readonly cached?: RegExp;
  /** How reasoning goes back: with the data that the provider signed it with, as text, or not at all. */
  readonly reasoning: "signed" | "text" | "never";
  /** Kinds of parts of its own that its package accepts in a prompt. Others are only for display. */
  readonly customKinds?: readonly string[];
  readonly callIds: CallIdRule;
  /** Tool choices that it accepts. With `auto`, others are expressed by the tools that are offered. */
  readonly toolChoice: "all" | "auto";
  /** Whether its package accepts `strict` on a tool. */
  readonly strict: boolean;
  /** Options that limit an answer to one call. Missing where the provider has none. */
  readonly oneCall?: PackageOptions;
  /** Whether a tool's result may contain images. If not, they follow as a user message. */
  readonly mediaInResults: boolean;
  /** Whether it serves models of several makers, whose own rules then apply too. */
  readonly servesOthers?: boolean;
  /** Whether usage given as plain numbers leaves cached tokens out of the input. */
  readonly plainUsageOmitsCache?: boolean;
  /** How it searches the web itself; missing where it does not. */
  readonly search?: ProviderSearch;
  /** How it keeps tools from a model until they are found; missing where it does not. */
  readonly deferral?: ProviderDeferral;
  /** Options sent with every request unless the request has its own. */
  readonly defaultOptions?: PackageOptions;
}

/** Marks up to where a prompt may be cached. Providers without one cache by themselves or not at all. */
export interface CacheMark {
  readonly options: PackageOptions;
  /** Models that accept it. Default: all of the provider's. */
  readonly models?: RegExp;
}

const ephemeral = { cacheControl: { type: "ephemeral" } } as const;

/** Models of Anthropic, wherever they are served. */
const anthropicModel = {
  optionKeys: ["anthropic"],
  dialect: "anthropic",
  cacheMark: { options: { anthropic: ephemeral } },
  reasoning: "signed",
  customKinds: ["anthropic.fallback"],
  callIds: callIdRules.anthropic,
  toolChoice: "all",
  strict: true,
  oneCall: { anthropic: { disableParallelToolUse: true } },
  mediaInResults: true,
  plainUsageOmitsCache: true,
} as const satisfies Partial<Provider>;

const geminiModel = {
  dialect: "gemini",
  cached: /gemini-(?:2\.5|[3-9])/u,
  reasoning: "signed",
  callIds: callIdRules.any,
  toolChoice: "all",
  strict: true,
  mediaInResults: true,
} as const satisfies Partial<Provider>;

const vertexSettings = {
  project: ["GOOGLE_VERTEX_PROJECT", "GOOGLE_CLOUD_PROJECT"],
  location: ["GOOGLE_VERTEX_LOCATION", "GOOGLE_CLOUD_LOCATION"],
} as const;

const openAi = {
  packageName: "@ai-sdk/openai",
  factories: ["createOpenAI"],
  keys: ["OPENAI_API_KEY"],
  baseUrls: ["OPENAI_BASE_URL"],
  optionKeys: ["openai"],
  dialect: "openai",
  // Models before gpt-4o have no cache.
  cached: /^(?:gpt-(?:4o|4\.[1-9]|[5-9])|o\d)/u,
  callIds: callIdRules.openai,
  toolChoice: "all",
  strict: true,
  oneCall: { openai: { parallelToolCalls: false } },
} as const satisfies Partial<Provider>;

/** Servers and providers that speak OpenAI's chat protocol. */
const openAiLike = {
  dialect: "openai",
  reasoning: "text",
  callIds: callIdRules.openai,
  toolChoice: "all",
  strict: true,
  mediaInResults: false,
} as const satisfies Partial<Provider>;

const compatible = {
  ...openAiLike,
  packageName: "@ai-sdk/openai-compatible",
  factories: ["createOpenAICompatible"],
  isNamed: true,
} as const satisfies Partial<Provider>;

const rows = {
  anthropic: {
    ...anthropicModel,
    packageName: "@ai-sdk/anthropic",
    factories: ["createAnthropic"],
    keys: ["ANTHROPIC_API_KEY"],
    baseUrls: ["ANTHROPIC_BASE_URL"],
    modelProviders: ["anthropic", "bedrock.anthropic"],
    search: providerSearches.anthropic,
    deferral: providerDeferrals.anthropic,
  },
  bedrock: {
    packageName: "@ai-sdk/amazon-bedrock",
    factories: ["createAmazonBedrock"],
    keys: ["AWS_BEARER_TOKEN_BEDROCK"],
    isKeyOptional: true,
    baseUrls: [],
    settings: {
      region: ["AWS_REGION", "AWS_DEFAULT_REGION"],
      accessKeyId: ["AWS_ACCESS_KEY_ID"],
      secretAccessKey: ["AWS_SECRET_ACCESS_KEY"],
      sessionToken: ["AWS_SESSION_TOKEN"],
    },
    modelProviders: ["amazon-bedrock"],
    optionKeys: ["bedrock", "amazonBedrock"],
    dialect: "anthropic",
    // Bedrock refuses cache points for models that have no cache.
    cacheMark: {
      options: { bedrock: { cachePoint: { type: "default" } } },
      models: /anthropic|amazon\.nova/u,
    },
    reasoning: "signed",
    callIds: callIdRules.anthropic,
    toolChoice: "all",
    strict: true,
    mediaInResults: true,
    servesOthers: true,
    plainUsageOmitsCache: true,
  },
  vertex: {
    ...geminiModel,
    packageName: "@ai-sdk/google-vertex",
    factories: ["createGoogleVertex", "createVertex"],
    keys: ["GOOGLE_VERTEX_API_KEY"],
    isKeyOptional: true,
    baseUrls: [],
    settings: vertexSettings,
    modelProviders: ["google.vertex"],
    optionKeys: ["googleVertex", "vertex", "google"],
  },
  "vertex-anthropic": {
    ...anthropicModel,
    packageName: "@ai-sdk/google-vertex/anthropic",
    factories: ["createGoogleVertexAnthropic", "createVertexAnthropic"],
    keys: [],
    isKeyOptional: true,
    baseUrls: [],
    settings: vertexSettings,
    modelProviders: ["googleVertex.anthropic", "vertex.anthropic"],
  },
  google: {
    ...geminiModel,
    packageName: "@ai-sdk/google",
    factories: ["createGoogle", "createGoogleGenerativeAI"],
    keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    baseUrls: [],
    modelProviders: ["google"],
    search: providerSearches.google,
    optionKeys: ["google"],
  },
  openai: {
    ...openAi,
    method: "responses",
    modelProviders: ["openai"],
    search: providerSearches.openai,
    deferral: providerDeferrals.openai,
    customKinds: ["openai.compaction"],
    reasoning: "signed",
    mediaInResults: true,
    // The stored conversation is complete: nothing in it refers to items that only OpenAI has, and may have deleted.
    defaultOptions: { openai: { store: false } },
  },
  "openai-chat": {
    ...openAi,
    method: "chat",
    modelProviders: ["openai.chat"],
    reasoning: "never",
    mediaInResults: false,
  },
  openrouter: {
    ...openAiLike,
    packageName: "@openrouter/ai-sdk-provider",
    factories: ["createOpenRouter"],
    keys: ["OPENROUTER_API_KEY"],
    baseUrls: [],
    modelProviders: ["openrouter"],
    optionKeys: ["openrouter"],
    cacheMark: { options: { openrouter: ephemeral }, models: /^anthropic\/|claude/u },
    reasoning: "signed",
    oneCall: { openrouter: { parallel_tool_calls: false } },
    servesOthers: true,
  },
  mistral: {
    ...openAiLike,
    packageName: "@ai-sdk/mistral",
    factories: ["createMistral"],
    keys: ["MISTRAL_API_KEY"],
    baseUrls: [],
    modelProviders: ["mistral"],
    optionKeys: ["mistral"],
    callIds: callIdRules.mistral,
    oneCall: { mistral: { parallelToolCalls: false } },
  },
  xai: {
    ...openAiLike,
    packageName: "@ai-sdk/xai",
    factories: ["createXai"],
    keys: ["XAI_API_KEY"],
    baseUrls: [],
    modelProviders: ["xai"],
    search: providerSearches.xai,
    optionKeys: ["xai"],
    reasoning: "signed",
    oneCall: { xai: { parallelToolCalls: false } },
  },
  groq: {
    ...openAiLike,
    packageName: "@ai-sdk/groq",
    factories: ["createGroq"],
    keys: ["GROQ_API_KEY"],
    baseUrls: [],
    modelProviders: ["groq"],
    optionKeys: ["groq"],
    oneCall: { groq: { parallelToolCalls: false } },
    servesOthers: true,
  },
  deepseek: {
    ...openAiLike,
    packageName: "@ai-sdk/deepseek",
    factories: ["createDeepSeek"],
    keys: ["DEEPSEEK_API_KEY"],
    baseUrls: [],
    modelProviders: ["deepseek"],
    cached: /./u,
    optionKeys: ["deepseek"],
    // Its package throws where some tools are strict and others are not.
    strict: false,
  },
  "openai-compatible": {
    ...compatible,
    keys: ["HAFT_API_KEY"],
    isKeyOptional: true,
    baseUrls: ["HAFT_BASE_URL"],
    needsBaseUrl: true,
    modelProviders: ["openai-compatible"],
    optionKeys: ["openai-compatible", "openaiCompatible"],
    oneCall: { "openai-compatible": { parallel_tool_calls: false } },
    servesOthers: true,
  },
  ollama: {
    ...compatible,
    keys: ["HAFT_API_KEY"],
    isKeyOptional: true,
    baseUrls: ["OLLAMA_BASE_URL"],
    defaultBaseUrl: "http://127.0.0.1:11434/v1",
    modelProviders: ["ollama"],
    optionKeys: ["ollama"],
    // Its server ignores tool_choice.
    toolChoice: "auto",
    servesOthers: true,
  },
  kimi: {
    ...compatible,
    keys: ["MOONSHOT_API_KEY"],
    baseUrls: ["MOONSHOT_BASE_URL"],
    defaultBaseUrl: "https://api.moonshot.ai/v1",
    modelProviders: ["kimi", "moonshotai"],
    optionKeys: ["kimi", "moonshotai"],
    callIds: callIdRules.kimi,
    toolChoice: "auto",
    strict: false,
  },
} as const satisfies Record<string, Provider>;

const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>(Object.entries(rows));

/** Makers whose models have a rule of their own, wherever they are served. */
const makers: readonly { readonly models: RegExp; readonly callIds: CallIdRule }[] = [
  {
    models: /mistral|mixtral|ministral|codestral|devstral|magistral|pixtral/u,
    callIds: callIdRules.mistral,
  },
  { models: /kimi/u, callIds: callIdRules.kimi },
];

/** Names of the supported providers, sorted. */
export const providerNames: readonly string[] = [...providers.keys()].toSorted();

/** Provider of that name, as in `anthropic`. */
export function providerNamed(name: string): Provider | undefined {
  return providers.get(name);
}

/**
 * Provider of a model that was created elsewhere, by the name that its package gives it, as in `openai.chat`. A name
 * that is in no row is taken for a server with OpenAI's protocol.
 */
export function providerOf(modelProvider: string): Provider {
  const matches = [...providers.values()].flatMap((provider) =>
    provider.modelProviders
      .filter((name) => modelProvider === name || modelProvider.startsWith(`${name}.`))
      .map((name) => ({ provider, length: name.length })),
  );
  const best = matches.toSorted((a, b) => b.length - a.length)[0];
  if (best !== undefined) return best.provider;
  const [name = modelProvider] = modelProvider.split(".");
  const { oneCall: _, ...other } = rows["openai-compatible"];
  return { ...other, optionKeys: [name, camelCase(name)] };
}

/** Facts that hold for one model of a provider. */
export function factsFor(provider: Provider, modelId: string): Provider {
  const id = modelId.toLowerCase();
  const { cacheMark, cached, deferral, ...rest } = provider;
  const maker =
    provider.servesOthers === true ? makers.find(({ models }) => models.test(id)) : undefined;
  return {
    ...rest,
    ...(maker === undefined ? {} : { callIds: maker.callIds }),
    ...(cacheMark !== undefined && (cacheMark.models?.test(id) ?? true) ? { cacheMark } : {}),
    ...(cached?.test(id) === true ? { cached } : {}),
    ...(deferral?.models.test(id) === true ? { deferral } : {}),
  };
}

/** Whether the provider of a model, with the facts that hold for it, caches its prompts. */
export function cachesPrompts({ cacheMark, cached }: Provider): boolean {
  return cacheMark !== undefined || cached !== undefined;
}

function camelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/gu, (_whole, letter: string) => letter.toUpperCase());
}
