/** Environment variables that configure a search service; where one is set, WebSearch is offered. */
export const searchVariables: readonly string[] = [
  "TAVILY_API_KEY",
  "JINA_API_KEY",
  "SEARXNG_URL",
  "BRAVE_API_KEY",
  "EXA_API_KEY",
  "GOOGLE_API_KEY",
];
