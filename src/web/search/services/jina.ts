import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

export const jina: SearchService = {
  id: "jina",
  baseUrl: "https://s.jina.ai",
  keyVariable: "JINA_API_KEY",
  request: ({ query }, { baseUrl, key }) => ({
    url: `${baseUrl}/?${new URLSearchParams({ q: query }).toString()}`,
    // Without content: pages are fetched one by one where they are needed.
    headers: {
      authorization: `Bearer ${key}`,
      accept: "application/json",
      "x-respond-with": "no-content",
    },
  }),
  results: (body) =>
    readResults(memberOf(body, "data"), {
      snippet: ["description", "content"],
      date: ["date", "publishedTime"],
    }),
};
