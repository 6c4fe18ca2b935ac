import type { AgentCaller, AgentDefinitions, AgentInfo, AgentRequest } from "../../core/index.ts";
import type { AgentRecord, TimerClock } from "./agent-record.ts";

/** Milliseconds that an aborted call waits for its agent to end, before it reports what it knows. */
const abortMs = 200;

/** Whose model reads facts about an agent. */
export type Reader = Pick<AgentCaller, "runId" | "agentId">;

export function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) run();
  signal.addEventListener("abort", run, { once: true });
  return () => signal.removeEventListener("abort", run);
}

/** Resolves a moment after the call is aborted, so that the agent can end in order. */
export function abortedCall(signal: AbortSignal, clock: TimerClock) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let cancel: (() => void) | undefined;
  const unlink = onAbort(signal, () => {
    cancel = clock.timer(abortMs, resolve);
  });
  return {
    promise,
    cancel: () => {
      unlink();
      cancel?.();
    },
  };
}

export function firstLine(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/**
 * Facts for the caller; the one that started the agent then gets no second report of its end. A caller without a run is a
 * program that looks, or a call that is only judged: its model has not read anything.
 */
export function know(record: AgentRecord, caller: Reader): AgentInfo {
  const isReader = caller.runId !== undefined && caller.agentId === record.parentAgentId;
  if (!record.isRunning && isReader) record.latest.isKnown = true;
  return record.info();
}

/** The request with what its definition says where the call says nothing. */
export function withDefaults(request: AgentRequest, { agents }: AgentDefinitions): AgentRequest {
  const { agent, resume, isBackground } = request;
  if (agent === undefined || resume !== undefined || isBackground !== undefined) return request;
  const found = agents.find(({ name }) => name === agent);
  return found?.background === true ? { ...request, isBackground: true } : request;
}

export async function stopRecord(record: AgentRecord | undefined): Promise<void> {
  if (record?.isRunning !== true) return;
  record.abort("The agent was stopped.");
  await record.ended;
}
