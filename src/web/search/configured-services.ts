import type { SearchService } from "../../core/index.ts";
import { searchServices } from "./services/index.ts";

/** Settings of searches, as the user wrote them. */
export interface SearchConfiguration {
  readonly provider?: string | undefined;
  readonly failover?: readonly string[] | undefined;
  readonly baseUrl?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
  readonly count?: number | undefined;
}

export interface ServiceOptions {
  readonly settings: SearchConfiguration;
  /** Services of the program, before the known ones. */
  readonly custom: readonly SearchService[];
  readonly variable: (name: string) => string | undefined;
}

/** A service with all that a request to it needs. */
export interface ConfiguredService {
  readonly service: SearchService;
  readonly baseUrl: string;
  readonly key: string;
}

/** A service that the settings name and that cannot be used, with the reason in a sentence. */
export interface UnusableService {
  readonly id: string;
  readonly why: string;
}

export interface ServicePlan {
  readonly usable: readonly ConfiguredService[];
  readonly unusable: readonly UnusableService[];
  /** Whether the provider of the model is asked before the services. */
  readonly isNativeFirst: boolean;
  /** Whether it is asked where they have failed. */
  readonly isNativeLast: boolean;
}

/** Name of the search that the provider of a model runs. */
export const nativeId = "native";

/**
 * The services to ask, in order: the one that the settings name and those for failover, or with "auto" the provider of
 * the model and every configured one. The address and key of the settings are those of the first service.
 */
export function planServices({ settings, custom, variable }: ServiceOptions): ServicePlan {
  const { provider = "auto", failover = [] } = settings;
  const known = new Map([...searchServices, ...custom].map((service) => [service.id, service]));
  const named = provider === "auto" ? [] : [provider];
  const automatic = provider === "auto" ? [...custom, ...searchServices].map(({ id }) => id) : [];
  const usable: ConfiguredService[] = [];
  const unusable: UnusableService[] = [];
  for (const id of new Set([...named, ...automatic, ...failover])) {
    if (id === nativeId) continue;
    const isMain = id === provider;
    const service = known.get(id);
    if (service === undefined) {
      unusable.push({ id, why: `${id} is not one of ${[nativeId, ...known.keys()].join(", ")}.` });
      continue;
    }
    const found = configured(service, { isMain, settings, variable });
    if (typeof found !== "string") usable.push(found);
    else if (isMain || failover.includes(id)) unusable.push({ id, why: found });
  }
  return {
    usable,
    unusable,
    isNativeFirst: provider === "auto" || provider === nativeId,
    isNativeLast: failover.includes(nativeId),
  };
}

/** The service with its address and key, or what is missing, in a sentence. */
function configured(
  service: SearchService,
  {
    isMain,
    settings,
    variable,
  }: { readonly isMain: boolean } & Pick<ServiceOptions, "settings" | "variable">,
): ConfiguredService | string {
  const { baseUrl: ownUrl, urlVariable, keyVariable, variables = [] } = service;
  const settled = isMain ? settings.baseUrl : undefined;
  const fromVariable = urlVariable === undefined ? undefined : variable(urlVariable);
  const baseUrl = (settled ?? fromVariable ?? ownUrl ?? "").replace(/\/+$/u, "");
  if (baseUrl === "") return `Its address is missing: set webSearch.baseUrl or ${urlVariable}.`;
  if (!URL.canParse(baseUrl) || !/^https?:/u.test(baseUrl)) {
    return `Its address ${JSON.stringify(baseUrl)} is not an http or https address.`;
  }
  const keyName = (isMain ? settings.apiKeyEnv : undefined) ?? keyVariable;
  const key = keyName === undefined ? "" : (variable(keyName) ?? "");
  if (keyName !== undefined && key === "") return `The environment variable ${keyName} is not set.`;
  const missing = variables.find((name) => (variable(name) ?? "") === "");
  if (missing !== undefined) return `The environment variable ${missing} is not set.`;
  return { service, baseUrl, key };
}
