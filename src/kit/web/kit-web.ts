import {
  searchVariables,
  type Host,
  type SearchService,
  type Web,
  type WebSearch,
} from "../../core/index.ts";
import { madeOnce } from "../../text/index.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import type { KitModels } from "../runs/models.ts";
import type { LoadedSettings } from "../../workspace/index.ts";

export interface KitWebOptions {
  readonly host: Host;
  readonly settings: Pick<LoadedSettings, "webSearch">;
  readonly custom: readonly SearchService[] | undefined;
  readonly models: KitModels;
  readonly runs: ActiveRuns;
}

/** Services for the web, loaded with the first use; none on a host without network. */
export function kitWeb(options: KitWebOptions): {
  readonly web: Web | undefined;
  readonly webSearch: WebSearch | undefined;
} {
  if (!options.host.info.capabilities.network) return { web: undefined, webSearch: undefined };
  const opened = madeOnce(async () => (await import("../../web/index.ts")).createWeb());
  return {
    web: {
      target: async (url) => (await opened()).target(url),
      read: async (request, means) => (await opened()).read(request, means),
      answer: async (question) => (await opened()).answer(question),
    },
    webSearch: kitSearch(options),
  };
}

/**
 * Searches; undefined where neither the settings nor the environment nor the program names a service, and the provider of
 * the kit's model has no search.
 */
function kitSearch(options: KitWebOptions): WebSearch | undefined {
  const { host, settings, custom = [], models, runs } = options;
  const { webSearch } = settings;
  const variable = (name: string): string | undefined => host.info.users?.variables[name];
  const { provider = "auto", failover = [] } = webSearch;
  const isConfigured =
    provider !== "auto" ||
    failover.length > 0 ||
    custom.length > 0 ||
    models.searches ||
    searchVariables.some((name) => (variable(name) ?? "") !== "");
  if (!isConfigured) return undefined;
  const opened = madeOnce(async () => {
    const { createWebSearch } = await import("../../web/index.ts");
    const { nativeService } = await import("./native-service.ts");
    return createWebSearch({
      net: host.net,
      clock: host.clock,
      settings: webSearch,
      custom,
      variable,
      native: async (caller) => await nativeService(caller, { models, runs }),
    });
  });
  return {
    hosts: async (caller) => (await opened()).hosts(caller),
    search: async (query, means) => (await opened()).search(query, means),
  };
}
