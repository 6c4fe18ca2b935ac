import { ToolError } from "../../../core/index.ts";
import type { LanguageModelLike } from "./language-model.ts";
import { providerNamed, providerNames, type Provider } from "./provider-table.ts";

/** Settings of a model, or where to find them. */
export interface ProviderOptions {
  /** Address of the provider, for a proxy or a server with the same protocol. */
  readonly baseUrl?: string;
  /** Environment variable that contains the key, if it is not the provider's usual one. */
  readonly apiKeyEnv?: string;
  /** Environment variables. If omitted, the provider's package finds its key itself. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface LoadedLanguageModel {
  readonly model: LanguageModelLike;
  readonly provider: Provider;
  /** Address that is configured instead of the provider's own. */
  readonly baseUrl: string | undefined;
}

/** Loads a provider's package on first use and creates its model. */
export async function loadLanguageModel(
  name: string,
  modelId: string,
  options: ProviderOptions = {},
): Promise<LoadedLanguageModel> {
  const provider = providerNamed(name);
  if (provider === undefined) {
    throw new ToolError("INVALID_INPUT", `There is no model provider ${JSON.stringify(name)}.`, {
      hint: `Use one of ${providerNames.join(", ")}, or script:<file>.`,
    });
  }
  const settings = settingsOf(name, provider, options);
  const create = await factoryOf(provider);
  const created = create(settings);
  const { method } = provider;
  const byMethod = method === undefined ? undefined : property(created, method);
  const factory = isFunction(byMethod) ? byMethod : created;
  const model: unknown = Reflect.apply(asFunction(factory, provider), created, [modelId]);
  if (!isLanguageModel(model)) throw unusable(provider);
  const { baseURL } = settings;
  return { model, provider, baseUrl: typeof baseURL === "string" ? baseURL : undefined };
}

function settingsOf(
  name: string,
  provider: Provider,
  { baseUrl, apiKeyEnv, env }: ProviderOptions,
): Readonly<Record<string, unknown>> {
  const keyNames = apiKeyEnv === undefined ? provider.keys : [apiKeyEnv];
  const apiKey = firstSet(keyNames, env);
  const [keyName] = keyNames;
  const needsKey =
    apiKeyEnv !== undefined || (env !== undefined && provider.isKeyOptional !== true);
  if (apiKey === undefined && keyName !== undefined && needsKey) {
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
    ...(provider.isNamed === true ? { name, includeUsage: true } : {}),
    ...otherSettings(provider, env),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseURL === undefined ? {} : { baseURL }),
  };
}

function otherSettings(
  { settings = {} }: Provider,
  env: ProviderOptions["env"],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([setting, names]) => {
      const value = firstSet(names, env);
      return value === undefined ? [] : [[setting, value]];
    }),
  );
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
      hint: `Install it with \`npm install ${packageName}\`, or for a global haft with \`npm install --global ${packageName}\`.`,
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
  const isObject = typeof value === "object" || typeof value === "function";
  return isObject && value !== null ? Reflect.get(value, key) : undefined;
}
