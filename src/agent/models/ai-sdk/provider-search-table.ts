import type { NativeQuery } from "../../../core/index.ts";

/** Tool with which a provider searches the web itself. */
export interface ProviderSearch {
  /** Id of the tool in the provider's package. */
  readonly id: string;
  readonly name: string;
  /** Host of the provider, where no other address is configured. */
  readonly host: string;
  /** Arguments of the tool. What it has no argument for is part of the question, and results are filtered. */
  readonly args: (query: NativeQuery) => Readonly<Record<string, unknown>>;
}

/** Domains of one list that xAI accepts. */
const maxXaiDomains = 5;

/** Searches by the name of the provider, as in `anthropic:…`. */
export const providerSearches = {
  anthropic: {
    id: "anthropic.web_search_20250305",
    name: "web_search",
    host: "api.anthropic.com",
    args: ({ allowedDomains, blockedDomains }) => ({
      maxUses: 2,
      ...(allowedDomains === undefined ? {} : { allowedDomains }),
      ...(blockedDomains === undefined ? {} : { blockedDomains }),
    }),
  },
  openai: {
    id: "openai.web_search",
    name: "web_search",
    host: "api.openai.com",
    args: ({ allowedDomains }) =>
      allowedDomains === undefined ? {} : { filters: { allowedDomains } },
  },
  google: {
    id: "google.google_search",
    name: "google_search",
    host: "generativelanguage.googleapis.com",
    args: () => ({}),
  },
  xai: {
    id: "xai.web_search",
    name: "web_search",
    host: "api.x.ai",
    args: ({ allowedDomains = [], blockedDomains: excludedDomains = [] }) => ({
      ...(isFor(allowedDomains) ? { allowedDomains } : {}),
      ...(isFor(excludedDomains) ? { excludedDomains } : {}),
    }),
  },
} as const satisfies Readonly<Record<string, ProviderSearch>>;

function isFor(domains: readonly string[]): boolean {
  return domains.length > 0 && domains.length <= maxXaiDomains;
}
