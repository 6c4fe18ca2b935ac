import {
  ToolError,
  type HostNet,
  type WebQuery,
  type WebResult,
  type WebResults,
} from "../../core/index.ts";
import { messageOf, visibleText } from "../../text/index.ts";
import type { ConfiguredService, ServicePlan } from "./configured-services.ts";

export interface SearchMeans {
  /** Network that may reach the services of the settings, private ones as well. */
  readonly net: HostNet;
  readonly plan: ServicePlan;
  readonly variable: (name: string) => string | undefined;
  readonly count: number;
  readonly signal: AbortSignal;
}

/** Time for one service before the next one is asked. */
const serviceMs = 15_000;

/** Bytes of an answer. */
const maxBytes = 2_000_000;

/** Searches with the first service that answers. */
export async function searchWeb(query: WebQuery, means: SearchMeans): Promise<WebResults> {
  const { usable, unusable } = means.plan;
  const failures = unusable.map(({ id, why }) => `${id}: ${why}`);
  if (usable.length === 0) throw nothingConfigured(failures);
  let isRetryable = false;
  for (const each of usable) {
    try {
      const { results, quota } = await asked(each, query, means);
      return { service: each.service.id, results, quota, failures };
    } catch (error) {
      if (means.signal.aborted) throw error;
      isRetryable ||= ToolError.is(error) && error.retryable;
      failures.push(`${each.service.id}: ${messageOf(error)}`);
    }
  }
  throw new ToolError("UNAVAILABLE", `No search service answered. ${failures.join(" ")}`, {
    hint: isRetryable
      ? "Try again later, or fetch a known page with WebFetch."
      : "Ask the user to check the setting webSearch and the key of the service.",
    retryable: isRetryable,
    data: { services: usable.map(({ service }) => service.id) },
  });
}

function nothingConfigured(failures: readonly string[]): ToolError {
  const why = failures.length === 0 ? "" : ` ${failures.join(" ")}`;
  return new ToolError(
    "UNAVAILABLE",
    `Web search is not available: no service is configured.${why}`,
    {
      hint: 'Ask the user to set a key, such as TAVILY_API_KEY or BRAVE_API_KEY, or the setting {"webSearch": {"provider": "searxng", "baseUrl": "https://…"}}.',
      retryable: false,
    },
  );
}

async function asked(
  { service, baseUrl, key }: ConfiguredService,
  query: WebQuery,
  { net, variable, count, signal }: SearchMeans,
): Promise<{ readonly results: readonly WebResult[]; readonly quota: string | undefined }> {
  const wanted = Math.max(1, query.count ?? count);
  const request = service.request(
    {
      ...query,
      query: service.filtersDomains === true ? query.query : withSites(query),
      count: wanted,
    },
    { baseUrl, key, variable: (name) => variable(name) ?? "" },
  );
  const timeout = AbortSignal.timeout(serviceMs);
  const response = await net.fetch(request, {
    signal: AbortSignal.any([signal, timeout]),
    // The address comes from the user's settings or the service itself, never from the model.
    allowsPrivate: true,
  });
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
  return { results: results.filter(({ url }) => isWanted(url, query)).slice(0, wanted), quota };
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

function isWanted(url: string, { allowedDomains, blockedDomains }: WebQuery): boolean {
  const host = new URL(url).hostname.toLowerCase();
  const isOf = (domain: string): boolean => {
    const name = domain.toLowerCase().replace(/^\*\./u, "");
    return host === name || host.endsWith(`.${name}`);
  };
  if (allowedDomains !== undefined && !allowedDomains.some(isOf)) return false;
  return blockedDomains?.some(isOf) !== true;
}
