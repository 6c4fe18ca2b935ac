import type {
  AgentCaller,
  AgentDefinition,
  AgentFork,
  AgentJob,
  AgentRequest,
  AgentWorktree,
  Toolkit,
} from "../../core/index.ts";
import type { AgentRecord } from "./agent-record.ts";

/** Toolkit of one agent, limited to what it may do. */
export interface OpenedChild {
  readonly toolkit: Toolkit;
  readonly worktree?: AgentWorktree;
  /** Releases the toolkit after the agent has ended; returns the state of its worktree. */
  close(): Promise<AgentWorktree | undefined>;
}

export interface OpenChild<Kit> {
  /** Toolkit of the agent that starts this one. */
  readonly kit: Kit;
  readonly agentId: string;
  /** Session of the agent. */
  readonly sessionId: string;
  readonly definition: AgentDefinition;
  readonly request: AgentRequest;
  /** Agent that starts this one; absent for the one that talks to the user. */
  readonly parentAgentId: string | undefined;
  readonly worktree: AgentWorktree | undefined;
  /** Called with a worktree before it is created. */
  readonly onWorktree: (planned: AgentWorktree) => Promise<void>;
  readonly signal: AbortSignal;
}

/** The work of an agent: its task, with the smaller of the limits of the call and of its definition. */
export function jobOf(
  record: AgentRecord,
  given: {
    readonly request: AgentRequest;
    readonly caller: AgentCaller;
    readonly definition: AgentDefinition;
    readonly toolkit: Toolkit;
    readonly signal: AbortSignal;
    /** Stores the record. */
    readonly save: () => Promise<void>;
  },
): AgentJob {
  const { agentId, runId, sessionId, parentAgentId, depth } = record;
  const { request, caller, definition, toolkit, signal, save } = given;
  const maxTurns = smaller(request.maxTurns, definition.maxTurns);
  const maxTokens = smaller(request.maxTokens, definition.maxTokens);
  const model = request.model ?? definition.model;
  return {
    agentId,
    runId,
    sessionId,
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
    ...(caller.runId === undefined ? {} : { parentRunId: caller.runId }),
    depth,
    prompt: taskOf(record, request),
    definition,
    ...(model === undefined ? {} : { model }),
    toolkit,
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(record.fork === undefined ? {} : { fork: forkOf(record.fork, save) }),
    ...(request.maxCalls === undefined ? {} : { maxCalls: request.maxCalls }),
    ...(request.deadlineMs === undefined ? {} : { deadlineMs: request.deadlineMs }),
    ...(request.onAsk === undefined ? {} : { onAsk: request.onAsk }),
    ...(record.state === undefined ? {} : { state: record.state }),
    signal,
  };
}

function forkOf(own: { original?: unknown }, save: () => Promise<void>): AgentFork {
  return {
    original: own.original,
    async keep(original) {
      own.original = original;
      await save();
    },
  };
}

/** The request with the checkout that the agent was first started for: one in a worktree never leaves it. */
export function inCheckout(request: AgentRequest, record: AgentRecord): AgentRequest {
  const { worktree, checkout } = record;
  const stays = worktree !== undefined || checkout.isWorktree === true;
  const own = {
    isWorktree: stays ? true : request.isWorktree,
    branchName: request.branchName ?? checkout.branchName,
  };
  record.checkout = own;
  return { ...request, ...own };
}

/** The task, after one that the agent could not begin with. */
export function taskOf({ pending }: AgentRecord, { prompt }: AgentRequest): string {
  return pending === "" ? prompt : `${pending}\n\n${prompt}`;
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
