import type { Trust } from "../../tool/tool.ts";

/** `lost`: the task was running when the haft process that started it ended, is gone now, and its exit was not seen. */
export type TaskStatus = "running" | "ended" | "lost";

/** A command that continues in the background of the calls of its session. */
export interface CommandTask {
  /** Id of the task. */
  readonly id: string;
  /** Kind of the task. */
  readonly kind: "command";
  /** State of the task. */
  readonly status: TaskStatus;
  /** Title for users: the text of a command. */
  readonly title: string;
  /** Directory in which it was started. */
  readonly cwd: string;
  /** Process id on the host. */
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch; absent while the task runs and where the end is unknown. */
  readonly endedAt?: number;
  /** Null when a signal ended the task; absent while it runs and where the exit code is unknown. */
  readonly exitCode?: number | null;
  /** Signal that ended it; null if it exited. */
  readonly signal?: string | null;
  /** Why the task was ended, if it did not end by itself. */
  readonly endedBy?: "stop" | "session-end" | "output-limit" | "timeout";
  /** File with the task's output; absent where the output cannot be stored. */
  readonly outputFile?: string;
  /** Bytes printed so far. */
  readonly printedBytes: number;
  /** Bytes of the output that were already shown. */
  readonly seenBytes: number;
  /** Whether its standard input can be written to. */
  readonly takesInput: boolean;
  /** Trust of the output, inherited from the call that started the task. */
  readonly trust: Trust;
  /** Call that started it. */
  readonly callId: string;
  /** Session of that call. */
  readonly sessionId?: string;
  /** Agent of that call. */
  readonly agentId?: string;
  /** Run of the call that started the task. */
  readonly runId?: string;
}

/** An agent or a delegated task that works in the background of the calls of its session. */
export interface AgentTask {
  /** Id of the agent. */
  readonly id: string;
  /** Kind of the task. */
  readonly kind: "agent" | "delegation";
  /** `lost`: its process ended before it did. */
  readonly status: "running" | "done" | "failed" | "stopped" | "lost";
  /** Title for users: the description of its work. */
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds since the epoch; absent while it runs. */
  readonly endedAt?: number;
  /** Time of its latest activity, in milliseconds since the epoch. */
  readonly activeAt?: number;
  /** Present activity, in a few words. */
  readonly activity?: string;
  /** Calls that it made. */
  readonly calls?: number;
  /** Tokens that it used. */
  readonly tokens?: number;
  /** US dollars that it cost. */
  readonly costUsd?: number;
  /** Why it failed or was stopped, in a sentence. */
  readonly reason?: string;
  /** Bytes of its text so far. */
  readonly printedBytes: number;
  /** Bytes of its text that were already shown. */
  readonly seenBytes: number;
  /** Trust of its text. */
  readonly trust: Trust;
  /** Call that started it. */
  readonly callId?: string;
  /** Run of the agent. */
  readonly runId?: string;
  /** Session of the agent that started it. */
  readonly sessionId?: string;
  /** Agent that started it; missing for the agent that talks to the user. */
  readonly agentId?: string;
}

/** A task that runs by itself and says something: a command, an agent or a delegation. */
export type RunningTask = CommandTask | AgentTask;

/** Status of a todo. `todoSteps` has the legal transitions. */
export type TodoStatus = "pending" | "in_progress" | "done" | "failed" | "cancelled";

/** Statuses that may follow each status of a todo. */
export const todoSteps: Readonly<Record<TodoStatus, readonly TodoStatus[]>> = {
  pending: ["in_progress", "cancelled"],
  in_progress: ["done", "failed", "cancelled"],
  failed: ["in_progress"],
  done: [],
  cancelled: [],
};

/** A step of a session's plan. */
export interface Todo {
  /** Id of the todo. */
  readonly id: string;
  /** Kind of the task. */
  readonly kind: "todo";
  /** Status of the todo. */
  readonly status: TodoStatus;
  /** Work to be done, in a few words. */
  readonly title: string;
  /** Details. */
  readonly description?: string;
  /** Ids of tasks of the session that come first. */
  readonly dependsOn: readonly string[];
  /** Agent or person that works on it. */
  readonly owner?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Latest change, in milliseconds since the epoch. */
  readonly updatedAt: number;
  /** Session of the plan. */
  readonly sessionId?: string;
}

/** A task of any kind. */
export type Task = RunningTask | Todo;
