import { z } from "zod";
import { defineTool, planning, taskList } from "../../core/index.ts";
import {
  todoAliases,
  todoDependencies,
  todoDescription,
  todoOwner,
  todoTitle,
} from "../files/todo-fields.ts";

const Input = z.strictObject({
  title: todoTitle,
  description: todoDescription.optional(),
  depends_on: todoDependencies.optional(),
  owner: todoOwner.optional(),
});

export const taskCreate = defineTool({
  name: "TaskCreate",
  displayName: "Create task",
  description: "Add a step of your plan to this session's tasks.",
  category: "planning",
  searchHint: "todo plan step task list create add track progress",
  aliases: ["TodoCreate"],
  input: Input,
  inputAliases: todoAliases,
  freeText: ["title", "description"],
  // It changes only the session's own list.
  touches: [],
  flags: { readOnly: false, idempotent: false },
  needs: [planning],
  signature: ({ title }) => `TaskCreate ${title}`,

  async run({ title, description, depends_on: dependsOn, owner }, context) {
    const todo = await context.service(taskList).create({ title, description, dependsOn, owner });
    return {
      content: `Created ${todo.id}: ${todo.title}`,
      title: `Create task: ${todo.title}`,
      summary: todo.id,
      metadata: { task: { ...todo } },
    };
  },

  async preview({ title }) {
    return { summary: `Would add to the task list: ${title}`, changes: [] };
  },
});
