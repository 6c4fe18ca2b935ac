import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

export const brave: SearchService = {
  id: "brave",
  baseUrl: "https://api.search.brave.com",
  keyVariable: "BRAVE_API_KEY",
  request: ({ query, count }, { baseUrl, key }) => ({
    url: `${baseUrl}/res/v1/web/search?${new URLSearchParams({
      q: query,
      count: String(Math.min(count, 20)),
    }).toString()}`,
    headers: { "x-subscription-token": key, accept: "application/json" },
  }),
  // Without results the answer has no `web` at all.
  results: (body) =>
    memberOf(body, "type") === "search" && memberOf(body, "web") === undefined
      ? []
      : readResults(memberOf(body, "web", "results"), {
          snippet: ["description", "extra_snippets"],
          date: ["page_age", "age"],
        }),
};
