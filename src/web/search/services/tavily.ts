import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

export const tavily: SearchService = {
  id: "tavily",
  baseUrl: "https://api.tavily.com",
  keyVariable: "TAVILY_API_KEY",
  filtersDomains: true,
  request: ({ query, count, allowedDomains, blockedDomains }, { baseUrl, key }) => ({
    url: `${baseUrl}/search`,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      query,
      max_results: Math.min(count, 20),
      search_depth: "basic",
      ...(allowedDomains === undefined ? {} : { include_domains: allowedDomains }),
      ...(blockedDomains === undefined ? {} : { exclude_domains: blockedDomains }),
    }),
  }),
  results: (body) =>
    readResults(memberOf(body, "results"), { snippet: ["content"], date: ["published_date"] }),
};
