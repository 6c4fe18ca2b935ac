import {
  ToolError,
  todoSteps,
  type Todo,
  type TodoChange,
  type TodoStatus,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** The todo with a change applied. Throws INVALID_INPUT for a transition that is not legal. */
export function changedTodo(
  todo: Todo,
  { status, title, description, dependsOn, owner }: TodoChange,
): Todo {
  if (status !== undefined && !todoSteps[todo.status].includes(status)) {
    throw illegalStep(todo, status);
  }
  return {
    ...todo,
    ...(status === undefined ? {} : { status }),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(dependsOn === undefined ? {} : { dependsOn: [...new Set(dependsOn)] }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function illegalStep({ id, status: from }: Todo, to: TodoStatus): ToolError {
  const next = todoSteps[from];
  const isSame = from === to;
  return new ToolError(
    "INVALID_INPUT",
    isSame ? `${id} is ${from} already.` : `${id} is ${from} and cannot become ${to}.`,
    { hint: nextStep(from, to), data: { taskId: id, status: from, next } },
  );
}

/** Names the step that comes next: on the way to the wanted status, if there is one. */
function nextStep(from: TodoStatus, to: TodoStatus): string {
  const next = todoSteps[from];
  if (next.length === 0) return "It is closed: create another task with TaskCreate instead.";
  const onTheWay = next.find((step) => todoSteps[step].includes(to));
  if (from !== to && onTheWay !== undefined) return `Set it to ${onTheWay} first.`;
  return `The next status is ${next.join(" or ")}.`;
}

/**
 * Refuses dependencies that do not exist or lead back to the todo. `todos` is the session's list; `others` has the ids
 * of its commands and agents.
 */
export function checkDependencies(
  todo: Todo,
  todos: readonly Todo[],
  others: ReadonlySet<string>,
): void {
  const known = new Map(todos.map((each) => [each.id, each]));
  known.set(todo.id, todo);
  for (const id of todo.dependsOn) {
    if (id === todo.id) {
      throw new ToolError("INVALID_INPUT", `${id} cannot depend on itself.`, {
        hint: "Leave its own id out of depends_on.",
        data: { taskId: id },
      });
    }
    if (known.has(id) || others.has(id)) continue;
    throw new ToolError(
      "NOT_FOUND",
      `depends_on names ${id}, which is not a task of this session.`,
      {
        hint: "TaskList shows the ids; create the task it depends on first.",
        data: { taskId: id },
      },
    );
  }
  const cycle = cycleFrom(todo, known);
  if (cycle === undefined) return;
  throw new ToolError(
    "INVALID_INPUT",
    `These tasks would wait for each other: ${cycle.join(" → ")}.`,
    {
      hint: "Leave one of these dependencies out.",
      data: { cycle },
    },
  );
}

/** Ids on a way from the todo back to itself; undefined if there is none. */
function cycleFrom(todo: Todo, known: ReadonlyMap<string, Todo>): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[todo.id]];
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    for (const id of known.get(way.at(-1) ?? "")?.dependsOn ?? []) {
      if (id === todo.id) return [...way, id];
      if (seen.has(id)) continue;
      seen.add(id);
      ways.push([...way, id]);
    }
  }
  return undefined;
}

/** Whether a stored value is a todo, as far as a damaged or edited file may get it wrong. */
export function isTodo(value: unknown): value is Todo {
  if (!isRecord(value)) return false;
  const { id, kind, status, title, dependsOn, createdAt } = value;
  return (
    typeof id === "string" &&
    kind === "todo" &&
    typeof status === "string" &&
    Object.hasOwn(todoSteps, status) &&
    typeof title === "string" &&
    Array.isArray(dependsOn) &&
    dependsOn.every((each) => typeof each === "string") &&
    typeof createdAt === "number"
  );
}
