export { createWeb, createWebSearch, type WebSearchOptions } from "./web.ts";
export { searchServices } from "./search/services/index.ts";
