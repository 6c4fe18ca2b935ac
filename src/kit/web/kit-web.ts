import { searchVariables, type Web, type WebSearch } from "../../core/index.ts";
import { madeOnce } from "../../text/index.ts";
import type { KitWebOptions } from "./open-search.ts";

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
  const { host, settings, custom = [], models } = options;
  const { provider = "auto", failover = [] } = settings.webSearch;
  const isConfigured =
    provider !== "auto" ||
    failover.length > 0 ||
    custom.length > 0 ||
    models.searches ||
    searchVariables.some((name) => (host.info.users?.variables[name] ?? "") !== "");
  if (!isConfigured) return undefined;
  const opened = madeOnce(async () => (await import("./open-search.ts")).openSearch(options));
  return {
    hosts: async (caller) => (await opened()).hosts(caller),
    search: async (query, means) => (await opened()).search(query, means),
  };
}
