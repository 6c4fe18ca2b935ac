import type { DefaultExcludes } from "./host/host-search.ts";
import { serviceToken } from "./service-token.ts";

/** Audience for Grep matches marked with `>>` and `<<`: the user (in the metadata), also the model, or neither. */
export type MarkMatches = "people" | "model" | "never";

/** Settings of Grep, Glob and ListDir: the files to search and the results to show. */
export interface SearchSettings {
  /** Directories that a search leaves out. */
  readonly defaultExcludes: DefaultExcludes;
  /** Audience for marked matches of Grep. */
  readonly markMatches: MarkMatches;
}

export const defaultSearchSettings: SearchSettings = {
  defaultExcludes: "untracked",
  markMatches: "people",
};

export const searchSettings = serviceToken<SearchSettings>("searchSettings");
