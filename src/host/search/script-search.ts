import type {
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  HostFs,
  HostOptions,
  HostSearch,
  ListEvent,
  ListQuery,
} from "../../core/index.ts";
import type { filesFilter } from "./glob-filter.ts";

/** Loads the filter of file names by globs, with the matching libraries. */
export async function loadFilesFilter(): Promise<typeof filesFilter> {
  return (await import("./glob-filter.ts")).filesFilter;
}

/** Search in JavaScript over any file system: in memory, or if ripgrep is missing. */
export function scriptSearch(fs: HostFs): HostSearch {
  return {
    async *grep(query: GrepQuery, options?: HostOptions): AsyncGenerator<GrepEvent> {
      // The matching libraries are loaded with the first search.
      const { grepFiles } = await import("./grep-files.ts");
      yield* grepFiles(fs, query, options);
    },
    async *glob(query: GlobQuery, options?: HostOptions): AsyncGenerator<GlobEvent> {
      const { globFiles } = await import("./glob-files.ts");
      yield* globFiles(fs, query, options);
    },
    async *list(query: ListQuery, options?: HostOptions): AsyncGenerator<ListEvent> {
      const { listTree } = await import("./list-tree.ts");
      yield* listTree(fs, query, options);
    },
  };
}
