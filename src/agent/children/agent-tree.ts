import { ToolError, type AgentCaller, type Limits } from "../../core/index.ts";
import type { AgentRecord } from "./agent-record.ts";

/** Position of a new agent in its tree. */
export interface Origin {
  /** Run of the agent that talks to the user, or the session of a program that calls. */
  readonly root: string;
  readonly depth: number;
  readonly parent: AgentRecord | undefined;
  /** Aborted when the run of the agent that starts this one ends early. */
  readonly signal: AbortSignal | undefined;
}

/** Agents and sessions that a tree has, without the one that is to start. */
export interface TreeCounts {
  readonly active: number;
  readonly started: number;
}

/** Counts the agents of a tree. */
export function countTree(
  root: string,
  records: readonly AgentRecord[],
  besides?: AgentRecord,
): TreeCounts {
  const others = records.filter((other) => other !== besides && other.root === root);
  return {
    active: others.filter(({ isRunning }) => isRunning).length,
    started: others.filter(({ hasStarted }) => hasStarted).length,
  };
}

/**
 * Reason to refuse an agent or a session, undefined if it may start. Answered and recorded without a pause in between, so
 * that agents that start together count each other.
 */
export function admission(
  { depth }: Pick<Origin, "depth">,
  { active, started }: TreeCounts,
  limits: Limits["agents"],
): ToolError | undefined {
  if (depth > limits.depth) {
    return refusal(
      `Agents may be ${limits.depth} below each other, and this would be number ${depth}.`,
      "Do this part of the work yourself.",
      "agents.depth",
    );
  }
  if (active >= limits.active) {
    return refusal(
      `${active} agents of this run are active, which is the most.`,
      "Wait for one of them with AgentStatus and block, then resume this one.",
      "agents.active",
    );
  }
  if (started >= limits.total) {
    return refusal(
      `This run has started ${started} agents, which is the most.`,
      "Do the rest yourself.",
      "agents.total",
    );
  }
  return undefined;
}

function refusal(message: string, hint: string, limit: string): ToolError {
  return new ToolError("LIMIT_REACHED", message, { hint, data: { limit } });
}

/** Agents below the caller, in the order of their first start; all of a session for the agent that talks to the user. */
export function visibleTo(
  { agentId, sessionId }: Pick<AgentCaller, "agentId" | "sessionId">,
  records: readonly AgentRecord[],
): readonly AgentRecord[] {
  const ofSession = records.filter(
    (record) => sessionId === undefined || record.sessionId === sessionId,
  );
  if (agentId === undefined) return ofSession;
  const below = new Set([agentId]);
  return ofSession.filter((record) => {
    const isBelow = below.has(record.parentAgentId ?? "");
    if (isBelow) below.add(record.agentId);
    return isBelow;
  });
}

/** The agent below the caller that an id names: an agent id, a run id, or the id of a session with one agent. */
export function findAgent(
  id: string,
  caller: AgentCaller,
  records: readonly AgentRecord[],
): AgentRecord {
  const visible = visibleTo(caller, records);
  const own = visible.filter(({ agentId, runId }) => agentId === id || runId === id);
  const found = own.length > 0 ? own : visible.filter(({ sessionId }) => sessionId === id);
  const [record] = found;
  if (record !== undefined && found.length === 1) return record;
  if (record !== undefined) {
    const ids = found.map(({ agentId, description }) => `${agentId} (${description})`);
    throw new ToolError("INVALID_INPUT", `The session ${id} has ${found.length} agents.`, {
      hint: `Name one of them: ${ids.slice(-10).join(", ")}.`,
    });
  }
  const known = visible.slice(-10).map(({ agentId }) => agentId);
  throw new ToolError("NOT_FOUND", `There is no agent ${id}.`, {
    hint:
      known.length === 0
        ? "No agent was started here: start one with Agent."
        : `Use one of ${known.join(", ")}.`,
  });
}

/** Maximum number of agents that a process remembers; a forgotten one continues from its stored session. */
const maxRecords = 1000;

/** Forgets the oldest agents beyond the limit, except those of active trees. */
export function forgetOldest(records: Map<string, AgentRecord>): void {
  if (records.size <= maxRecords) return;
  // Agents of a tree that is active count in its limits.
  const active = new Set(
    [...records.values()].filter(({ isRunning }) => isRunning).map(({ root }) => root),
  );
  for (const [id, { root }] of records) {
    if (records.size <= maxRecords) return;
    if (!active.has(root)) records.delete(id);
  }
}
