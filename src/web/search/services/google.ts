import type { SearchService } from "../../../core/index.ts";
import { memberOf, readResults } from "../read-results.ts";

export const google: SearchService = {
  id: "google",
  baseUrl: "https://www.googleapis.com",
  keyVariable: "GOOGLE_API_KEY",
  variables: ["GOOGLE_CSE_ID"],
  request: ({ query, count }, { baseUrl, key, variable }) => ({
    url: `${baseUrl}/customsearch/v1?${new URLSearchParams({
      q: query,
      cx: variable("GOOGLE_CSE_ID"),
      num: String(Math.min(count, 10)),
    }).toString()}`,
    headers: { "x-goog-api-key": key, accept: "application/json" },
  }),
  // Without results the answer has no `items`.
  results: (body) =>
    memberOf(body, "searchInformation") !== undefined && memberOf(body, "items") === undefined
      ? []
      : readResults(memberOf(body, "items"), { url: "link", snippet: ["snippet"] }),
};
