import type { RuleRef } from "../call/decisions.ts";
import type { ErrorCode, ErrorInfo } from "../call/errors.ts";
import type { TokenUsage } from "../call/token-usage.ts";

/**
 * State of an agent: `running`, `done`, `refused` for one that was not started, otherwise why it ended, as in the
 * results of runs.
 */
export type AgentStatus = string;

/** Checkout of an agent that works in its own. */
export interface AgentWorktree {
  /** Directory of the checkout, absolute. */
  readonly path: string;
  /** Branch of the checkout. */
  readonly branch: string;
  /** Commit that the branch began with. */
  readonly base: string;
  /** Number of commits on the branch, and of files that are changed and not committed. */
  readonly commits: number;
  /** Number of files that are changed and not committed. */
  readonly changedFiles: number;
  /** Whether the directory still exists. One without changes is removed when the agent ends. */
  readonly isKept: boolean;
}

/** An agent, running or ended, with the work it has done so far. */
export interface AgentInfo {
  /** Id of the agent. */
  readonly agentId: string;
  /** Id of its run. */
  readonly runId: string;
  /** Session that holds its conversation. */
  readonly sessionId: string;
  /** Agent that started it; absent if a program did. */
  readonly parentAgentId?: string;
  /** Number of agents between this one and the agent that talks to the user, which has 0. */
  readonly depth: number;
  /** Name of the definition. */
  readonly agent: string;
  /** Title for users. */
  readonly description: string;
  /** Whether the call that started it did not wait for it. */
  readonly isBackground: boolean;
  /** State of the agent. */
  readonly status: AgentStatus;
  /** Answer of the agent; while it runs, or if it failed, its latest text. */
  readonly text: string;
  /** Latest call or state, for users. */
  readonly activity: string;
  /** Model it uses. */
  readonly model?: string;
  /** Number of turns so far. */
  readonly turns: number;
  /** Number of calls so far. */
  readonly calls: number;
  /** Tokens so far. */
  readonly usage: TokenUsage;
  /** US dollars; absent if a model without prices was asked. */
  readonly costUsd?: number;
  /** US dollars that tokens read from the provider's cache cost less than others; absent if there were none. */
  readonly savedUsd?: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Time of its latest call or turn, in milliseconds since the epoch. */
  readonly lastActivityAt: number;
  /** Time of its end, in milliseconds since the epoch; absent while it runs. */
  readonly endedAt?: number;
  /** Refused calls of its latest run, with those of agents it started; absent if there were none. */
  readonly denials?: readonly Denial[];
  /** Failure that ended it. */
  readonly error?: ErrorInfo;
  /** Checkout that it works in; absent if it works in the workspace. */
  readonly worktree?: AgentWorktree;
}

/** A call of a run that was refused. */
export interface Denial {
  /** Id of the call. */
  readonly callId: string;
  /** Turn of its run, counted from 1. */
  readonly turn: number;
  /** Agent of the run that made the call; absent for the run itself. */
  readonly agentId?: string;
  /** Name of the tool. */
  readonly tool: string;
  /** PERMISSION_DENIED by a rule, APPROVAL_REQUIRED if no user could be asked, DENIED_BY_USER by the user. */
  readonly code: ErrorCode;
  /** Reason, in one sentence. */
  readonly message: string;
  /** Rule that denied it. */
  readonly rule?: RuleRef;
}
