import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

/** An instance of one's own; it must have the format json enabled. */
export const searxng: SearchService = {
  id: "searxng",
  urlVariable: "SEARXNG_URL",
  request: ({ query }, { baseUrl }) => ({
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: "json" }).toString()}`,
    headers: { accept: "application/json" },
  }),
  results: (body) =>
    readResults(memberOf(body, "results"), { snippet: ["content"], date: ["publishedDate"] }),
};
