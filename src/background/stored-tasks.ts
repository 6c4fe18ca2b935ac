import {
  ToolError,
  type AgentTasks,
  type Jobs,
  type RunningTask,
  type StartedAgent,
  type Task,
  type TaskList,
  type TaskRead,
  type TaskReading,
  type Todo,
} from "../core/index.ts";
import { joinPath } from "../text/index.ts";
import type { AgentBook } from "./agents/agent-book.ts";
import { keptJobs, type CommandJobs, type KeepJobsOptions, type KeptJobs } from "./jobs.ts";
import { taskNotFound, type Whose } from "./task-not-found.ts";
import type { TodoStore } from "./todos/todo-store.ts";

export interface KeepTasksOptions extends KeepJobsOptions {
  /** Whether commands may run in the background at all. */
  readonly hasCommands: boolean;
}

/** The task list of each session of a kit: commands, agents, delegations and todos. */
export interface StoredTasks {
  /** Commands and agents of a session; undefined if commands may not run in the background. */
  jobsOf(sessionId: string | undefined): Jobs | undefined;
  listOf(sessionId: string | undefined): TaskList;
  readonly agents: AgentTasks;
  /** Forgets the session's view of its tasks; the tasks themselves continue. */
  end(sessionId: string | undefined): void;
  /** Tasks of every session of this workspace, also those of other processes with this data directory. */
  list(): Promise<readonly Task[]>;
  /** Reads the output of a command or the text of an agent. The session's own read position does not change. */
  read(id: string, read: TaskRead): Promise<TaskReading>;
  /** Ends a command or an agent; cancels a todo. */
  stop(id: string): Promise<Task>;
  /** Ends all commands and agents of this process; none outlives this call. */
  close(): Promise<void>;
}

/** Books of one data directory. */
interface Books {
  readonly commands: KeptJobs | undefined;
  /** Agents of this process and of others. */
  readonly agents: () => Promise<AgentBook>;
  readonly todos: () => Promise<TodoStore>;
}

/** Creates the task lists of one data directory. Nothing is loaded, read or created before a task is needed. */
export function storedTasks(options: KeepTasksOptions): StoredTasks {
  let openingAgents: Promise<AgentBook> | undefined;
  let openingTodos: Promise<TodoStore> | undefined;
  const { host, directory, workspace, emit, redact } = options;
  const shared = { host, workspace, emit };
  const books: Books = {
    commands: options.hasCommands ? keptJobs(options) : undefined,
    agents: async () => {
      openingAgents ??= Promise.all([import("./agents/agent-book.ts"), redact()]).then(
        ([{ AgentBook: Book }, hide]) =>
          new Book({ ...shared, directory: joinPath(directory, "agents"), redact: hide }),
      );
      return await openingAgents;
    },
    todos: async () => {
      openingTodos ??= Promise.all([import("./todos/todo-store.ts"), redact()]).then(
        ([{ TodoStore: Book }, hide]) =>
          new Book({ ...shared, directory: joinPath(directory, "todos"), redact: hide }),
      );
      return await openingTodos;
    },
  };
  let adding: Promise<unknown> = Promise.resolve();
  return {
    jobsOf: (sessionId) => {
      const commands = books.commands?.of(sessionId);
      return commands === undefined ? undefined : sessionJobs({ sessionId }, commands, books);
    },
    listOf: (sessionId) => sessionList(sessionId, books),
    agents: {
      add(agent: StartedAgent) {
        adding = books.agents().then((book) => book.add(agent));
      },
    },
    end: (sessionId) => books.commands?.end(sessionId),
    async list() {
      const todos = await (await books.todos()).listAll();
      return [...(await runningTasks("everybody", books)), ...todos];
    },
    async read(id, read) {
      const agents = await books.agents();
      const reading = await agents.read("everybody", id, read);
      if (reading !== undefined) return reading;
      const { commands } = books;
      if (commands === undefined) throw await unknownTask("everybody", id, books);
      return await orUnknown(commands.read(id, read), { whose: "everybody", id, books });
    },
    async stop(id) {
      const agent = await (await books.agents()).stop("everybody", id);
      if (agent !== undefined) return agent;
      const todo = await (await books.todos()).cancel(id);
      if (todo !== undefined) return todo;
      const { commands } = books;
      if (commands === undefined) throw await unknownTask("everybody", id, books);
      return await orUnknown(commands.stop(id), { whose: "everybody", id, books });
    },
    async close() {
      await adding;
      await Promise.all([
        books.commands?.close(),
        openingAgents?.then(async (book) => await book.close()),
      ]);
    },
  };
}

/** Commands and agents of a session: an id names one of both. */
function sessionJobs(whose: SessionOnly, commands: CommandJobs, books: Books): Jobs {
  const ofCommand = async <T>(id: string, working: Promise<T>): Promise<T> =>
    await orUnknown(working, { whose, id, books });
  return {
    mayPromote: commands.mayPromote,
    prepare: (argv) => commands.prepare(argv),
    adopt: async (left) => await commands.adopt(left),
    isWaiting: async (id) => {
      const agent = await (await books.agents()).get(whose, id);
      return agent === undefined && (await ofCommand(id, commands.isWaiting(id)));
    },
    write: async (id, bytes) => await ofCommand(id, commands.write(id, bytes)),
    list: async () => await runningTasks(whose, books),
    get: async (id) =>
      (await (await books.agents()).get(whose, id)) ?? (await ofCommand(id, commands.get(id))),
    async wait(id, waiting) {
      const agents = await books.agents();
      await agents.wait(whose, id, waiting);
      return (await agents.get(whose, id)) ?? (await ofCommand(id, commands.wait(id, waiting)));
    },
    async read(id, read) {
      const reading = await (await books.agents()).read(whose, id, read);
      return reading ?? (await ofCommand(id, commands.read(id, read)));
    },
    async stop(id, reader) {
      const agent = await (await books.agents()).stop(whose, id, reader);
      return agent ?? (await ofCommand(id, commands.stop(id)));
    },
  };
}

function sessionList(sessionId: string | undefined, books: Books): TaskList {
  const whose = { sessionId };
  const others = async (): Promise<ReadonlySet<string>> =>
    new Set((await runningTasks(whose, books)).map(({ id }) => id));
  return {
    list: async () => [
      ...(await runningTasks(whose, books)),
      ...(await (await books.todos()).list(sessionId)),
    ],
    async get(id) {
      const tasks = await this.list();
      const task = tasks.find((each) => each.id === id);
      if (task === undefined) throw unknownIn(tasks, id, whose);
      return task;
    },
    create: async (todo) => await (await books.todos()).create(sessionId, todo, await others()),
    async update(id, change) {
      const running = await runningTasks(whose, books);
      const missing = (todos: readonly Todo[]): ToolError =>
        running.some((each) => each.id === id)
          ? noTodo(id)
          : unknownIn([...running, ...todos], id, whose);
      const known = new Set(running.map((each) => each.id));
      return await (await books.todos()).update(sessionId, id, { change, others: known, missing });
    },
  };
}

type SessionOnly = Exclude<Whose, "everybody">;

/** Commands and agents, the newest first. */
async function runningTasks(whose: Whose, books: Books): Promise<readonly RunningTask[]> {
  const { commands } = books;
  const [agents, started] = await Promise.all([
    books.agents().then(async (book) => await book.list(whose)),
    whose === "everybody" ? commands?.list() : commands?.of(whose.sessionId).list(),
  ]);
  return [...agents, ...(started ?? [])].toSorted((one, other) => other.startedAt - one.startedAt);
}

interface Wanted {
  readonly whose: Whose;
  readonly id: string;
  readonly books: Books;
}

/** Replaces the error for an unknown command by one that knows every kind of task. */
async function orUnknown<T>(working: Promise<T>, { whose, id, books }: Wanted): Promise<T> {
  try {
    return await working;
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
    throw await unknownTask(whose, id, books);
  }
}

async function unknownTask(whose: Whose, id: string, books: Books): Promise<ToolError> {
  const book = await books.todos();
  const todos = whose === "everybody" ? await book.listAll() : await book.list(whose.sessionId);
  if (todos.some((todo) => todo.id === id)) {
    return new ToolError(
      "INVALID_INPUT",
      `${id} is a todo, so it prints nothing and takes nothing.`,
      {
        hint: "TaskGet shows it, TaskUpdate changes it.",
        data: { taskId: id },
      },
    );
  }
  return unknownIn(await runningTasks(whose, books), id, whose);
}

function unknownIn(tasks: readonly Task[], id: string, whose: Whose): ToolError {
  return taskNotFound(
    id,
    tasks.map((task) => task.id),
    whose,
  );
}

function noTodo(id: string): ToolError {
  return new ToolError("INVALID_INPUT", `${id} runs by itself: its status is not set by hand.`, {
    hint: "TaskStop ends it.",
    data: { taskId: id },
  });
}
