import type { CallOptions } from "../core/index.ts";
import type { BeforeHookInput } from "./environment/hooks.ts";

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

/** Session, agent, run and signal of a call, as its hooks receive them. */
export function callSource({
  options: { sessionId, agentId, runId, signal },
}: {
  readonly options: CallOptions;
}): Pick<BeforeHookInput, "sessionId" | "agentId" | "runId" | "signal"> {
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(runId === undefined ? {} : { runId }),
    ...(signal === undefined ? {} : { signal }),
  };
}
