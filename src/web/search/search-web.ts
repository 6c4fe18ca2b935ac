import {
  ToolError,
  type HostClock,
  type HostNet,
  type NativeSearch,
  type WebQuery,
  type WebResult,
  type WebResults,
} from "../../core/index.ts";
import { messageOf, visibleText } from "../../text/index.ts";
import { discard, retryWaitMs } from "../retry-after.ts";
import type { ConfiguredService, ServicePlan } from "./configured-services.ts";

/** Search of a model's provider. */
export interface NativeService {
  /** Name of the model. */
  readonly model: string;
  readonly search: Pick<NativeSearch, "host" | "port" | "find">;
}

export interface SearchMeans {
  /** Network that may reach the services of the settings, private ones as well. */
  readonly net: HostNet;
  readonly clock: HostClock;
  readonly plan: ServicePlan;
  readonly native: NativeService | undefined;
  readonly variable: (name: string) => string | undefined;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Time for one service before the next one is asked. */
const serviceMs = 15_000;

/** Time for a provider, whose model searches and writes. */
const nativeMs = 60_000;

/** Bytes of an answer. */
const maxBytes = 2_000_000;

interface Found {
  readonly results: readonly WebResult[];
  readonly quota?: string | undefined;
}

interface Attempt {
  readonly id: string;
  readonly find: () => Promise<Found>;
}

/** Searches with the first service that answers. */
export async function searchWeb(query: WebQuery, means: SearchMeans): Promise<WebResults> {
  const { usable, unusable, isNativeFirst } = means.plan;
  const failures = unusable.map(({ id, why }) => `${id}: ${why}`);
  const native = nativeAttempt(query, means);
  const services = usable.map((each) => ({
    id: each.service.id,
    find: async () => await asked(each, query, means),
  }));
  const attempts = isNativeFirst ? [...native, ...services] : [...services, ...native];
  if (attempts.length === 0) throw nothingConfigured(failures);
  let isRetryable = false;
  for (const { id, find } of attempts) {
    try {
      const { results, quota } = await find();
      return { service: id, results, quota, failures };
    } catch (error) {
      if (means.signal.aborted) throw error;
      isRetryable ||= ToolError.is(error) && error.retryable;
      failures.push(`${id}: ${messageOf(error)}`);
    }
  }
  throw new ToolError("UNAVAILABLE", `No search service answered. ${failures.join(" ")}`, {
    hint: isRetryable
      ? "Try again later, or fetch a known page with WebFetch."
      : "Ask the user to check the setting webSearch and the key of the service.",
    retryable: isRetryable,
    data: { services: attempts.map(({ id }) => id) },
  });
}

function nativeAttempt(query: WebQuery, means: SearchMeans): readonly Attempt[] {
  const { native, signal } = means;
  if (native === undefined) return [];
  const count = wantedOf(query, means);
  return [
    {
      id: native.model,
      find: async () => {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(nativeMs)]);
        const { results } = await native.search.find({ ...query, count }, { signal: limited });
        return { results: wanted(results, query).slice(0, count) };
      },
    },
  ];
}

function wantedOf({ count }: WebQuery, means: Pick<SearchMeans, "count">): number {
  return Math.max(1, count ?? means.count);
}

function nothingConfigured(failures: readonly string[]): ToolError {
  const why = failures.length === 0 ? "" : ` ${failures.join(" ")}`;
  return new ToolError(
    "UNAVAILABLE",
    `Web search is not available: no service is configured, and the model has no search of its own.${why}`,
    {
      hint: 'Ask the user to set a key, such as TAVILY_API_KEY or BRAVE_API_KEY, or the setting {"webSearch": {"provider": "searxng", "baseUrl": "https://…"}}.',
      retryable: false,
    },
  );
}

async function asked(
  { service, baseUrl, key }: ConfiguredService,
  query: WebQuery,
  means: SearchMeans,
): Promise<Found> {
  const { net, clock, variable, signal } = means;
  const count = wantedOf(query, means);
  const request = service.request(
    {
      ...query,
      query: service.filtersDomains === true ? query.query : withSites(query),
      count,
    },
    { baseUrl, key, variable: (name) => variable(name) ?? "" },
  );
  // The address comes from the user's settings or the service itself, never from the model.
  const limits = {
    signal: AbortSignal.any([signal, AbortSignal.timeout(serviceMs)]),
    allowsPrivate: true,
  };
  let response = await net.fetch(request, limits);
  const waitMs = retryWaitMs(response, clock.now());
  if (waitMs !== undefined) {
    await discard(response);
    await clock.sleep(waitMs, limits);
    response = await net.fetch(request, limits);
  }
  const text = await textOf(response.body);
  const quota = quotaOf(response.headers);
  if (response.status < 200 || response.status > 299) {
    throw refused(response.status, { text, quota });
  }
  const results = service.results(parsed(text));
  if (results === undefined) {
    throw new ToolError(
      "UNAVAILABLE",
      `It answered with something other than results.${startOf(text)}`,
      {
        retryable: false,
      },
    );
  }
  return { results: wanted(results, query).slice(0, count), quota };
}

function refused(
  status: number,
  { text, quota }: { readonly text: string; readonly quota: string | undefined },
): ToolError {
  const reason =
    status === 401 || status === 403
      ? "It refused the key."
      : status === 429 || status === 402 || status === 432
        ? `Its quota is used up${quota === undefined ? "" : ` (${quota})`}.`
        : `It answered with status ${status}.`;
  return new ToolError("UNAVAILABLE", `${reason}${startOf(text)}`, {
    retryable: status === 429 || status >= 500,
  });
}

/** Parsed JSON; undefined for anything else, such as the HTML of a proxy. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    text += decoder.decode(piece, { stream: true });
    if (bytes > maxBytes) break;
  }
  return text;
}

function startOf(text: string): string {
  const start = text.replaceAll(/\s+/gu, " ").trim().slice(0, 120);
  return start === "" ? "" : ` It begins: ${visibleText(start)}`;
}

/** Requests left, as the headers of a service say it. */
function quotaOf(headers: Readonly<Record<string, string>>): string | undefined {
  const left = headers["x-ratelimit-remaining"] ?? headers["x-quota-remaining"];
  if (left === undefined) return undefined;
  const limit = headers["x-ratelimit-limit"] ?? headers["x-quota-limit"];
  return limit === undefined ? `${left} requests left` : `${left} of ${limit} requests left`;
}

/** The query with the operators that most services understand. */
function withSites({ query, allowedDomains = [], blockedDomains = [] }: WebQuery): string {
  const allowed = allowedDomains.map((domain) => `site:${domain}`).join(" OR ");
  const blocked = blockedDomains.map((domain) => `-site:${domain}`).join(" ");
  return [query, allowed, blocked].filter((part) => part !== "").join(" ");
}

/** Results of the domains that the call permits, whatever the service returns. */
function wanted(results: readonly WebResult[], query: WebQuery): readonly WebResult[] {
  return results.filter((result) => isWanted(result, query));
}

/** Host of the addresses with which Gemini counts visits. The title of such a result is the domain of the page. */
const countedHost = "vertexaisearch.cloud.google.com";

function isWanted(
  { url, title }: WebResult,
  { allowedDomains, blockedDomains }: WebQuery,
): boolean {
  const { hostname } = new URL(url);
  const host = (hostname === countedHost ? title : hostname).toLowerCase();
  const isOf = (domain: string): boolean => {
    const name = domain.toLowerCase().replace(/^\*\./u, "");
    return host === name || host.endsWith(`.${name}`);
  };
  if (allowedDomains !== undefined && !allowedDomains.some(isOf)) return false;
  return blockedDomains?.some(isOf) !== true;
}
