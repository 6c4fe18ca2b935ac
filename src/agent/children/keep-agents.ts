import type { AgentDefinition, AgentInfo, AgentRequest } from "../../core/index.ts";
import type { AgentQuery, FoundAgent, StoredAgent } from "../../session/index.ts";
import { isRecord } from "../../text/index.ts";
import { stoppedInfo } from "./agent-outcome.ts";
import { AgentRecord } from "./agent-record.ts";

/** Storage of agents, from which another process continues them. */
export interface AgentStore {
  /** Stores an agent; with the text of an end, its parent's conversation gets a message, whose number is returned. */
  record(agent: StoredAgent, end?: string): Promise<number | undefined>;
  find(query: AgentQuery): Promise<readonly FoundAgent[]>;
}

/** Facts of an agent that are stored. */
interface AgentFacts {
  readonly info: AgentInfo;
  readonly root: string;
  /** Task of the latest run, and instructions before it that were never begun. */
  readonly task: string;
  readonly hasStarted: boolean;
  readonly checkout?: Pick<AgentRequest, "isWorktree" | "branchName">;
  /** Directory of the skill that it works on. */
  readonly skill?: string;
  /** Definition that a program gave. */
  readonly definition?: AgentDefinition;
  /** Facts that a fork keeps of its original; absent for other agents. */
  readonly fork?: { readonly original?: unknown };
}

/** An agent for the store, before it starts or as it ended. */
export function storedAgent(
  record: AgentRecord,
  { info, task }: { readonly info: AgentInfo; readonly task: string },
): StoredAgent {
  const { agentId, sessionId, parentAgentId = "", runId, callId, root, hasStarted } = record;
  const { definition, isCustom, fork, checkout, skill } = record;
  const body: AgentFacts = {
    info,
    root,
    task,
    hasStarted,
    checkout,
    ...(skill === undefined ? {} : { skill }),
    ...(isCustom && definition !== undefined ? { definition } : {}),
    ...(fork === undefined ? {} : { fork }),
  };
  const isRunning = info.status === "running";
  return { sessionId, agentId, parentAgentId, runId, callId, isRunning, body };
}

/** Adds stored agents to those that the process knows, whose own facts are newer. */
export function addStored(
  records: Map<string, AgentRecord>,
  found: readonly FoundAgent[],
  now: number,
): void {
  for (const each of found) {
    const known = records.get(each.agentId);
    const isNewer = known !== undefined && !known.isElsewhere && known.isRunning;
    if (isNewer || (known?.isElsewhere === false && known.runId === each.runId)) continue;
    const record = recordFrom(each, now);
    if (record !== undefined) records.set(each.agentId, record);
  }
}

/** Facts of a stored agent; for an interrupted one, that it was interrupted. Undefined if they are damaged. */
export function foundInfo({ body, state }: FoundAgent, now: number): AgentInfo | undefined {
  if (!isFacts(body)) return undefined;
  return state === "interrupted" ? stoppedInfo(body.info, now) : body.info;
}

/** The stored agent with the end that its interrupted run has. */
export function interruptedAgent(found: FoundAgent, info: AgentInfo): StoredAgent {
  const { state: _state, hasBegun: _begun, hasMessages: _messages, ...stored } = found;
  const body = isRecord(found.body) ? { ...found.body, info } : found.body;
  return { ...stored, isRunning: false, body };
}

function recordFrom(found: FoundAgent, now: number): AgentRecord | undefined {
  const { sessionId, agentId, parentAgentId, body, state, hasBegun, hasMessages, callId } = found;
  const info = foundInfo(found, now);
  if (info === undefined || !isFacts(body)) return undefined;
  const { agent, description, depth } = info;
  const record = new AgentRecord({
    agentId,
    sessionId,
    parentAgentId: parentAgentId === "" ? undefined : parentAgentId,
    agent,
    description,
    depth,
    now,
  });
  record.restore(info);
  record.callId = callId;
  record.root = body.root;
  record.hasStarted = body.hasStarted;
  record.pending = hasBegun ? "" : body.task;
  record.definition = body.definition;
  record.isCustom = body.definition !== undefined;
  record.fork = body.fork;
  record.skill = body.skill;
  record.checkout = body.checkout ?? {};
  record.isElsewhere = state === "running";
  // The conversation itself is read from the store.
  if (hasMessages) record.state = [];
  return record;
}

/** Whether a value is what this version stored, as far as a damaged row would get it wrong. */
function isFacts(value: unknown): value is AgentFacts {
  if (!isRecord(value) || !isRecord(value["info"])) return false;
  const info = value["info"];
  return (
    typeof value["root"] === "string" &&
    typeof value["task"] === "string" &&
    ["agentId", "runId", "sessionId", "agent", "description", "status", "text"].every(
      (key) => typeof info[key] === "string",
    ) &&
    typeof info["depth"] === "number" &&
    isRecord(info["usage"])
  );
}
