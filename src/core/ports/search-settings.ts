import type { DefaultExcludes } from "./host-search.ts";
import { serviceToken } from "./service-token.ts";

/** Who sees matches of Grep between `>>` and `<<`: the user in the metadata, the model as well, or neither. */
export type MarkMatches = "people" | "model" | "never";

/** How Grep, Glob and ListDir search, and what of it they show. */
export interface SearchSettings {
  readonly defaultExcludes: DefaultExcludes;
  readonly markMatches: MarkMatches;
}

export const defaultSearchSettings: SearchSettings = {
  defaultExcludes: "untracked",
  markMatches: "people",
};

export const searchSettings = serviceToken<SearchSettings>("searchSettings");
