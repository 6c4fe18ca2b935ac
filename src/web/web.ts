import type { HostNet, SearchService, Web, WebSearch } from "../core/index.ts";
import { answerAbout } from "./answer.ts";
import { PageReader } from "./fetch/read-page.ts";
import { portOf, webTarget } from "./fetch/page-url.ts";
import { planServices, type SearchConfiguration } from "./search/configured-services.ts";
import { searchWeb } from "./search/search-web.ts";

export interface WebSearchOptions {
  /** Network for search services, which the user's settings name. */
  readonly net: HostNet;
  readonly settings: SearchConfiguration;
  readonly custom: readonly SearchService[];
  /** Returns a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** Results of a search where neither the call nor the settings say how many. */
const defaultCount = 8;

/** Pages of the web, with a cache and limits of their own. */
export function createWeb(): Web {
  const reader = new PageReader();
  return {
    target: async (url) => webTarget(url),
    read: async (request, means) => await reader.read(request, means),
    answer: async (question) => await answerAbout(question),
  };
}

/** Searches with the services of the settings. */
export function createWebSearch({ net, settings, custom, variable }: WebSearchOptions): WebSearch {
  const plan = planServices({ settings, custom, variable });
  return {
    hosts: async () =>
      plan.usable.map(({ baseUrl }) => {
        const url = new URL(baseUrl);
        return { host: url.hostname, port: portOf(url) };
      }),
    search: async (query, { signal }) =>
      await searchWeb(query, {
        net,
        plan,
        variable,
        count: settings.count ?? defaultCount,
        signal,
      }),
  };
}
