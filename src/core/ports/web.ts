import type { HostClock, HostNet, HostRequest } from "./host/host.ts";
import type { TokenUsage } from "../call/token-usage.ts";
import { serviceToken } from "./service-token.ts";

/** Address that a page is fetched from. */
export interface WebTarget {
  /** Address with https, except where the host is not public by its name; without the part after `#`. */
  readonly url: string;
  /** Host name or address. */
  readonly host: string;
  /** Port. */
  readonly port: number;
  /** Whether the host is an address that is not public, or a name that only the own network knows. */
  readonly isLocal: boolean;
}

/** Means with which a page is fetched: those of the call, so that its grant applies. */
export interface WebMeans {
  /** Network of the call. */
  readonly net: HostNet;
  /** Clock of the host. */
  readonly clock: HostClock;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /**
   * Decodes text; undefined for bytes that are not text. `declared` is the encoding that the server or the page names.
   */
  readonly decode: (bytes: Uint8Array, declared: string | undefined) => string | undefined;
}

/** Request for a page. */
export interface PageRequest {
  /** Address. */
  readonly url: string;
  /** Text as it was sent, without conversion. */
  readonly raw: boolean;
  /** Milliseconds for the whole request. */
  readonly timeoutMs: number;
}

/** A fetched page: its text, another address, or bytes that are not text. */
export type WebPage =
  | {
      readonly kind: "text";
      readonly url: string;
      readonly mediaType: string;
      readonly title?: string | undefined;
      /** The page as Markdown, formatted JSON, or text. */
      readonly text: string;
      /** Parts that are missing, in sentences. */
      readonly notes: readonly string[];
      readonly isCached: boolean;
    }
  | {
      readonly kind: "bytes";
      readonly url: string;
      readonly mediaType: string;
      readonly bytes: Uint8Array;
      readonly isCached: boolean;
    }
  | { readonly kind: "redirect"; readonly url: string; readonly target: string };

/** A question about a page. */
export interface PageQuestion {
  /** Text of the page. */
  readonly text: string;
  /** Address of the page. */
  readonly url: string;
  /** Question of the model that reads the answer. */
  readonly prompt: string;
  /** Asks the background model; returns its answer. */
  readonly ask: (request: { readonly system: string; readonly prompt: string }) => Promise<string>;
}

/** Answer about a page. */
export interface PageAnswer {
  /** The answer, without quotes that the page does not have. */
  readonly text: string;
  /** Quotes of the answer that were found on the page. */
  readonly verified: number;
  /** Quotes that were not found, and were removed. */
  readonly removed: number;
  /** Characters of the page that the model read. */
  readonly readChars: number;
}

/** A search of the web. */
export interface WebQuery {
  /** Words to search for. */
  readonly query: string;
  /** Maximum number of results. */
  readonly count?: number | undefined;
  /** Only results of these domains and those below them. */
  readonly allowedDomains?: readonly string[] | undefined;
  /** No results of these domains and those below them. */
  readonly blockedDomains?: readonly string[] | undefined;
}

/** A result of a search. */
export interface WebResult {
  /** Title of the page. */
  readonly title: string;
  /** Address of the page. */
  readonly url: string;
  /** Passage of the page. */
  readonly snippet: string;
  /** Date of the page, as the service gives it. */
  readonly date?: string | undefined;
}

/** Results of a search. */
export interface WebResults {
  /** Id of the service that answered. */
  readonly service: string;
  /** Results, best first. */
  readonly results: readonly WebResult[];
  /** Requests that the service still answers, as it says itself. */
  readonly quota?: string | undefined;
  /** Services that failed before, with the reason. */
  readonly failures: readonly string[];
}

/** A search that the provider of a model runs. */
export interface NativeQuery extends WebQuery {
  /** Number of results. */
  readonly count: number;
}

/** Results of a provider. */
export interface NativeResults {
  /** Pages that the provider names as its sources. */
  readonly results: readonly WebResult[];
  /** Tokens of the request. */
  readonly usage: TokenUsage;
}

/** Search of the web that the provider of a model runs itself, in a request of its own. */
export interface NativeSearch {
  /** Host of the provider. */
  readonly host: string;
  /** Port of the provider. */
  readonly port: number;
  /** Searches; rejects with MODEL_FAILED. */
  find(query: NativeQuery, options: { readonly signal: AbortSignal }): Promise<NativeResults>;
}

/** Agent that searches: its model is asked first. */
export interface SearchCaller {
  /** Session of the call; undefined outside one. */
  readonly sessionId?: string | undefined;
  /** Agent of the call; undefined outside a run. */
  readonly agentId?: string | undefined;
}

/** A search service as a program describes it. */
export interface SearchService {
  /** Name in settings and results. */
  readonly id: string;
  /** Default address; a service that everyone runs themselves has none. */
  readonly baseUrl?: string;
  /** Environment variable with the address, for a service without a default one. */
  readonly urlVariable?: string;
  /** Environment variable with the key; a service without one needs no key. */
  readonly keyVariable?: string;
  /** Further environment variables that the service needs. */
  readonly variables?: readonly string[];
  /** Whether the request itself names domains; otherwise they are added to the query. */
  readonly filtersDomains?: boolean;
  /** Builds the request. */
  request(
    query: WebQuery & { readonly count: number },
    access: {
      readonly baseUrl: string;
      readonly key: string;
      readonly variable: (name: string) => string;
    },
  ): HostRequest;
  /** Reads the parsed JSON of an answer; undefined if it does not have the expected form. */
  results(body: unknown): readonly WebResult[] | undefined;
}

/** Pages of the web. */
export interface Web {
  /** Address that a page is fetched from; rejects with INVALID_INPUT for one that is not of the web. */
  target(url: string): Promise<WebTarget>;
  /** Fetches a page; a redirect to another host is returned. */
  read(request: PageRequest, means: WebMeans): Promise<WebPage>;
  /** Answers a question about a page with the background model, and checks its quotes. */
  answer(question: PageQuestion): Promise<PageAnswer>;
}

/** Searches of the web with the services that the user's settings name. */
export interface WebSearch {
  /** Hosts of the services that may be asked, in order. */
  hosts(caller: SearchCaller): Promise<readonly { readonly host: string; readonly port: number }[]>;
  /** Searches with the first service that answers; rejects with UNAVAILABLE where none does. */
  search(
    query: WebQuery,
    options: SearchCaller & { readonly signal: AbortSignal },
  ): Promise<WebResults>;
}

/** Token of the service for pages of the web. */
export const web = serviceToken<Web>("web");

/** Token of the service for searches of the web, which exists where a search service is configured. */
export const webSearch = serviceToken<WebSearch>(
  "webSearch",
  "The user can set the key of a search service, such as TAVILY_API_KEY, or the setting webSearch.",
);
