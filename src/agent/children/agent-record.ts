import type {
  AgentDefinition,
  AgentExecution,
  AgentInfo,
  AgentRequest,
  AgentResult,
  AgentWorktree,
  Denial,
  ErrorInfo,
  HaftEvent,
  TokenUsage,
} from "../../core/index.ts";
import { quietly } from "../../text/index.ts";
import { addUsage } from "../loop/budget/token-usage.ts";

export interface NewAgent {
  readonly agentId: string;
  readonly sessionId: string;
  readonly parentAgentId: string | undefined;
  readonly agent: string;
  readonly description: string;
  readonly depth: number;
  readonly now: number;
}

/** Maximum characters of a text that an agent has written so far. */
const shownChars = 4000;

/** An agent as the process knows it, over all of its runs. */
export class AgentRecord {
  readonly agentId: string;
  readonly sessionId: string;
  readonly parentAgentId: string | undefined;
  readonly agent: string;
  readonly depth: number;
  description: string;
  runId = "";
  /** Run of the agent that talks to the user, to which the limits apply. */
  root = "";
  /** Run that started the latest run of this agent. */
  parentRunId: string | undefined;
  isBackground = false;
  status = "running";
  definition: AgentDefinition | undefined;
  /** Whether a program gave the definition. */
  isCustom = false;
  /** Checkout that its first start asked for, also if it could not begin. */
  checkout: Pick<AgentRequest, "isWorktree" | "branchName"> = {};
  /** Call that started the latest run. */
  callId = "";
  /** Facts of the original that every run of a fork needs; undefined for other agents. */
  fork: { original?: unknown } | undefined;
  /** Whether another process works on it. */
  isElsewhere = false;
  /** Directory of the skill that it works on, in every run. */
  skill: string | undefined;
  onEvent: ((event: HaftEvent) => void) | undefined;
  worktree: AgentWorktree | undefined;
  execution: AgentExecution | undefined;
  /** Conversation from which it continues. */
  state: unknown;
  /** Instructions that a refused start did not reach. */
  pending = "";
  /** Latest run: whether the agent that started it has seen its end. */
  latest = { isKnown: false };
  /** Whether a run of it was ever admitted. */
  hasStarted = false;
  model: string | undefined;
  lastActivityAt: number;
  /** Questions to the user that are open. */
  openQuestions = 0;
  readonly abort: (reason: string) => void = (reason) => this.#abort?.(reason);
  #abort: ((reason: string) => void) | undefined;
  #ended: Promise<AgentInfo> | undefined;
  #startedAt: number;
  #endedAt: number | undefined;
  #text = "";
  #activity = "";
  #turns = 0;
  #calls = 0;
  #usage: TokenUsage = { input: 0, output: 0 };
  #costUsd: number | undefined = 0;
  /** Totals of the runs before this one. */
  #before = { turns: 0, calls: 0, usage: this.#usage, costUsd: this.#costUsd };
  #error: ErrorInfo | undefined;
  #savedUsd = 0;
  #denials: readonly Denial[] = [];

  constructor({ agentId, sessionId, parentAgentId, agent, description, depth, now }: NewAgent) {
    this.agentId = agentId;
    this.sessionId = sessionId;
    this.parentAgentId = parentAgentId;
    this.agent = agent;
    this.description = description;
    this.depth = depth;
    this.#startedAt = now;
    this.lastActivityAt = now;
  }

  get isRunning(): boolean {
    return this.status === "running";
  }

  get ended(): Promise<AgentInfo> {
    return this.#ended ?? Promise.resolve(this.info());
  }

  /** Begins a run; `ended` resolves with its end. */
  begin(
    runId: string,
    at: number,
    run: { ended: Promise<AgentInfo>; abort: (reason: string) => void },
  ) {
    this.runId = runId;
    this.status = "running";
    this.#startedAt = at;
    this.#endedAt = undefined;
    this.#error = undefined;
    this.#denials = [];
    this.#text = "";
    this.#activity = "starting";
    this.#before = {
      turns: this.#turns,
      calls: this.#calls,
      usage: this.#usage,
      costUsd: this.#costUsd,
    };
    this.latest = { isKnown: false };
    this.openQuestions = 0;
    this.lastActivityAt = at;
    this.#ended = run.ended;
    this.#abort = run.abort;
  }

  /** Takes in an event of the agent; returns whether users should see a change. */
  observe(event: HaftEvent): boolean {
    this.lastActivityAt = event.at;
    quietly(this.onEvent, event);
    if (event.type === "run-start") this.model = event.model;
    if (event.type === "model-text") this.#text = `${this.#text}${event.text}`.slice(-shownChars);
    if (event.type === "call-start") this.#activity = event.call.name;
    if (event.type === "permission-answer")
      this.openQuestions = Math.max(0, this.openQuestions - 1);
    return this.#isShown(event);
  }

  #isShown(event: HaftEvent): boolean {
    if (event.type === "turn-start") {
      this.#turns += 1;
      this.#text = "";
      this.#activity = "thinking";
      return true;
    }
    if (event.type === "turn-end") {
      const { usage, costUsd } = event;
      this.#usage = addUsage(this.#usage, usage);
      this.#costUsd = sum(this.#costUsd, costUsd);
      return true;
    }
    if (event.type === "permission-ask") {
      this.openQuestions += 1;
      this.#activity = `asking: ${event.ask.question}`;
      return true;
    }
    if (event.type !== "call-end") return false;
    this.#calls += 1;
    this.#activity = event.outcome.title;
    return true;
  }

  /** Facts about the agent once its run has ended with this result. */
  infoAfter(result: AgentResult, at: number): AgentInfo {
    const { status, text, turns, calls, usage, costUsd, error, denials = [] } = result;
    const before = this.#before;
    const total = sum(before.costUsd, costUsd);
    const savedUsd = this.#savedUsd + (result.savedUsd ?? 0);
    const { costUsd: _cost, ...known } = this.info();
    return {
      ...known,
      status,
      text: text === "" ? this.#text : text,
      activity: status,
      turns: before.turns + turns,
      calls: before.calls + calls,
      usage: addUsage(before.usage, usage),
      ...(total === undefined ? {} : { costUsd: total }),
      ...(savedUsd === 0 ? {} : { savedUsd }),
      ...(denials.length === 0
        ? {}
        : { denials: denials.map((denial) => ({ agentId: this.agentId, ...denial })) }),
      ...(error === undefined ? {} : { error }),
      lastActivityAt: at,
      endedAt: at,
    };
  }

  /** Ends the run with facts of `infoAfter`. */
  end(info: AgentInfo, state?: unknown): AgentInfo {
    this.state = state ?? this.state;
    this.execution = undefined;
    this.#abort = undefined;
    this.restore(info);
    return this.info();
  }

  /** Takes over stored facts. */
  restore(info: AgentInfo): void {
    this.runId = info.runId;
    this.status = info.status;
    this.isBackground = info.isBackground;
    this.model = info.model;
    this.worktree = info.worktree;
    this.lastActivityAt = info.lastActivityAt;
    this.#text = info.text;
    this.#activity = info.activity;
    this.#turns = info.turns;
    this.#calls = info.calls;
    this.#usage = info.usage;
    this.#costUsd = info.costUsd;
    this.#savedUsd = info.savedUsd ?? 0;
    this.#error = info.error;
    this.#denials = info.denials ?? [];
    this.#startedAt = info.startedAt;
    this.#endedAt = info.endedAt;
  }

  info(): AgentInfo {
    const { agentId, runId, sessionId, parentAgentId, depth, agent, description } = this;
    return {
      agentId,
      runId,
      sessionId,
      ...(parentAgentId === undefined ? {} : { parentAgentId }),
      depth,
      agent,
      description,
      isBackground: this.isBackground,
      status: this.status,
      text: this.#text,
      activity: this.#activity,
      ...(this.model === undefined ? {} : { model: this.model }),
      turns: this.#turns,
      calls: this.#calls,
      usage: this.#usage,
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ...(this.#savedUsd === 0 ? {} : { savedUsd: this.#savedUsd }),
      startedAt: this.#startedAt,
      lastActivityAt: this.lastActivityAt,
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      ...(this.#denials.length === 0 ? {} : { denials: this.#denials }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.worktree === undefined ? {} : { worktree: this.worktree }),
    };
  }
}

/** Sum of two costs; undefined if one of them is not known. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}

export interface TimerClock {
  now(): number;
  timer(ms: number, callback: () => void): () => void;
}

/**
 * Stops an agent that has had no event for some time: its model, a tool or another program's agent hangs. An agent that
 * waits for the user's answer is not idle. Events of the agents below it count.
 */
export function watchIdle(record: AgentRecord, idleMs: number, clock: TimerClock): () => void {
  let cancel: (() => void) | undefined;
  const look = (): void => {
    const idleFor = clock.now() - record.lastActivityAt;
    if (record.openQuestions === 0 && idleFor >= idleMs) {
      record.abort(`No event of the agent for ${Math.round(idleMs / 1000)} s.`);
      return;
    }
    cancel = clock.timer(record.openQuestions > 0 ? idleMs : idleMs - idleFor, look);
  };
  cancel = clock.timer(idleMs, look);
  return () => cancel?.();
}
