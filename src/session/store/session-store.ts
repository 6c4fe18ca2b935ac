import type { TokenUsage } from "../../core/index.ts";
import type { Message } from "../messages/messages.ts";
import type { RunLog } from "../runs/run-log.ts";
import type { AgentQuery, FoundAgent, StoredAgent } from "../runs/stored-agents.ts";

/** A stored session: a conversation with the runs that made it. */
export interface SessionInfo {
  /** Id of the session. */
  readonly sessionId: string;
  /** Title given by the user; otherwise the start of the first task. */
  readonly title: string;
  /** Task and model of the latest run, and the number of runs. Missing before the first run. */
  readonly task?: string;
  /** Model of its latest run. */
  readonly model?: string;
  /** Number of runs. */
  readonly runs: number;
  /**
   * State of the latest run: "running" while a live process works on it, "interrupted" if its process ended before the
   * run did, otherwise how it ended. "new" before the first run.
   */
  readonly status: string;
  /** Directory in which the tools worked. */
  readonly workspace?: string;
  /** Number of messages of the agent that talks to the user, including those replaced by a compaction. */
  readonly messages: number;
  /** Sums over all runs, including those of sub-agents. */
  readonly turns: number;
  /** Number of calls. */
  readonly calls: number;
  /** Tokens of all runs. */
  readonly usage: TokenUsage;
  /** US dollars; missing if no run had a price. */
  readonly costUsd?: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of the latest change, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Session and message that it was forked from. */
  readonly forkedFrom?: { readonly sessionId: string; readonly message: number };
  /** Records of the session cannot be read, so that values are missing or too low. */
  readonly isDamaged?: boolean;
}

export interface NewSession {
  readonly sessionId: string;
  readonly title?: string;
  readonly workspace?: string;
}

/** A run, as it is recorded when it starts. */
export interface NewRun {
  readonly sessionId: string;
  readonly runId: string;
  /** Default: the agent that talks to the user. */
  readonly agentId?: string;
  readonly parentAgentId?: string;
  /** An empty one is that of the agent's run before. */
  readonly task: string;
  readonly model: string;
}

/** How a run ended. */
export interface RunEnd {
  readonly status: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
}

/** A run that this process works on. */
export interface StoredRun {
  readonly runId: string;
  readonly log: RunLog;
  /** Latest run of the agent before this one, whether it ended or was interrupted. */
  readonly before: PastRun | undefined;
  /** Records how the run ended, and lets other processes continue the session. */
  readonly end: (result: RunEnd) => Promise<void>;
}

/** A message of the log with its place in it. */
export interface SessionLogEntry {
  /** Counts from 1 within the agent's messages. A compaction has the number of the message before it. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Run that stored the messages. */
  readonly runId: string;
  /** The message, or the messages that the model saw from here on in place of everything before. */
  readonly kind: "message" | "compaction";
  /** Messages, in order. */
  readonly messages: readonly Message[];
}

/** Conversation of one agent. */
export interface StoredConversation {
  /** Messages, by the run that stored them. */
  readonly entries: readonly SessionLogEntry[];
  /** Number of stored messages that could not be read and are missing. */
  readonly damaged: number;
}

/** A run that no process works on any more. */
export interface PastRun {
  readonly runId: string;
  readonly task: string;
  readonly model: string;
  /**
   * Latest result that this run, or an earlier one of the agent, recorded for a step; undefined if there is none. A run
   * that was interrupted while it settled the calls of another has not recorded their results itself.
   */
  step(key: string): unknown;
}

/** Record about a call whose effects may reach beyond the workspace. */
export interface CallRecord {
  readonly kind: "intent" | "answer";
  readonly at: number;
  readonly body: unknown;
}

export interface NewCallRecord extends Pick<CallRecord, "kind" | "body"> {
  readonly sessionId: string;
  readonly callId: string;
  readonly isDurable: boolean;
}

export interface ForkOptions {
  /** Id of the new session. */
  readonly sessionId: string;
  /** Number of the last message to keep. Default: all messages. */
  readonly message?: number;
}

/** Extent of an exported session. */
export interface ExportSessionOptions {
  /** JSON Lines, from which `import` makes a session, or one self-contained HTML page. Default "jsonl". */
  readonly format?: "jsonl" | "html";
  /** Include secrets as they were. Default: replaced as in events. */
  readonly secrets?: boolean;
}

export interface ImportOptions {
  /** Id for the session if the exported one is taken. */
  readonly sessionId: string;
}

/** Sessions of a data directory. Each promise resolves once the data is stored; a method rejects with a ToolError. */
export interface SessionStore {
  create(session: NewSession): Promise<SessionInfo>;
  get(sessionId: string): Promise<SessionInfo | undefined>;
  /** Sessions, the latest first. */
  list(options?: { readonly limit?: number }): Promise<readonly SessionInfo[]>;
  rename(sessionId: string, title: string): Promise<SessionInfo>;
  fork(sessionId: string, options: ForkOptions): Promise<SessionInfo>;
  /** Rejects with UNAVAILABLE while a run of the session is active. */
  delete(sessionId: string): Promise<void>;
  /** Messages that the model of an agent sees. Default: the agent that talks to the user. */
  messages(sessionId: string, agentId?: string): Promise<readonly Message[]>;
  /** The whole log of an agent, including what a compaction replaced. */
  conversation(sessionId: string, agentId?: string): Promise<StoredConversation>;
  /** Agents that have messages in the session, other than the one that talks to the user. */
  agents(sessionId: string): Promise<readonly string[]>;
  /**
   * Stores a message that the session's run takes at its next turn. Rejects with UNAVAILABLE for a session that is
   * neither new nor running.
   */
  post(sessionId: string, text: string): Promise<void>;
  /**
   * Records the start of a run. Only one process at a time works on an agent's conversation: rejects with UNAVAILABLE
   * while another run of it is active.
   */
  begin(run: NewRun): Promise<StoredRun>;
  /**
   * Stores an agent. With the text of an end, the conversation of the agent that started it gets a message in the same
   * transaction, unless its end is known already; returns the number of that message.
   */
  recordAgent(agent: StoredAgent, end?: string): Promise<number | undefined>;
  /** Agents as they were stored. */
  storedAgents(query: AgentQuery): Promise<readonly FoundAgent[]>;
  /** Stores a record about a call; a durable one is flushed to the disk, with everything stored before it. */
  recordCall(record: NewCallRecord): Promise<void>;
  /** Records about a call, in order. */
  callRecords(sessionId: string, callId: string): Promise<readonly CallRecord[]>;
  export(sessionId: string, options?: ExportSessionOptions): Promise<string>;
  /** Makes a session from JSON Lines that `export` wrote. Rejects with INVALID_INPUT, naming the line. */
  import(text: string, options: ImportOptions): Promise<SessionInfo>;
  /** Closes the file. Runs in progress can no longer be recorded. */
  close(): Promise<void>;
}
