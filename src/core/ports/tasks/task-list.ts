import { serviceToken } from "../service-token.ts";
import type { TaskReader } from "./jobs.ts";
import type { AgentTask, Task, Todo, TodoStatus } from "./task-kinds.ts";

/** A todo as it is created. */
export interface NewTodo {
  /** Work to be done, in a few words. */
  readonly title: string;
  /** Details. */
  readonly description?: string | undefined;
  /** Ids of tasks of the session that come first. */
  readonly dependsOn?: readonly string[] | undefined;
  /** Agent or person that works on it. */
  readonly owner?: string | undefined;
}

/** Changes to a todo; what is left out stays. */
export interface TodoChange extends Omit<NewTodo, "title"> {
  /** Next status. */
  readonly status?: TodoStatus | undefined;
  /** New title. */
  readonly title?: string | undefined;
}

/** The task list of one session: its commands, agents, delegations and todos. An id of another session is NOT_FOUND. */
export interface TaskList {
  /** Newest first; todos in the order in which they were created, after the others. */
  list(): Promise<readonly Task[]>;
  /** Returns a task. Rejects with NOT_FOUND. */
  get(id: string): Promise<Task>;
  /** Adds a todo. Rejects with NOT_FOUND for an unknown id in `dependsOn`. */
  create(todo: NewTodo): Promise<Todo>;
  /** Changes a todo. Rejects with INVALID_INPUT for an illegal transition or a cycle; nothing is changed then. */
  update(id: string, change: TodoChange): Promise<Todo>;
}

/** Token of the task list of a session. */
export const taskList = serviceToken<TaskList>("taskList");

/**
 * Provided where sessions are stored. Tools for todos are offered only there: a plan that nobody continues is not worth
 * its definitions. They work everywhere.
 */
export const planning = serviceToken<true>("planning");

/** Facts about an agent that change while it works. */
export type AgentProgress = Pick<
  AgentTask,
  "activeAt" | "activity" | "calls" | "tokens" | "costUsd"
>;

/** How an agent ended. */
export interface AgentEnd extends AgentProgress {
  /** How it ended. */
  readonly status: "done" | "failed" | "stopped";
  /** Why it failed or was stopped, in a sentence. */
  readonly reason?: string;
}

/** An agent that was started, as its layer gives it to the task list. */
export interface StartedAgent extends Pick<
  AgentTask,
  "id" | "kind" | "title" | "startedAt" | "trust" | "callId" | "runId" | "sessionId" | "agentId"
> {
  /** Returns its state at this moment. */
  progress(): AgentProgress;
  /** Returns what it has said so far; at the end, its answer or the work done until it failed. */
  text(): string;
  /** Resolves when it has ended; never rejects. */
  readonly ended: Promise<AgentEnd>;
  /** Ends it; resolves when it has ended. */
  stop(): Promise<void>;
  /** Called when a model has seen its end. */
  readonly onEndShown?: ((reader: TaskReader) => void) | undefined;
}

/** Takes agents into the task list of their session. The same for every session of a kit. */
export interface AgentTasks {
  /** Lists the agent from now on, also for other processes, and emits `task-start` and `task-end`. */
  add(agent: StartedAgent): void;
}

/** Token of the service that takes agents into the task list. */
export const agentTasks = serviceToken<AgentTasks>("agentTasks");
