import type {
  AgentCaller,
  AgentDefinition,
  AgentFork,
  AgentJob,
  AgentRequest,
  Toolkit,
} from "../../core/index.ts";
import type { AgentRecord } from "./agent-record.ts";

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

/** The task, after one that the agent could not begin with. */
export function taskOf({ pending }: AgentRecord, { prompt }: AgentRequest): string {
  return pending === "" ? prompt : `${pending}\n\n${prompt}`;
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
