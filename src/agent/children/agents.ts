import {
  ToolError,
  type AgentCaller,
  type AgentDefinition,
  type AgentDefinitions,
  type AgentExecutor,
  type AgentInfo,
  type AgentRequest,
  type AgentResult,
  type Agents,
  type AgentWorktree,
  type Denial,
  type HaftEvent,
  type Limits,
  type NewEvent,
  type Toolkit,
} from "../../core/index.ts";
import { jobOf, taskOf } from "./agent-job.ts";
import { AgentRecord, watchIdle, type TimerClock } from "./agent-record.ts";
import { chooseDefinition, generalAgent } from "./definitions.ts";
import { completionText, failedStart, stopError } from "./agent-outcome.ts";
import { admission, findAgent, forgetOldest, visibleTo, type Origin } from "./agent-tree.ts";
import { checkFork } from "./fork.ts";

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
  readonly definition: AgentDefinition;
  readonly request: AgentRequest;
  /** Agent that starts this one; absent for the one that talks to the user. */
  readonly parentAgentId: string | undefined;
  readonly worktree: AgentWorktree | undefined;
  readonly signal: AbortSignal;
}

/** Active run of an agent that calls. */
export interface CallingRun {
  readonly depth: number;
  readonly signal: AbortSignal;
  readonly addDenials: (denials: readonly Denial[]) => void;
}

export interface AgentsParts<Kit> {
  readonly executor: AgentExecutor;
  readonly limits: Limits["agents"];
  readonly definitions: () => Promise<AgentDefinitions>;
  readonly open: (child: OpenChild<Kit>) => Promise<OpenedChild>;
  readonly run: (runId: string) => CallingRun | undefined;
  /** Tells the run that started an agent in the background when it ends. */
  readonly startWork: (
    runId: string,
    agent: AgentInfo,
  ) => (completion: { readonly message: string; isKnown(): boolean }) => void;
  readonly subscribe: (listener: (event: HaftEvent) => void) => () => void;
  readonly emit: (event: NewEvent) => void;
  /** Called with the new session of an agent whose caller has none. */
  readonly onSession: (sessionId: string) => void;
  readonly newId: (prefix: string) => string;
  readonly clock: TimerClock;
}

const parentEnded = "The run that started this agent has ended.";

/** Milliseconds that an aborted call waits for its agent to end, before it reports what it knows. */
const abortMs = 200;

/** Agents of a toolkit and of those derived from it: one list for all of its sessions. */
export interface SharedAgents<Kit> {
  /** The agents as the calls of one of these toolkits use them. */
  of(kit: Kit): Agents;
  /** Stops an agent for the task list; resolves when it has ended. */
  readonly stop: (agentId: string) => Promise<void>;
  /** Notes that a model has seen the end of an agent. */
  readonly showEnd: (agentId: string, reader: Reader) => void;
}

export function createAgents<Kit>(parts: AgentsParts<Kit>): SharedAgents<Kit> {
  const records = new Map<string, AgentRecord>();
  let unsubscribe: (() => void) | undefined;

  const observe = (event: HaftEvent): void => {
    if (event.type === "run-end" && event.status !== "done") endBelow(event.runId);
    if (event.agentId === undefined || event.type.startsWith("agent-")) return;
    const record = records.get(event.agentId);
    if (record === undefined || record.sessionId !== event.sessionId) return;
    const isShown = record.observe(event);
    for (let above = parentOf(record); above !== undefined; above = parentOf(above)) {
      above.lastActivityAt = event.at;
    }
    // Not within the event that it follows: every listener gets both in order.
    if (isShown) queueMicrotask(() => tell("agent-event", record));
  };
  /** A run that stopped early takes the agents with it that it left in the background. */
  const endBelow = (runId: string): void => {
    for (const record of records.values()) {
      if (record.isRunning && record.parentRunId === runId) record.abort(parentEnded);
    }
  };
  const parentOf = ({ parentAgentId = "" }: AgentRecord): AgentRecord | undefined =>
    records.get(parentAgentId);
  const tell = (type: "agent-start" | "agent-event" | "agent-end", record: AgentRecord): void => {
    if (type === "agent-event" && !record.isRunning) return;
    const agent = record.info();
    const { agentId, runId, sessionId, parentAgentId, depth } = agent;
    parts.emit({ type, agent, agentId, runId, sessionId, parentAgentId, depth });
  };

  const find = (id: string, caller: AgentCaller): AgentRecord =>
    findAgent(id, caller, [...records.values()]);

  /** Agent of the request: a new one, or the one that it continues. */
  const recordOf = (request: AgentRequest, caller: AgentCaller, depth: number): AgentRecord => {
    const { resume, agent, description } = request;
    if (resume !== undefined) {
      const record = find(resume, caller);
      if (!record.isRunning) return record;
      throw new ToolError("UNAVAILABLE", `The agent ${record.agentId} is still running.`, {
        hint: "Send it a message with AgentSend, or wait for its end with AgentStatus.",
        retryable: false,
        data: { agentId: record.agentId },
      });
    }
    const title = description ?? firstLine(request.prompt);
    return new AgentRecord({
      agentId: parts.newId("agent"),
      sessionId: sessionOf(caller),
      parentAgentId: caller.agentId,
      agent: request.definition?.name ?? agent ?? generalAgent.name,
      description: title,
      depth,
      now: parts.clock.now(),
    });
  };

  const sessionOf = ({ sessionId }: AgentCaller): string => {
    if (sessionId !== undefined) return sessionId;
    const own = parts.newId("session");
    parts.onSession(own);
    return own;
  };

  const originOf = (caller: AgentCaller): Origin => {
    const parent = caller.agentId === undefined ? undefined : records.get(caller.agentId);
    const run = caller.runId === undefined ? undefined : parts.run(caller.runId);
    return {
      root: parent?.root ?? caller.runId ?? `session ${caller.sessionId ?? ""}`,
      depth: (parent?.depth ?? run?.depth ?? 0) + 1,
      parent,
      signal: run?.signal,
    };
  };

  /** Runs the agent to its end. Never rejects. */
  const work = async (
    record: AgentRecord,
    { kit, request, definition, caller, signal }: Launch<Kit>,
  ): Promise<AgentInfo> => {
    let opened: OpenedChild | undefined;
    let result: AgentResult;
    const stopWatching = watchIdle(record, parts.limits.idleMs, parts.clock);
    try {
      record.definition = definition;
      opened = await parts.open({
        kit,
        agentId: record.agentId,
        definition,
        request: { ...request, skill: record.skill },
        parentAgentId: caller.agentId,
        worktree: record.worktree,
        signal,
      });
      record.worktree = opened.worktree;
      signal.throwIfAborted();
      record.execution = parts.executor.start(
        jobOf(record, { definition, request, caller, toolkit: opened.toolkit, signal }),
      );
      tell("agent-event", record);
      result = await record.execution.result;
      record.pending = "";
    } catch (cause) {
      result = failedStart(cause);
      record.pending = taskOf(record, request);
    }
    stopWatching();
    const closed = await opened?.close().catch(() => undefined);
    if (closed !== undefined) record.worktree = closed;
    const info = record.end(result, parts.clock.now());
    parts.run(caller.runId ?? "")?.addDenials(info.denials ?? []);
    tell("agent-end", record);
    return info;
  };

  const launch = (record: AgentRecord, given: Omit<Launch<Kit>, "signal">): Promise<AgentInfo> => {
    const { request, origin } = given;
    const controller = new AbortController();
    const abort = (reason: string): void => controller.abort(stopError(reason));
    const { promise, resolve } = Promise.withResolvers<AgentInfo>();
    unsubscribe ??= parts.subscribe(observe);
    records.set(record.agentId, record);
    record.root = origin.root;
    record.hasStarted = true;
    record.parentRunId = given.caller.runId;
    record.isBackground = request.isBackground === true;
    record.isCustom ||= request.definition !== undefined;
    if (request.isFork === true) record.fork = {};
    record.skill ??= request.skill;
    record.onEvent = request.onEvent;
    record.begin(parts.newId("run"), parts.clock.now(), { ended: promise, abort });
    forgetOldest(records);
    tell("agent-start", record);
    const unlink = onAbort(origin.signal, () => abort(parentEnded));
    void work(record, { ...given, signal: controller.signal }).then((info) => {
      unlink();
      return resolve(info);
    });
    return promise;
  };

  const of = (kit: Kit): Agents => ({
    definitions: parts.definitions,
    async start(given, caller) {
      const definitions = await parts.definitions();
      const request = withDefaults(given, definitions);
      checkFork(request, caller);
      const origin = originOf(caller);
      const record = recordOf(request, caller, origin.depth);
      // Nothing of an agent that cannot be used is started, so there is nothing to resume.
      const definition =
        request.definition ??
        (record.isCustom ? record.definition : undefined) ??
        chooseDefinition(record.agent, origin.parent?.definition, definitions);
      const others = { records: [...records.values()], limits: parts.limits };
      const refusal = admission(record, origin, others);
      if (refusal !== undefined) {
        record.root = origin.root;
        record.begin(parts.newId("run"), parts.clock.now(), {
          ended: Promise.resolve(record.info()),
          abort: () => undefined,
        });
        record.pending = taskOf(record, request);
        records.set(record.agentId, record);
        const info = record.end({ ...failedStart(refusal), status: "refused" }, parts.clock.now());
        forgetOldest(records);
        return info;
      }
      const ended = launch(record, { kit, request, definition, caller, origin });
      if (request.isBackground === true) {
        const { runId } = caller;
        if (runId !== undefined && parts.run(runId) !== undefined) {
          const endWork = parts.startWork(runId, record.info());
          const { latest } = record;
          void ended.then((info) =>
            endWork({ message: completionText(info), isKnown: () => latest.isKnown }),
          );
        }
        return record.info();
      }
      const unlink = onAbort(caller.signal, () => record.abort("The call was aborted."));
      const aborted = abortedCall(caller.signal, parts.clock);
      try {
        await Promise.race([ended, aborted.promise]);
        return know(record, caller);
      } finally {
        aborted.cancel();
        unlink();
      }
    },
    list: async (caller) =>
      visibleTo(caller, [...records.values()])
        .map((record) => record.info())
        .toReversed(),
    get: async (id, caller) => know(find(id, caller), caller),
    async wait(id, caller, ms) {
      const record = find(id, caller);
      if (record.isRunning) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const cancel = ms === undefined ? undefined : parts.clock.timer(ms, resolve);
        const unlink = onAbort(caller.signal, resolve);
        await Promise.race([record.ended, promise]);
        cancel?.();
        unlink();
      }
      return know(record, caller);
    },
    async send(id, message, caller) {
      const record = find(id, caller);
      if (record.execution?.send(message) === true) return record.info();
      throw new ToolError(
        "UNAVAILABLE",
        record.isRunning
          ? `The agent ${record.agentId} takes no message yet or any more.`
          : `The agent ${record.agentId} has ended: ${record.status}.`,
        {
          hint: `Continue it with Agent and resume: ${JSON.stringify(record.agentId)}.`,
          retryable: record.isRunning,
        },
      );
    },
    async stop(id, caller) {
      const record = find(id, caller);
      await stopRecord(record);
      return know(record, caller);
    },
  });
  return {
    of,
    stop: async (agentId) => await stopRecord(records.get(agentId)),
    showEnd(agentId, reader) {
      const record = records.get(agentId);
      if (record !== undefined) know(record, reader);
    },
  };
}

async function stopRecord(record: AgentRecord | undefined): Promise<void> {
  if (record?.isRunning !== true) return;
  record.abort("The agent was stopped.");
  await record.ended;
}

type Reader = Pick<AgentCaller, "runId" | "agentId">;

interface Launch<Kit> {
  readonly kit: Kit;
  readonly request: AgentRequest;
  readonly definition: AgentDefinition;
  readonly caller: AgentCaller;
  readonly origin: Origin;
  readonly signal: AbortSignal;
}

function onAbort(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal === undefined) return () => undefined;
  if (signal.aborted) run();
  signal.addEventListener("abort", run, { once: true });
  return () => signal.removeEventListener("abort", run);
}

/** Resolves a moment after the call is aborted, so that the agent can end in order. */
function abortedCall(signal: AbortSignal, clock: TimerClock) {
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

function firstLine(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return line.length <= 60 ? line : `${line.slice(0, 59)}…`;
}

/**
 * Facts for the caller; the one that started the agent then gets no second report of its end. A caller without a run is a
 * program that looks, or a call that is only judged: its model has not read anything.
 */
function know(record: AgentRecord, caller: Reader): AgentInfo {
  const isReader = caller.runId !== undefined && caller.agentId === record.parentAgentId;
  if (!record.isRunning && isReader) record.latest.isKnown = true;
  return record.info();
}

/** The request with what its definition says where the call says nothing. */
function withDefaults(request: AgentRequest, { agents }: AgentDefinitions): AgentRequest {
  const { agent, resume, isBackground } = request;
  if (agent === undefined || resume !== undefined || isBackground !== undefined) return request;
  const found = agents.find(({ name }) => name === agent);
  return found?.background === true ? { ...request, isBackground: true } : request;
}
