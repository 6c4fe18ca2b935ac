import { z } from "zod";
import { defineTool, planning, taskList, ToolError, type ToolContext } from "../../core/index.ts";
import { TaskId, todoIdAliases } from "../files/task-id.ts";
import {
  openDependencies,
  todoAliases,
  todoDependencies,
  todoDescription,
  todoOwner,
  todoTitle,
} from "../files/todo-fields.ts";

const Input = z.strictObject({
  id: TaskId,
  status: z
    .enum(["pending", "in_progress", "done", "failed", "cancelled"])
    .optional()
    .describe("New status."),
  title: todoTitle.optional(),
  description: todoDescription.optional(),
  depends_on: todoDependencies.optional(),
  owner: todoOwner.optional(),
});

export const taskUpdate = defineTool({
  name: "TaskUpdate",
  displayName: "Update task",
  description:
    "Change a task made by TaskCreate. Set in_progress before you work on it, then done or failed.",
  category: "planning",
  searchHint: "todo plan step task status done progress change",
  aliases: ["TodoUpdate"],
  input: Input,
  inputAliases: { ...todoAliases, id: todoIdAliases },
  freeText: ["title", "description"],
  touches: [],
  flags: { readOnly: false, idempotent: false },
  needs: [planning],
  signature: ({ id, status }) => `TaskUpdate ${id}${status === undefined ? "" : ` ${status}`}`,

  async run(input, context) {
    const { id, status, title, description, depends_on: dependsOn, owner } = input;
    requireChange(input);
    const change = { status, title, description, dependsOn, owner };
    const todo = await context.service(taskList).update(id, change);
    const note = status === "in_progress" ? await openNote(id, context) : undefined;
    const says = `${todo.id} is ${todo.status}: ${todo.title}`;
    return {
      content: note === undefined ? says : `${says}\n(${note})`,
      title: `Update ${todo.id}`,
      summary: todo.status,
      metadata: { task: { ...todo } },
    };
  },

  async preview(input, context) {
    requireChange(input);
    const { id, ...change } = input;
    const { title } = await context.service(taskList).get(id);
    return {
      summary: `Would set ${Object.keys(change).join(", ")} of ${id}: ${title}`,
      changes: [],
    };
  },
});

function requireChange({ id, ...change }: z.infer<typeof Input>): void {
  if (Object.values(change).some((value) => value !== undefined)) return;
  throw new ToolError("INVALID_INPUT", `The call changes nothing of ${id}.`, {
    hint: "Give a status, title, description, depends_on or owner.",
  });
}

async function openNote(id: string, context: ToolContext): Promise<string | undefined> {
  const tasks = await context.service(taskList).list();
  const todo = tasks.find((task) => task.id === id);
  if (todo?.kind !== "todo") return undefined;
  return openDependencies(todo, new Map(tasks.map((task) => [task.id, task])));
}
