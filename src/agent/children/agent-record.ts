import type {
  AgentDefinition,
  AgentExecution,
  AgentInfo,
  AgentResult,
  AgentWorktree,
  ErrorInfo,
  HaftEvent,
  TokenUsage,
} from "../../core/index.ts";
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
  isBackground = false;
  status = "running";
  definition: AgentDefinition | undefined;
  worktree: AgentWorktree | undefined;
  execution: AgentExecution | undefined;
  /** Conversation from which it continues. */
  state: unknown;
  /** Instructions that a refused start did not reach. */
  pending = "";
  /** Whether the agent that started it has seen the end. */
  isKnown = false;
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
    this.#text = "";
    this.#activity = "starting";
    this.#before = {
      turns: this.#turns,
      calls: this.#calls,
      usage: this.#usage,
      costUsd: this.#costUsd,
    };
    this.isKnown = false;
    this.openQuestions = 0;
    this.lastActivityAt = at;
    this.#ended = run.ended;
    this.#abort = run.abort;
  }

  /** Takes in an event of the agent; returns whether users should see a change. */
  observe(event: HaftEvent): boolean {
    this.lastActivityAt = event.at;
    switch (event.type) {
      case "run-start":
        this.model = event.model;
        return false;
      case "turn-start":
        this.#turns += 1;
        this.#text = "";
        this.#activity = "thinking";
        return true;
      case "model-text":
        this.#text = `${this.#text}${event.text}`.slice(-shownChars);
        return false;
      case "turn-end":
        this.#usage = addUsage(this.#usage, event.usage);
        this.#costUsd =
          event.costUsd === undefined || this.#costUsd === undefined
            ? undefined
            : this.#costUsd + event.costUsd;
        return true;
      case "call-start":
        this.#activity = event.call.name;
        return false;
      case "permission-ask":
        this.openQuestions += 1;
        this.#activity = `asking: ${event.ask.question}`;
        return true;
      case "permission-answer":
        this.openQuestions = Math.max(0, this.openQuestions - 1);
        return false;
      case "call-end":
        this.#calls += 1;
        this.#activity = event.outcome.title;
        return true;
      default:
        return false;
    }
  }

  end(result: AgentResult, at: number): AgentInfo {
    const { status, text, turns, calls, usage, costUsd, error, state } = result;
    const before = this.#before;
    this.status = status;
    this.state = state ?? this.state;
    if (text !== "") this.#text = text;
    this.#activity = status;
    this.#turns = before.turns + turns;
    this.#calls = before.calls + calls;
    this.#usage = addUsage(before.usage, usage);
    this.#costUsd =
      costUsd === undefined || before.costUsd === undefined ? undefined : before.costUsd + costUsd;
    this.#error = error;
    this.#endedAt = at;
    this.lastActivityAt = at;
    this.execution = undefined;
    this.#abort = undefined;
    return this.info();
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
      startedAt: this.#startedAt,
      lastActivityAt: this.lastActivityAt,
      ...(this.#endedAt === undefined ? {} : { endedAt: this.#endedAt }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.worktree === undefined ? {} : { worktree: this.worktree }),
    };
  }
}
