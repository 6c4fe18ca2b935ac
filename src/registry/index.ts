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
export type { SearchResult } from "./search/search.ts";
export type {
  HiddenPredicate,
  OfferOptions,
  SearchOptions,
  ToolView,
  ViewOptions,
} from "./tool-view.ts";
