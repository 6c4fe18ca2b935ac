import { ToolError } from "../../../core/index.ts";
import type { LanguageModelLike } from "./language-model.ts";

/** A provider package and how to call its factory. */
interface Provider {
  readonly packageName: string;
  /** Names of the factory in the package's versions, the newest first. */
  readonly factories: readonly string[];
  /** Environment variables that may contain its key, in order. Empty if it needs none. */
  readonly keys: readonly string[];
  /** Environment variables that may contain its address. */
  readonly baseUrls: readonly string[];
  readonly defaultBaseUrl?: string;
  readonly needsBaseUrl?: boolean;
}

const compatible = {
  packageName: "@ai-sdk/openai-compatible",
  factories: ["createOpenAICompatible"],
};

const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  [
    "anthropic",
    {
      packageName: "@ai-sdk/anthropic",
      factories: ["createAnthropic"],
      keys: ["ANTHROPIC_API_KEY"],
      baseUrls: ["ANTHROPIC_BASE_URL"],
    },
  ],
  [
    "openai",
    {
      packageName: "@ai-sdk/openai",
      factories: ["createOpenAI"],
      keys: ["OPENAI_API_KEY"],
      baseUrls: ["OPENAI_BASE_URL"],
    },
  ],
  [
    "google",
    {
      packageName: "@ai-sdk/google",
      factories: ["createGoogle", "createGoogleGenerativeAI"],
      keys: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
      baseUrls: [],
    },
  ],
  [
    "mistral",
    {
      packageName: "@ai-sdk/mistral",
      factories: ["createMistral"],
      keys: ["MISTRAL_API_KEY"],
      baseUrls: [],
    },
  ],
  [
    "xai",
    { packageName: "@ai-sdk/xai", factories: ["createXai"], keys: ["XAI_API_KEY"], baseUrls: [] },
  ],
  [
    "groq",
    {
      packageName: "@ai-sdk/groq",
      factories: ["createGroq"],
      keys: ["GROQ_API_KEY"],
      baseUrls: [],
    },
  ],
  [
    "deepseek",
    {
      packageName: "@ai-sdk/deepseek",
      factories: ["createDeepSeek"],
      keys: ["DEEPSEEK_API_KEY"],
      baseUrls: [],
    },
  ],
  [
    "openai-compatible",
    { ...compatible, keys: [], baseUrls: ["HAFT_BASE_URL"], needsBaseUrl: true },
  ],
  [
    "ollama",
    {
      ...compatible,
      keys: [],
      baseUrls: ["OLLAMA_BASE_URL"],
      defaultBaseUrl: "http://127.0.0.1:11434/v1",
    },
  ],
]);

/** Settings of a model, or where to find them. */
export interface ProviderOptions {
  /** Address of the provider, for a proxy or a server with the same protocol. */
  readonly baseUrl?: string;
  /** Environment variable that contains the key, if it is not the provider's usual one. */
  readonly apiKeyEnv?: string;
  /** Environment variables. If omitted, the provider's package finds its key itself. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Names of the supported providers, sorted. */
export const providerNames: readonly string[] = [...providers.keys()].toSorted();

/** Loads a provider's package on first use and creates its model. */
export async function loadLanguageModel(
  provider: string,
  modelId: string,
  options: ProviderOptions = {},
): Promise<LanguageModelLike> {
  const known = providers.get(provider);
  if (known === undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `There is no model provider ${JSON.stringify(provider)}.`,
      {
        hint: `Use one of ${providerNames.join(", ")}, or script:<file>.`,
      },
    );
  }
  const settings = settingsOf(provider, known, options);
  const create = await factoryOf(known);
  const model: unknown = Reflect.apply(asFunction(create(settings), known), undefined, [modelId]);
  if (!isLanguageModel(model)) throw unusable(known);
  return model;
}

function settingsOf(
  name: string,
  provider: Provider,
  { baseUrl, apiKeyEnv, env }: ProviderOptions,
): Readonly<Record<string, unknown>> {
  const keyNames = apiKeyEnv === undefined ? provider.keys : [apiKeyEnv];
  const fallbackKeys =
    provider.keys.length === 0 && apiKeyEnv === undefined ? ["HAFT_API_KEY"] : [];
  const apiKey = firstSet([...keyNames, ...fallbackKeys], env);
  const [keyName] = keyNames;
  if (
    apiKey === undefined &&
    keyName !== undefined &&
    (env !== undefined || apiKeyEnv !== undefined)
  ) {
    throw new ToolError("UNAVAILABLE", `There is no API key for ${name}: ${keyName} is not set.`, {
      hint: `Set ${keyName}, or use script:<file> for a model that needs none.`,
      retryable: false,
    });
  }
  const baseURL = baseUrl ?? firstSet(provider.baseUrls, env) ?? provider.defaultBaseUrl;
  if (baseURL === undefined && provider.needsBaseUrl === true) {
    throw new ToolError("UNAVAILABLE", `${name} needs the address of a server.`, {
      hint: `Set ${provider.baseUrls.join(" or ")}, for example to http://127.0.0.1:8080/v1.`,
      retryable: false,
    });
  }
  return {
    ...(provider.packageName === compatible.packageName ? { name, includeUsage: true } : {}),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL === undefined ? {} : { baseURL }),
  };
}

function firstSet(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): string | undefined {
  return names.map((name) => env[name]).find((value) => value !== undefined && value !== "");
}

async function factoryOf(provider: Provider): Promise<(settings: unknown) => unknown> {
  const { packageName, factories } = provider;
  const loaded: unknown = await import(packageName).catch((cause: unknown) => {
    if (!isMissing(cause, packageName)) throw cause;
    throw new ToolError("UNAVAILABLE", `The package ${packageName} is not installed.`, {
      hint: `Install it with \`npm install ${packageName}\`.`,
      retryable: false,
      cause,
    });
  });
  const factory = factories.map((name) => property(loaded, name)).find(isFunction);
  if (factory === undefined) throw unusable(provider);
  return (settings) => Reflect.apply(factory, undefined, [settings]);
}

/** Whether the package itself is missing. If one of its own dependencies is missing, that is another problem. */
function isMissing(cause: unknown, packageName: string): boolean {
  const message = property(cause, "message");
  return typeof message === "string" && message.includes(`'${packageName}'`);
}

function unusable({ packageName }: Provider): ToolError {
  return new ToolError("UNAVAILABLE", `This version of ${packageName} cannot be used.`, {
    hint: `Install the current one with \`npm install ${packageName}@latest\`.`,
    retryable: false,
  });
}

type AnyFunction = (...values: readonly unknown[]) => unknown;

function asFunction(value: unknown, provider: Provider): AnyFunction {
  if (!isFunction(value)) throw unusable(provider);
  return value;
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}

function isLanguageModel(value: unknown): value is LanguageModelLike {
  return (
    typeof property(value, "specificationVersion") === "string" &&
    typeof property(value, "modelId") === "string" &&
    isFunction(property(value, "doStream"))
  );
}

function property(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
