import type { CallOptions } from "../core/index.ts";

/** Session, agent and run of a call, which every event of the call carries. */
export type EventSource = Pick<
  CallOptions,
  "sessionId" | "agentId" | "runId" | "parentAgentId" | "depth"
>;

export function eventSource(options: CallOptions): EventSource {
  const { sessionId, agentId, runId, parentAgentId, depth } = options;
  if (runId === undefined) return { sessionId, agentId };
  return { sessionId, agentId, runId, parentAgentId, depth };
}
