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
  type Completion,
  type Denial,
  type HaftEvent,
  type Limits,
  type NewEvent,
} from "../../core/index.ts";
import { inCheckout, jobOf, taskOf, type OpenChild, type OpenedChild } from "./agent-job.ts";
import { AgentRecord, watchIdle, type TimerClock } from "./agent-record.ts";
import { chooseDefinition, generalAgent } from "./definitions.ts";
import { completionText, failedStart, stopError } from "./agent-outcome.ts";
import { admission, findAgent, forgetOldest, visibleTo, type Origin } from "./agent-tree.ts";
import {
  abortedCall,
  firstLine,
  know,
  onAbort,
  stopRecord,
  withDefaults,
  type Reader,
} from "./follow-call.ts";
import { checkFork } from "./fork.ts";
import { treeSessions, type TreeSessions } from "./tree-sessions.ts";
import { addStored, storedAgent, type AgentStore } from "./keep-agents.ts";

/** Active run of an agent that calls. */
export interface CallingRun {
  readonly depth: number;
  readonly signal: AbortSignal;
  readonly addDenials: (denials: readonly Denial[]) => void;
  /** Whether its conversation takes stored messages about ends of agents. */
  readonly readsMail: boolean;
}

export interface AgentsParts<Kit> {
  readonly executor: AgentExecutor;
  readonly limits: Limits["agents"];
  readonly definitions: () => Promise<AgentDefinitions>;
  readonly open: (child: OpenChild<Kit>) => Promise<OpenedChild>;
  readonly run: (runId: string) => CallingRun | undefined;
  /** Tells the run that started an agent in the background when it ends. */
  readonly startWork: (runId: string, agent: AgentInfo) => (completion: Completion) => void;
  /** Stores agents; without it they are forgotten with the process. */
  readonly store: AgentStore | undefined;
  readonly subscribe: (listener: (event: HaftEvent) => void) => () => void;
  readonly emit: (event: NewEvent) => void;
  /** Called with the new session of an agent whose caller has none. */
  readonly onSession: (sessionId: string) => void;
  readonly newId: (prefix: string) => string;
  readonly clock: TimerClock;
}

const parentEnded = "The run that started this agent has ended.";

/** Agents of a toolkit and of those derived from it: one list for all of its sessions. */
export interface SharedAgents<Kit> {
  /** The agents as the calls of one of these toolkits use them. */
  of(kit: Kit): Agents;
  /** Stops an agent for the task list; resolves when it has ended. */
  readonly stop: (agentId: string) => Promise<void>;
  /** Counts a session that a run starts among the agents of its tree. */
  readonly enterSession: TreeSessions["enter"];
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
    const source = { agentId, runId, sessionId, parentAgentId, depth };
    if (type === "agent-start")
      parts.emit({ type, agent, parentRunId: record.parentRunId, ...source });
    else parts.emit({ type, agent, ...source });
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
      root:
        parent?.root ??
        sessions.rootOf(caller.runId ?? "") ??
        caller.runId ??
        `session ${caller.sessionId ?? ""}`,
      depth: (parent?.depth ?? run?.depth ?? 0) + 1,
      parent,
      signal: run?.signal,
    };
  };

  const sessions = treeSessions({ limits: parts.limits, originOf, records });

  /** Adds the agents that another process, or an earlier one, has stored. */
  const load = async ({ sessionId }: AgentCaller, id = ""): Promise<void> => {
    if (parts.store === undefined) return;
    const found = await parts.store.find(sessionId === undefined ? { agentId: id } : { sessionId });
    addStored(records, found, parts.clock.now());
  };

  /** Runs the agent to its end. Never rejects. */
  const work = async (
    record: AgentRecord,
    { kit, request, definition, caller, signal, endWork, onStored }: Launch<Kit>,
  ): Promise<AgentInfo> => {
    const task = taskOf(record, request);
    const save = async (): Promise<void> => {
      await parts.store?.record(storedAgent(record, { info: record.info(), task }));
    };
    let opened: OpenedChild | undefined;
    let result: AgentResult;
    const stopWatching = watchIdle(record, parts.limits.idleMs, parts.clock);
    try {
      record.definition = definition;
      await save();
      onStored();
      opened = await parts.open({
        kit,
        agentId: record.agentId,
        sessionId: record.sessionId,
        definition,
        request: { ...request, skill: record.skill },
        parentAgentId: caller.agentId,
        worktree: record.worktree,
        async onWorktree(planned) {
          record.worktree = planned;
          await save();
        },
        signal,
      });
      record.worktree = opened.worktree;
      if (opened.worktree !== undefined) await save();
      signal.throwIfAborted();
      const { toolkit } = opened;
      record.execution = parts.executor.start(
        jobOf(record, { definition, request, caller, toolkit, signal, save }),
      );
      tell("agent-event", record);
      result = await record.execution.result;
      record.pending = "";
    } catch (cause) {
      result = failedStart(cause);
      record.pending = task;
    }
    stopWatching();
    onStored();
    const closed = await opened?.close().catch(() => undefined);
    if (closed !== undefined) record.worktree = closed;
    const ending = record.infoAfter(result, parts.clock.now());
    const run = parts.run(caller.runId ?? "");
    const message = completionText(ending);
    // Stored before anyone learns of it: another process that continues the session must find the same end.
    const mail = await parts.store
      ?.record(
        storedAgent(record, { info: ending, task }),
        endWork !== undefined && run?.readsMail !== false ? message : undefined,
      )
      .catch(() => undefined);
    const info = record.end(ending, result.state);
    const { latest } = record;
    endWork?.({ message, isKnown: () => latest.isKnown, ...(mail === undefined ? {} : { mail }) });
    run?.addDenials(info.denials ?? []);
    tell("agent-end", record);
    return info;
  };

  const launch = (
    record: AgentRecord,
    given: Omit<Launch<Kit>, "signal" | "endWork">,
  ): Promise<AgentInfo> => {
    const { request, origin, caller } = given;
    const controller = new AbortController();
    const abort = (reason: string): void => controller.abort(stopError(reason));
    const { promise, resolve } = Promise.withResolvers<AgentInfo>();
    unsubscribe ??= parts.subscribe(observe);
    records.set(record.agentId, record);
    record.root = origin.root;
    record.hasStarted = true;
    record.parentRunId = caller.runId;
    record.callId = caller.callId;
    record.isElsewhere = false;
    record.isBackground = request.isBackground === true;
    record.isCustom ||= request.definition !== undefined;
    if (request.isFork === true) record.fork ??= {};
    record.skill ??= request.skill;
    record.onEvent = request.onEvent;
    record.begin(parts.newId("run"), parts.clock.now(), { ended: promise, abort });
    forgetOldest(records);
    tell("agent-start", record);
    const unlink = onAbort(origin.signal, () => abort(parentEnded));
    const { runId = "" } = caller;
    const isWaitedFor = request.isBackground !== true || parts.run(runId) === undefined;
    const endWork = isWaitedFor ? undefined : parts.startWork(runId, record.info());
    void work(record, { ...given, endWork, signal: controller.signal }).then((info) => {
      unlink();
      return resolve(info);
    });
    return promise;
  };

  const of = (kit: Kit): Agents => ({
    definitions: parts.definitions,
    async start(given, caller) {
      const definitions = await parts.definitions();
      if (given.resume !== undefined) await load(caller, given.resume);
      const asked = withDefaults(given, definitions);
      checkFork(asked, caller);
      const origin = originOf(caller);
      const record = recordOf(asked, caller, origin.depth);
      const request = inCheckout(asked, record);
      // Nothing of an agent that cannot be used is started, so there is nothing to resume.
      const definition =
        request.definition ??
        (record.isCustom ? record.definition : undefined) ??
        chooseDefinition(record.agent, origin.parent?.definition, definitions);
      const refusal = admission(origin, sessions.counts(origin.root, record), parts.limits);
      if (refusal !== undefined) {
        record.root = origin.root;
        record.begin(parts.newId("run"), parts.clock.now(), {
          ended: Promise.resolve(record.info()),
          abort: () => undefined,
        });
        record.pending = taskOf(record, request);
        records.set(record.agentId, record);
        const result = { ...failedStart(refusal), status: "refused" };
        const info = record.end(record.infoAfter(result, parts.clock.now()));
        const stored = storedAgent(record, { info, task: record.pending });
        await parts.store?.record(stored).catch(() => undefined);
        forgetOldest(records);
        return info;
      }
      const stored = Promise.withResolvers<void>();
      const onStored = stored.resolve;
      const ended = launch(record, { kit, request, definition, caller, origin, onStored });
      if (request.isBackground === true) {
        // Its parent reads of the agent, so it must exist after an interruption.
        await stored.promise;
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
    async list(caller) {
      await load(caller);
      return visibleTo(caller, [...records.values()])
        .map((record) => record.info())
        .toReversed();
    },
    async get(id, caller) {
      await load(caller, id);
      return know(find(id, caller), caller);
    },
    async wait(id, caller, ms) {
      await load(caller, id);
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
      await load(caller, id);
      const record = find(id, caller);
      if (record.execution?.send(message) === true) return record.info();
      throw new ToolError(
        "UNAVAILABLE",
        record.isRunning
          ? `The agent ${record.agentId} cannot receive messages now.`
          : `The agent ${record.agentId} has ended: ${record.status}.`,
        {
          hint: `Continue it with Agent and resume: ${JSON.stringify(record.agentId)}.`,
          retryable: record.isRunning,
        },
      );
    },
    async stop(id, caller) {
      await load(caller, id);
      const record = find(id, caller);
      await stopRecord(record);
      return know(record, caller);
    },
  });
  return {
    of,
    stop: async (agentId) => await stopRecord(records.get(agentId)),
    enterSession: (caller, runId) => sessions.enter(caller, runId),
    showEnd(agentId, reader) {
      const record = records.get(agentId);
      if (record !== undefined) know(record, reader);
    },
  };
}

interface Launch<Kit> {
  readonly kit: Kit;
  readonly request: AgentRequest;
  readonly definition: AgentDefinition;
  readonly caller: AgentCaller;
  readonly origin: Origin;
  /** Reports the end of an agent in the background to the run that started it. */
  readonly endWork: ((completion: Completion) => void) | undefined;
  /** Called once the agent is stored, or cannot be. */
  readonly onStored: () => void;
  readonly signal: AbortSignal;
}
