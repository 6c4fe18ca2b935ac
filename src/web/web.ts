import type { HostNet, SearchService, Web } from "../core/index.ts";
import { answerAbout } from "./answer.ts";
import { PageReader } from "./fetch/read-page.ts";
import { portOf, webTarget } from "./fetch/page-url.ts";
import { planServices, type SearchConfiguration } from "./search/configured-services.ts";
import { searchWeb } from "./search/search-web.ts";

export interface WebOptions {
  /** Network for search services, which the user's settings name. */
  readonly net: HostNet;
  readonly settings: SearchConfiguration;
  readonly custom: readonly SearchService[];
  /** Returns a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
}

/** Results of a search where neither the call nor the settings say how many. */
const defaultCount = 8;

export function createWeb({ net, settings, custom, variable }: WebOptions): Web {
  const reader = new PageReader();
  const plan = planServices({ settings, custom, variable });
  return {
    target: async (url) => webTarget(url),
    read: async (request, means) => await reader.read(request, means),
    answer: async (question) => await answerAbout(question),
    searchHosts: async () =>
      plan.usable.map(({ baseUrl }) => {
        const url = new URL(baseUrl);
        return { host: url.hostname, port: portOf(url) };
      }),
    search: async (query, { signal }) =>
      await searchWeb(query, { net, plan, variable, count: settings.count ?? defaultCount, signal }),
  };
}
