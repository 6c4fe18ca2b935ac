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
import { taskNotFound } from "../task-not-found.ts";
import { changedTodo, checkDependencies, isTodo } from "./todo-rules.ts";

export interface TodoStoreOptions {
  readonly host: Host;
  /** Directory of the todo lists. */
  readonly directory: string;
  /** Workspace of the sessions: those of another one may have the same ids. Undefined: their lists are shared. */
  readonly workspace?: string | undefined;
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
  /** Workspace of the session, where it has one. */
  readonly workspace?: string | undefined;
  /** Content hash of the file; null if there is none. */
  readonly hash: string | null;
}

/** File of a list, and the session that it belongs to. */
interface ListPlace {
  readonly file: string;
  readonly sessionId: string | undefined;
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
  readonly #options: TodoStoreOptions;
  /** Latest change of this process, so that the changes of one turn keep their order. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TodoStoreOptions) {
    this.#options = options;
  }

  /** Todos of a session, in the order in which they were created. */
  async list(sessionId: string | undefined): Promise<readonly Todo[]> {
    await this.#changing.catch(() => undefined);
    return (await this.#read(this.#placeOf(sessionId).file)).todos;
  }

  /** Todos of every session of this workspace. A list that cannot be read is left out. */
  async listAll(): Promise<readonly Todo[]> {
    return [...(await this.#byId()).values()].map(({ todo }) => todo);
  }

  /** Cancels a todo of any session; undefined if there is none with this id. */
  async cancel(id: string): Promise<Todo | undefined> {
    const place = (await this.#byId()).get(id)?.place;
    return place && (await this.#change(place, this.#changed(id, { status: "cancelled" })));
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
    return await this.#change(this.#placeOf(sessionId), (todos) => {
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
    const { change, others, missing } = request;
    return await this.#change(this.#placeOf(sessionId), (todos) => {
      if (!todos.some((todo) => todo.id === id)) throw missing(todos);
      const changed = this.#changed(id, change)(todos);
      checkDependencies(changed.todo, todos, others);
      return changed;
    });
  }

  /** The change of the todo with this id, which must be in the list. */
  #changed(id: string, change: TodoChange): Change {
    const { redact, host } = this.#options;
    const texts = {
      ...(change.title === undefined ? {} : { title: redact(change.title) }),
      ...(change.description === undefined ? {} : { description: redact(change.description) }),
      ...(change.owner === undefined ? {} : { owner: redact(change.owner) }),
    };
    return (todos) => {
      const before = todos.find((todo) => todo.id === id);
      if (before === undefined) {
        throw taskNotFound(
          id,
          todos.map((todo) => todo.id),
          "everybody",
        );
      }
      const todo = { ...changedTodo(before, { ...change, ...texts }), updatedAt: host.clock.now() };
      return { todo, todos: todos.map((each) => (each.id === id ? todo : each)) };
    };
  }

  async #change(place: ListPlace, change: Change): Promise<Todo> {
    const changing = this.#changeAfter(this.#changing, place, change);
    this.#changing = changing;
    const todo = await changing;
    this.#options.emit({ type: "task-change", task: todo, sessionId: place.sessionId });
    return todo;
  }

  async #changeAfter(before: Promise<unknown>, place: ListPlace, change: Change): Promise<Todo> {
    await before.catch(() => undefined);
    for (let attempt = 1; ; attempt += 1) {
      const { todos, hash } = await this.#read(place.file);
      const changed = change(todos);
      if (await this.#write(place, { todos: changed.todos, hash })) return changed.todo;
      if (attempt >= maxAttempts) throw busyList();
    }
  }

  /** By id: the todos of every list of this workspace. */
  async #byId(): Promise<ReadonlyMap<string, { readonly todo: Todo; readonly place: ListPlace }>> {
    await this.#changing.catch(() => undefined);
    const { host, directory, workspace } = this.#options;
    const found = new Map<string, { readonly todo: Todo; readonly place: ListPlace }>();
    try {
      for await (const { name } of host.fs.list(directory)) {
        if (!name.endsWith(".json")) continue;
        const file = joinPath(directory, name);
        const stored = await this.#read(file).catch(() => undefined);
        const isOther = ![undefined, workspace].includes(stored?.workspace);
        if (stored === undefined || (workspace !== undefined && isOther)) continue;
        for (const todo of stored.todos) {
          found.set(todo.id, { todo, place: { file, sessionId: todo.sessionId } });
        }
      }
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
    return found;
  }

  async #read(file: string): Promise<StoredList> {
    const { fs } = this.#options.host;
    try {
      const { bytes, hash } = await fs.readFile(file, { maxBytes: maxListBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!isRecord(value) || value["version"] !== version) throw unreadableList(file);
      const { todos, workspace } = value;
      if (!Array.isArray(todos) || !todos.every(isTodo)) throw unreadableList(file);
      return { todos, hash, workspace: typeof workspace === "string" ? workspace : undefined };
    } catch (error) {
      if (ToolError.is(error) && error.code === "NOT_FOUND") return { todos: [], hash: null };
      if (error instanceof SyntaxError) throw unreadableList(file);
      throw error;
    }
  }

  /** Returns false if another process has changed the list since it was read. */
  async #write({ file, sessionId }: ListPlace, { todos, hash }: StoredList): Promise<boolean> {
    const { host, directory, workspace } = this.#options;
    const text = `${JSON.stringify({ version, workspace, sessionId, todos })}\n`;
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

  #placeOf(sessionId: string | undefined): ListPlace {
    const { workspace, directory } = this.#options;
    const owner = JSON.stringify([workspace ?? null, sessionId ?? null]);
    return { file: joinPath(directory, `${hashOf(owner)}.json`), sessionId };
  }
}

/** An id may contain anything, so it is not used as a file name. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
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
