import type { Mode } from "../call/decisions.ts";
import type { ErrorInfo } from "../call/errors.ts";
import type { TokenUsage } from "../call/token-usage.ts";
import { serviceToken } from "../ports/service-token.ts";
import type { Toolkit } from "../ports/toolkit.ts";
import type { AgentInfo, AgentStatus } from "./agent-info.ts";

/** Kind of work that agents are started for: instructions, tools and limits, by name. */
export interface AgentDefinition {
  readonly name: string;
  /** When to use it, for the model that starts agents. */
  readonly description: string;
  /** Instructions of the agent. */
  readonly prompt: string;
  /**
   * Tools of the agent, as rules such as `Read`, `Bash(npm test)` or `mcp__server__*`. Default: every tool of the agent
   * that starts it, except those that start agents.
   */
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** Agents that it may start, if it has the tool Agent. Default: all. */
  readonly agents?: readonly string[];
  /** Model as `provider:model` or an alias. Default: that of the agent that starts it. */
  readonly model?: string;
  readonly permissionMode?: Mode;
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  /** Runs in the background unless the call says otherwise. */
  readonly background?: boolean;
  /** Works in a checkout of its own unless the call says otherwise. */
  readonly worktree?: boolean;
  /** File of the definition; absent for a built-in one. */
  readonly file?: string;
}

/** Definition that is not used, with the reason. */
export interface UnusedAgent {
  readonly name: string;
  readonly file: string;
  /** `trust`: the workspace is not trusted. */
  readonly reason: "trust" | "invalid";
  readonly message: string;
}

export interface AgentDefinitions {
  readonly agents: readonly AgentDefinition[];
  readonly unused: readonly UnusedAgent[];
}

/** Request to start an agent, or to continue one. */
export interface AgentRequest {
  readonly prompt: string;
  /** Title for users. */
  readonly description?: string | undefined;
  /** Name of the definition. Default: "general". */
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly isBackground?: boolean | undefined;
  readonly isWorktree?: boolean | undefined;
  /** Branch of the worktree. Default: a new name. */
  readonly branchName?: string | undefined;
  /** Starts with the conversation and the tools of the caller. */
  readonly isFork?: boolean | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly permissionMode?: Mode | undefined;
  readonly tools?: readonly string[] | undefined;
  /** Id of an agent that ended: its agent id, run id or session id. */
  readonly resume?: string | undefined;
}

/** The agent or program that calls. */
export interface AgentCaller {
  /** Run of the call; absent for a call outside a run. */
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Agents that a caller can start, and those below it. */
export interface Agents {
  definitions(): Promise<AgentDefinitions>;
  /**
   * Starts or continues an agent. Resolves when it has ended, or at once for one in the background. Never rejects for
   * what the agent does: its status and error say so.
   */
  start(request: AgentRequest, caller: AgentCaller): Promise<AgentInfo>;
  /** Agents below the caller, newest first. */
  list(caller: AgentCaller): Promise<readonly AgentInfo[]>;
  /** Rejects with NOT_FOUND for an id that is not below the caller. */
  get(id: string, caller: AgentCaller): Promise<AgentInfo>;
  /** Resolves when the agent has ended, or after `ms` milliseconds. */
  wait(id: string, caller: AgentCaller, ms?: number): Promise<AgentInfo>;
  /** Sends a message that the agent sees at its next turn. Rejects with UNAVAILABLE if it has ended. */
  send(id: string, message: string, caller: AgentCaller): Promise<AgentInfo>;
  /** Ends the agent and those below it; resolves when it has ended. */
  stop(id: string, caller: AgentCaller): Promise<AgentInfo>;
}

export const agents = serviceToken<Agents>("agents");

/** Work of one agent, as an executor gets it. */
export interface AgentJob {
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly parentAgentId?: string;
  /** Run of the agent that started it; absent for an agent that a program started. */
  readonly parentRunId?: string;
  readonly depth: number;
  readonly prompt: string;
  readonly definition: AgentDefinition;
  /** Model that the caller named. */
  readonly model?: string;
  /** Tools, limited to what this agent may do. */
  readonly toolkit: Toolkit;
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  /** State that an earlier run of this agent returned. */
  readonly state?: unknown;
  readonly signal: AbortSignal;
}

/** Result of an agent's work. */
export interface AgentResult {
  readonly status: Exclude<AgentStatus, "running">;
  readonly text: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
  readonly error?: ErrorInfo;
  /** State from which the agent can continue, such as its conversation. */
  readonly state?: unknown;
}

export interface AgentExecution {
  /** Never rejects: a failure is a result too. */
  readonly result: Promise<AgentResult>;
  /** Returns false if the agent has ended. */
  send(message: string): boolean;
}

/** Runs the work of agents: haft's own loop, or the agent of another program. */
export interface AgentExecutor {
  start(job: AgentJob): AgentExecution;
}
