import type { Mode, OnAsk } from "../call/decisions.ts";
import type { HaftEvent } from "../call/events.ts";
import type { ErrorInfo } from "../call/errors.ts";
import type { TokenUsage } from "../call/token-usage.ts";
import { serviceToken } from "../ports/service-token.ts";
import type { Toolkit } from "../ports/toolkit.ts";
import type { AgentInfo, AgentStatus, Denial } from "./agent-info.ts";

/** Kind of work that agents are started for: instructions, tools and limits, by name. */
export interface AgentDefinition {
  /** Name under which it is started. */
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
  /** Tools that it must not use, as rules. */
  readonly disallowedTools?: readonly string[];
  /** Agents that it may start, if it has the tool Agent. Default: all. */
  readonly agents?: readonly string[];
  /** Model as `provider:model` or an alias. Default: that of the agent that starts it. */
  readonly model?: string;
  /** Mode of the agent. Default: that of the agent that starts it. */
  readonly permissionMode?: Mode;
  /** Maximum number of turns. */
  readonly maxTurns?: number;
  /** Maximum tokens of all its requests. */
  readonly maxTokens?: number;
  /** Runs in the background unless the call says otherwise. */
  readonly background?: boolean;
  /** Works in a checkout of its own unless the call says otherwise. */
  readonly worktree?: boolean;
  /** Hooks that run for the agent and those below it, in the reference format. */
  readonly hooks?: Readonly<Record<string, unknown>>;
  /**
   * MCP servers of the agent: names of those in the settings, whose tools are awaited, and definitions of its own, by
   * name, in the form of the setting `mcpServers`.
   */
  readonly mcpServers?: readonly AgentMcpServer[];
  /** Names of the only servers of the settings whose tools it has. Default: all. */
  readonly mcpServerIds?: readonly string[];
  /** File of the definition; absent for a built-in one. */
  readonly file?: string;
}

/** Name of an MCP server in the settings, or definitions by name. */
export type AgentMcpServer = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Definition that is not used, with the reason. */
export interface UnusedAgent {
  /** Name in the definition. */
  readonly name: string;
  /** File of the definition. */
  readonly file: string;
  /** `trust`: the workspace is not trusted. */
  readonly reason: "trust" | "invalid";
  /** Reason, in one sentence. */
  readonly message: string;
}

/** Definitions of agents, and files that do not count. */
export interface AgentDefinitions {
  /** Agents that can be started. */
  readonly agents: readonly AgentDefinition[];
  /** Definitions that were found and are not used, with the reason. */
  readonly unused: readonly UnusedAgent[];
}

/** Request to start an agent, or to continue one. */
export interface AgentRequest {
  /** Task of the agent. */
  readonly prompt: string;
  /** Title for users. */
  readonly description?: string | undefined;
  /** Name of the definition. Default: "general". */
  readonly agent?: string | undefined;
  /** Model as `provider:model` or an alias. Default: that of the definition. */
  readonly model?: string | undefined;
  /** Whether the call returns at once. Default: as the definition says. */
  readonly isBackground?: boolean | undefined;
  /** Whether it works in a checkout of its own. Default: as the definition says. */
  readonly isWorktree?: boolean | undefined;
  /** Branch of the worktree. Default: a new name. */
  readonly branchName?: string | undefined;
  /** Maximum number of turns. Default: that of the definition. */
  readonly maxTurns?: number | undefined;
  /** Maximum tokens of all its requests. Default: that of the definition. */
  readonly maxTokens?: number | undefined;
  /** Mode of the agent. Default: that of the definition. */
  readonly permissionMode?: Mode | undefined;
  /** Tools of the agent, as rules. Default: those of the definition. */
  readonly tools?: readonly string[] | undefined;
  /** Id of an agent that ended: its agent id, run id or session id. */
  readonly resume?: string | undefined;
  /**
   * Whether it continues a copy of the caller's conversation, with the same system prompt and definitions, so that the
   * provider reads them from its cache. Default false.
   */
  readonly isFork?: boolean | undefined;
  /** Kind of agent, for a program that defines one itself; then `agent` is not used. */
  readonly definition?: AgentDefinition | undefined;
  /** Directory of the skill that it works on, whose limits and hooks apply to it. */
  readonly skill?: string | undefined;
  /** Maximum number of calls. */
  readonly maxCalls?: number | undefined;
  /** Maximum duration in milliseconds. */
  readonly deadlineMs?: number | undefined;
  /** Answers questions about its calls. Default: as for the agent that starts it. */
  readonly onAsk?: OnAsk | undefined;
  /** Called with each event of its runs, but not of agents below it. */
  readonly onEvent?: ((event: HaftEvent) => void) | undefined;
}

/** The agent or program that calls. */
export interface AgentCaller {
  /** Run of the call; absent for a call outside a run. */
  readonly runId?: string | undefined;
  /** Session of the call. */
  readonly sessionId?: string | undefined;
  /** Agent that makes the call. */
  readonly agentId?: string | undefined;
  /** Id of the call. */
  readonly callId: string;
  /** Fires when the call is aborted. */
  readonly signal: AbortSignal;
}

/** Agents that a caller can start, and those below it. */
export interface Agents {
  /** Agents that can be started, and definitions that are not used. */
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

/** Token of the service that starts and follows agents. */
export const agents = serviceToken<Agents>(
  "agents",
  "The user can name a model in the setting models.default.",
);

/** Facts about its original that a fork keeps for its later runs. */
export interface AgentFork {
  /** Facts that an earlier run has kept; undefined in the first one. */
  readonly original: unknown;
  /** Stores facts, which must be representable as JSON. */
  keep(original: unknown): Promise<void>;
}

/** Work of one agent, as an executor gets it. */
export interface AgentJob {
  /** Id of the agent. */
  readonly agentId: string;
  /** Id of its run. */
  readonly runId: string;
  /** Session that holds its conversation. */
  readonly sessionId: string;
  /** Agent that started it; absent if a program did. */
  readonly parentAgentId?: string;
  /** Run of the agent that started it; absent for an agent that a program started. */
  readonly parentRunId?: string;
  /** Number of agents above it. */
  readonly depth: number;
  /** Task of the agent. */
  readonly prompt: string;
  /** Its definition. */
  readonly definition: AgentDefinition;
  /** Model that the caller named. */
  readonly model?: string;
  /** Tools, limited to what this agent may do. */
  readonly toolkit: Toolkit;
  /** Maximum number of turns. */
  readonly maxTurns?: number;
  /** Maximum tokens of all its requests. */
  readonly maxTokens?: number;
  /** Maximum number of calls. */
  readonly maxCalls?: number;
  /** Maximum duration in milliseconds. */
  readonly deadlineMs?: number;
  /** Present for a fork; absent for an agent that begins with its task alone. */
  readonly fork?: AgentFork;
  /** Answers questions about its calls. Default: that of the toolkit. */
  readonly onAsk?: OnAsk;
  /** State that an earlier run of this agent returned. */
  readonly state?: unknown;
  /** Ends the agent. */
  readonly signal: AbortSignal;
}

/** Result of an agent's work. */
export interface AgentResult {
  /** How it ended. */
  readonly status: Exclude<AgentStatus, "running">;
  /** Its answer; if it failed, its latest text. */
  readonly text: string;
  /** Number of turns. */
  readonly turns: number;
  /** Number of calls. */
  readonly calls: number;
  /** Tokens of all requests. */
  readonly usage: TokenUsage;
  /** US dollars; absent if a model without prices was asked. */
  readonly costUsd?: number;
  /** US dollars that tokens read from the provider's cache cost less; absent if prices are not known. */
  readonly savedUsd?: number;
  /** Its refused calls, with those of agents it started. */
  readonly denials?: readonly Denial[];
  /** Failure that ended it. */
  readonly error?: ErrorInfo;
  /** State from which the agent can continue, such as its conversation. */
  readonly state?: unknown;
}

/** A running agent. */
export interface AgentExecution {
  /** Never rejects: a failure is a result too. */
  readonly result: Promise<AgentResult>;
  /** Returns false if the agent has ended. */
  send(message: string): boolean;
}

/** Runs the work of agents: haft's own loop, or the agent of another program. */
export interface AgentExecutor {
  /** Starts an agent. Must not throw: a failure is a result. */
  start(job: AgentJob): AgentExecution;
}
