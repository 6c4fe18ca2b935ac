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
 * A host over another one that is only read: what is written stays here, and tells what would change there. It starts
 * no programs and reaches no network. Disposing it does nothing.
 */
export function stagedHost(base: Host): StagedHost {
  const { clock, info } = base;
  const since = clock.now();
  const tree = new StagedTree(base.fs, () => clock.now());
  const fs = new StagedFs(tree);
  const own = scriptSearch(fs);
  // The search beside the data is the faster one, while the data is there.
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
    hint: "Run the call to see what becomes of it.",
    retryable: false,
  });
}
