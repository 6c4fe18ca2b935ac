import type {
  HostClock,
  HostNet,
  SearchCaller,
  SearchService,
  Web,
  WebSearch,
} from "../core/index.ts";
import { answerAbout } from "./answer.ts";
import { PageReader } from "./fetch/read-page.ts";
import { portOf, webTarget } from "./fetch/page-url.ts";
import { planServices, type SearchConfiguration } from "./search/configured-services.ts";
import { searchWeb, type NativeService } from "./search/search-web.ts";

export interface WebSearchOptions {
  /** Network for search services, which the user's settings name. */
  readonly net: HostNet;
  readonly settings: SearchConfiguration;
  readonly custom: readonly SearchService[];
  /** Returns a variable of the environment. */
  readonly variable: (name: string) => string | undefined;
  readonly clock: HostClock;
  /** Search of the caller's model; undefined where its provider has none. */
  readonly native: (caller: SearchCaller) => Promise<NativeService | undefined>;
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
export function createWebSearch(options: WebSearchOptions): WebSearch {
  const { net, settings, custom, variable, clock } = options;
  const plan = planServices({ settings, custom, variable });
  const nativeOf = async (caller: SearchCaller): Promise<NativeService | undefined> =>
    plan.isNativeFirst || plan.isNativeLast ? await options.native(caller) : undefined;
  return {
    async hosts(caller) {
      const native = await nativeOf(caller);
      const services = plan.usable.map(({ baseUrl }) => {
        const url = new URL(baseUrl);
        return { host: url.hostname, port: portOf(url) };
      });
      return native === undefined
        ? services
        : [{ host: native.search.host, port: native.search.port }, ...services];
    },
    search: async (query, { signal, sessionId, agentId }) =>
      await searchWeb(query, {
        net,
        clock,
        plan,
        native: await nativeOf({ sessionId, agentId }),
        variable,
        count: settings.count ?? defaultCount,
        signal,
      }),
  };
}
