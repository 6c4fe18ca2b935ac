import { createHash } from "node:crypto";
import { isRecord, joinPath } from "../../text/index.ts";
import {
  ToolError,
  type Host,
  type NewEvent,
  type NewTodo,
  type Todo,
  type TodoChange,
} from "../../core/index.ts";
import { changedTodo, checkDependencies, isTodo } from "./todo-rules.ts";

export interface TodoBookOptions {
  readonly host: Host;
  /** Directory of the todo lists. */
  readonly directory: string;
  readonly emit: (event: NewEvent) => void;
  /** Removes from a text what must not be stored. */
  readonly redact: (text: string) => string;
}

/** Format version of a stored list. A list of a newer version is left unchanged. */
const version = 1;
const maxListBytes = 10_000_000;
/** Maximum number of todos of a session; the oldest closed ones make room. */
const maxTodos = 500;
/** Attempts to change a list that other processes change at the same time. */
const maxAttempts = 50;

interface StoredList {
  readonly todos: readonly Todo[];
  /** Content hash of the file; null if there is none. */
  readonly hash: string | null;
}

/** A change of a list: the todo that it makes or changes, and the whole list with it. */
type Change = (todos: readonly Todo[]) => {
  readonly todo: Todo;
  readonly todos: readonly Todo[];
};

/**
 * Todos, one file for each session. Every change reads the file and replaces exactly what it has read, so that several
 * processes can change one list.
 */
export class TodoStore {
  readonly #options: TodoBookOptions;
  /** Latest change of this process, so that the changes of one turn keep their order. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TodoBookOptions) {
    this.#options = options;
  }

  /** Todos of a session, in the order in which they were created. */
  async list(sessionId: string | undefined): Promise<readonly Todo[]> {
    await this.#changing.catch(() => undefined);
    return (await this.#read(this.#file(sessionId))).todos;
  }

  /** Todos of every session. A list that cannot be read is left out. */
  async listAll(): Promise<readonly Todo[]> {
    const { host, directory } = this.#options;
    const found: Todo[] = [];
    try {
      for await (const { name } of host.fs.list(directory)) {
        if (!name.endsWith(".json")) continue;
        const stored = await this.#read(joinPath(directory, name)).catch(() => undefined);
        found.push(...(stored?.todos ?? []));
      }
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
    return found;
  }

  /** Adds a todo. `others` are the ids of the session's other tasks, on which it may depend. */
  async create(
    sessionId: string | undefined,
    given: NewTodo,
    others: ReadonlySet<string>,
  ): Promise<Todo> {
    const { redact } = this.#options;
    const now = this.#options.host.clock.now();
    const { title, description, dependsOn = [], owner } = given;
    const todo: Todo = {
      id: `todo-${crypto.randomUUID().slice(0, 8)}`,
      kind: "todo",
      status: "pending",
      title: redact(title),
      ...(description === undefined ? {} : { description: redact(description) }),
      dependsOn: [...new Set(dependsOn)],
      ...(owner === undefined ? {} : { owner: redact(owner) }),
      createdAt: now,
      updatedAt: now,
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    return await this.#change(sessionId, (todos) => {
      checkDependencies(todo, todos, others);
      return { todo, todos: [...roomIn(todos), todo] };
    });
  }

  /** Changes a todo; `missing` makes the error for an id that the session does not have. */
  async update(
    sessionId: string | undefined,
    id: string,
    request: {
      readonly change: TodoChange;
      readonly others: ReadonlySet<string>;
      readonly missing: (todos: readonly Todo[]) => ToolError;
    },
  ): Promise<Todo> {
    const { redact, host } = this.#options;
    const { change, others, missing } = request;
    const texts = {
      ...(change.title === undefined ? {} : { title: redact(change.title) }),
      ...(change.description === undefined ? {} : { description: redact(change.description) }),
      ...(change.owner === undefined ? {} : { owner: redact(change.owner) }),
    };
    return await this.#change(sessionId, (todos) => {
      const before = todos.find((todo) => todo.id === id);
      if (before === undefined) throw missing(todos);
      const todo = { ...changedTodo(before, { ...change, ...texts }), updatedAt: host.clock.now() };
      checkDependencies(todo, todos, others);
      return { todo, todos: todos.map((each) => (each.id === id ? todo : each)) };
    });
  }

  async #change(sessionId: string | undefined, change: Change): Promise<Todo> {
    const changing = this.#changeAfter(this.#changing, sessionId, change);
    this.#changing = changing;
    const todo = await changing;
    this.#options.emit({ type: "task-change", task: todo, sessionId });
    return todo;
  }

  async #changeAfter(
    before: Promise<unknown>,
    sessionId: string | undefined,
    change: Change,
  ): Promise<Todo> {
    await before.catch(() => undefined);
    const file = this.#file(sessionId);
    for (let attempt = 1; ; attempt += 1) {
      const { todos, hash } = await this.#read(file);
      const changed = change(todos);
      if (await this.#write(file, { sessionId, todos: changed.todos, hash })) return changed.todo;
      if (attempt >= maxAttempts) throw busyList();
    }
  }

  async #read(file: string): Promise<StoredList> {
    const { fs } = this.#options.host;
    try {
      const { bytes, hash } = await fs.readFile(file, { maxBytes: maxListBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!isRecord(value) || value["version"] !== version) throw unreadableList(file);
      const { todos } = value;
      if (!Array.isArray(todos) || !todos.every(isTodo)) throw unreadableList(file);
      return { todos, hash };
    } catch (error) {
      if (ToolError.is(error) && error.code === "NOT_FOUND") return { todos: [], hash: null };
      if (error instanceof SyntaxError) throw unreadableList(file);
      throw error;
    }
  }

  /** Returns false if another process has changed the list since it was read. */
  async #write(
    file: string,
    { sessionId, todos, hash }: StoredList & { readonly sessionId: string | undefined },
  ): Promise<boolean> {
    const { host, directory } = this.#options;
    const text = `${JSON.stringify({ version, sessionId, todos })}\n`;
    await host.fs.mkdir(directory, { mode: 0o700 });
    try {
      const bytes = new TextEncoder().encode(text);
      await host.fs.writeAtomic(file, bytes, { mode: 0o600, ifMatch: hash });
      return true;
    } catch (error) {
      const isConflict =
        ToolError.is(error) && (error.code === "STALE_READ" || error.code === "ALREADY_EXISTS");
      if (isConflict) return false;
      throw error;
    }
  }

  #file(sessionId: string | undefined): string {
    // A session id may contain anything, so it is not used as a file name.
    const name =
      sessionId === undefined
        ? "none"
        : createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
    return joinPath(this.#options.directory, `${name}.json`);
  }
}

/** The list with room for one more. Closed todos on which an open one depends stay. */
function roomIn(todos: readonly Todo[]): readonly Todo[] {
  if (todos.length < maxTodos) return todos;
  const needed = new Set(todos.flatMap((todo) => (isClosed(todo) ? [] : todo.dependsOn)));
  const oldest = todos.find((todo) => isClosed(todo) && !needed.has(todo.id));
  if (oldest !== undefined) return todos.filter((todo) => todo !== oldest);
  throw new ToolError("LIMIT_REACHED", `This session has ${todos.length} open todos.`, {
    hint: "Close those that are done or no longer needed with TaskUpdate.",
  });
}

function isClosed({ status }: Todo): boolean {
  return status === "done" || status === "cancelled";
}

function unreadableList(file: string): ToolError {
  return new ToolError("UNAVAILABLE", `The todo list ${file} cannot be read.`, {
    hint: "It is damaged or was written by a newer haft: update haft, or move the file away.",
    retryable: false,
  });
}

function busyList(): ToolError {
  return new ToolError("UNAVAILABLE", "Other processes keep changing this todo list.", {
    hint: "Make the call again.",
  });
}
