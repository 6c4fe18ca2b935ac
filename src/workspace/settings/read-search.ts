import type { SearchSettings } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

export interface SearchProblem {
  /** Path in the settings. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

export interface ReadSearch {
  readonly values: Partial<SearchSettings>;
  readonly problems: readonly SearchProblem[];
}

/** Accepted values of each setting. */
export const searchChoices = {
  defaultExcludes: ["untracked", "always", "never"],
  markMatches: ["people", "model", "never"],
} as const;

/** Validates the settings `search` and `grep`. A value that cannot be read is reported and replaced by its default. */
export function readSearch(given: {
  readonly search?: unknown;
  readonly grep?: unknown;
}): ReadSearch {
  const problems: SearchProblem[] = [];
  const choice = <T extends string>(
    group: "search" | "grep",
    { name, values }: { readonly name: string; readonly values: readonly T[] },
  ): T | undefined => {
    const record = given[group];
    if (record === undefined) return undefined;
    const hint = "It is ignored.";
    if (!isRecord(record)) {
      problems.push({ path: [group], message: `\`${group}\` is an object.`, hint });
      return undefined;
    }
    for (const key of Object.keys(record)) {
      if (key === name) continue;
      const message = `There is no setting \`${group}.${key}\`.`;
      problems.push({ path: [group, key], message, hint: `It is ignored. There is ${name}.` });
    }
    const value = record[name];
    const known = values.find((each) => each === value);
    if (value !== undefined && known === undefined) {
      const all = values.map((each) => JSON.stringify(each)).join(", ");
      problems.push({
        path: [group, name],
        message: `\`${group}.${name}\` is one of ${all}.`,
        hint,
      });
    }
    return known;
  };
  const defaultExcludes = choice("search", {
    name: "defaultExcludes",
    values: searchChoices.defaultExcludes,
  });
  const markMatches = choice("grep", {
    name: "markMatches",
    values: searchChoices.markMatches,
  });
  return {
    values: {
      ...(defaultExcludes === undefined ? {} : { defaultExcludes }),
      ...(markMatches === undefined ? {} : { markMatches }),
    },
    problems,
  };
}
