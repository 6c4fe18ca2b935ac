import type { AgentCaller, Limits } from "../../core/index.ts";
import { RecentMap } from "../../text/index.ts";
import type { AgentRecord } from "./agent-record.ts";
import { admission, countTree, type Origin, type TreeCounts } from "./agent-tree.ts";

/** Sessions that runs have started, which count among the agents of their trees. */
export interface TreeSessions {
  /** Tree that a run in such a session belongs to. */
  rootOf(runId: string): string | undefined;
  /** Agents and sessions of a tree, without one of the agents. */
  counts(root: string, besides?: AgentRecord): TreeCounts;
  /** Adds a session with the run that works in it; returns what to call at its end. Throws LIMIT_REACHED. */
  enter(caller: AgentCaller, runId: string): () => void;
}

/** Maximum number of trees whose sessions are counted. */
const maxTrees = 1000;

interface TreeParts {
  readonly limits: Limits["agents"];
  readonly originOf: (caller: AgentCaller) => Pick<Origin, "root" | "depth">;
  readonly records: ReadonlyMap<string, AgentRecord>;
}

export function treeSessions({ limits, originOf, records }: TreeParts): TreeSessions {
  const roots = new Map<string, string>();
  const trees = new RecentMap<string, { active: number; started: number }>(maxTrees);
  const counts = (root: string, besides?: AgentRecord): TreeCounts => {
    const { active = 0, started = 0 } = trees.get(root) ?? {};
    const own = countTree(root, [...records.values()], besides);
    return { active: own.active + active, started: own.started + started };
  };
  return {
    rootOf: (runId) => roots.get(runId),
    counts,
    enter(caller, runId) {
      const origin = originOf(caller);
      const refusal = admission(origin, counts(origin.root), limits);
      if (refusal !== undefined) throw refusal;
      const tree = trees.get(origin.root) ?? { active: 0, started: 0 };
      trees.set(origin.root, tree);
      tree.active += 1;
      tree.started += 1;
      roots.set(runId, origin.root);
      return () => {
        tree.active -= 1;
        roots.delete(runId);
      };
    },
  };
}
