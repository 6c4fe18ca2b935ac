import {
  ToolError,
  type Host,
  type HostNet,
  type HostProc,
  type HostSearch,
  type StagedChanges,
  type StagedHost,
} from "../../core/index.ts";
import { scriptSearch } from "../search/script-search.ts";
import { StagedFs } from "./staged-fs.ts";
import { StagedTree } from "./staged-tree.ts";

/**
 * A host on top of another one that is only read: writes are staged and reported as changes. It starts no programs and
 * has no network. Disposing it has no effect.
 */
export function stagedHost(base: Host): StagedHost {
  const { clock, info } = base;
  const since = clock.now();
  const tree = new StagedTree(base.fs, () => clock.now());
  const fs = new StagedFs(tree);
  const own = scriptSearch(fs);
  // The base host's search is faster, but it is right only while nothing is staged.
  const search = (): HostSearch => (tree.isUntouched ? base.search : own);
  return {
    host: {
      id: `staged:${base.id}`,
      info: { ...info, capabilities: { ...info.capabilities, processes: false, network: false } },
      fs,
      proc: noPrograms,
      net: noNetwork,
      search: {
        grep: (query, options) => search().grep(query, options),
        glob: (query, options) => search().glob(query, options),
        list: (query, options) => search().list(query, options),
      },
      clock,
      [Symbol.asyncDispose]: async () => undefined,
    },
    changes: async (): Promise<StagedChanges> => ({
      since,
      changes: await tree.changes(),
      refused: [],
      through: [],
    }),
  };
}

const noPrograms: HostProc = {
  start: () => Promise.reject(refusal("starts no programs")),
  async *output() {
    yield* [];
    throw refusal("starts no programs");
  },
  write: () => Promise.reject(refusal("starts no programs")),
  signal: () => Promise.reject(refusal("starts no programs")),
  list: () => Promise.resolve([]),
};

const noNetwork: HostNet = {
  fetch: () => Promise.reject(refusal("connects to nothing")),
};

function refusal(does: string): ToolError {
  return new ToolError("UNAVAILABLE", `A preview ${does}.`, {
    hint: "Run the call to see its result.",
    retryable: false,
  });
}
