import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

export const exa: SearchService = {
  id: "exa",
  baseUrl: "https://api.exa.ai",
  keyVariable: "EXA_API_KEY",
  filtersDomains: true,
  request: ({ query, count, allowedDomains, blockedDomains }, { baseUrl, key }) => ({
    url: `${baseUrl}/search`,
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({
      query,
      type: "auto",
      numResults: Math.min(count, 100),
      contents: { highlights: true },
      ...(allowedDomains === undefined ? {} : { includeDomains: allowedDomains }),
      ...(blockedDomains === undefined ? {} : { excludeDomains: blockedDomains }),
    }),
  }),
  results: (body) =>
    readResults(memberOf(body, "results"), {
      snippet: ["highlights", "summary", "text"],
      date: ["publishedDate"],
    }),
};
