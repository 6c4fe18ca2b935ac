export type { EndedSearch } from "./find-in-sources.ts";
export { Deferral, deferralChoice, envelopeName, type FoundToolCalls } from "./deferral.ts";
export { renderDescription, type RenderedDescription } from "./description.ts";
export type { InitContextSource, RegisteredTool } from "./registered-tool.ts";
export {
  createRegistry,
  type RegisterOptions,
  type Registry,
  type RegistryChange,
  type RegistryOptions,
  type RegistryScope,
  type RegistrySnapshot,
} from "./registry.ts";
export type { ToolRanker } from "./search/rerank.ts";
export type { ToolSearchResult } from "./search/search.ts";
export type {
  HiddenPredicate,
  OfferOptions,
  ToolSearchOptions,
  ToolView,
  ToolViewOptions,
} from "./tool-view.ts";
