import type { ToolListing } from "../../../core/index.ts";

/** State of a call that a client runs as a task. */
export type McpTaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** A call that a client runs as a task, as it is stored. */
export interface McpTaskRecord {
  /** Id of the task, which cannot be guessed. */
  readonly id: string;
  /** Tool of the call. */
  readonly tool: string;
  /** Id of the call, which work in the background names as its origin. */
  readonly callId: string;
  /** Session of the call; absent outside one. */
  readonly sessionId?: string;
  /** State of the task. */
  readonly status: McpTaskStatus;
  /** The state in a sentence. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Milliseconds after its creation in which the task can be read. */
  readonly ttlMs: number;
  /** Whether the call has ended and left work in the background, whose end is the end of the task. */
  readonly inBackground?: boolean;
  /** Result of the call, as it is sent. */
  readonly result?: Readonly<Record<string, unknown>>;
  /** Protocol error with which the call ended. */
  readonly error?: {
    /** Code of JSON-RPC. */
    readonly code: number;
    /** The error in a sentence. */
    readonly message: string;
    /** Data for programs. */
    readonly data?: unknown;
  };
}

/** Work in the background that a call started: a command or an agent. */
export interface McpTaskWork {
  /** Whether it has not ended. */
  readonly isRunning: boolean;
  /** Whether it ended with a failure. */
  readonly isError: boolean;
  /** Its output, and how it ended. */
  text(): Promise<string>;
  /** Ends it. */
  stop(): Promise<void>;
}

/** Tasks of this process and of others, stored so that they survive both. */
export interface McpTaskStore {
  /** Stores a task. */
  save(record: McpTaskRecord): Promise<void>;
  /** Returns a task, and whether the process that stored it last still runs; undefined if there is none. */
  get(
    id: string,
  ): Promise<{ readonly record: McpTaskRecord; readonly isOwned: boolean } | undefined>;
  /** Lists the tasks of this process and those whose process has ended, newest first. */
  list(): Promise<readonly McpTaskRecord[]>;
  /** Returns the work in the background that a call started; undefined if there is none. */
  work(callId: string): Promise<McpTaskWork | undefined>;
}

/** Built-in tools whose calls take long, or leave work in the background. */
const longTools: ReadonlySet<string> = new Set(["Bash", "Agent", "Delegate"]);

/** Whether clients may run calls of a built-in tool as tasks: those that take long or leave work in the background. */
export function taskSupport(tool: string): "optional" | undefined {
  return longTools.has(tool) ? "optional" : undefined;
}

/** Calls that clients may run as tasks. */
export interface McpTasks {
  /** Whether clients may or must run calls of a tool as tasks; undefined if they cannot. */
  support(tool: Pick<ToolListing, "name">): "optional" | "required" | undefined;
  /** Opens the store; called with the first task. */
  store(): Promise<McpTaskStore>;
}
