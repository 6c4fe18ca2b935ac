import type { ErrorInfo } from "../call/errors.ts";
import type { TokenUsage } from "../call/token-usage.ts";

/**
 * State of an agent: `running`, `done`, `refused` for one that was not started, otherwise why it ended, as in the
 * results of runs.
 */
export type AgentStatus = string;

/** Checkout of an agent that works in its own. */
export interface AgentWorktree {
  readonly path: string;
  readonly branch: string;
  /** Commit that the branch began with. */
  readonly base: string;
  /** Number of commits on the branch, and of files that are changed and not committed. */
  readonly commits: number;
  readonly changedFiles: number;
  /** Whether the directory still exists. One without changes is removed when the agent ends. */
  readonly isKept: boolean;
}

/** An agent, running or ended, with the work it has done so far. */
export interface AgentInfo {
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly parentAgentId?: string;
  /** Number of agents between this one and the agent that talks to the user, which has 0. */
  readonly depth: number;
  /** Name of the definition. */
  readonly agent: string;
  readonly description: string;
  readonly isBackground: boolean;
  readonly status: AgentStatus;
  /** Answer of the agent; while it runs, or if it failed, its latest text. */
  readonly text: string;
  /** Latest call or state, for users. */
  readonly activity: string;
  readonly model?: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  /** US dollars; absent if a model without prices was asked. */
  readonly costUsd?: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly endedAt?: number;
  readonly error?: ErrorInfo;
  readonly worktree?: AgentWorktree;
}
