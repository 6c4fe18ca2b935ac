import { z } from "zod";
import { defineTool, planning, taskList, type Task, type ToolContext } from "../../core/index.ts";
import { TaskId, todoIdAliases } from "../files/task-id.ts";
import { taskState } from "../files/task-state.ts";
import { openDependencies } from "../files/todo-fields.ts";

const Input = z.strictObject({ id: TaskId });

export const taskGet = defineTool({
  name: "TaskGet",
  displayName: "Show task",
  description: "Show one task of this session with its details.",
  category: "planning",
  searchHint: "todo task details status show",
  input: Input,
  inputAliases: { id: todoIdAliases },
  touches: [],
  needs: [planning],
  signature: ({ id }) => `TaskGet ${id}`,

  run: async ({ id }, context) => await shown(id, context),

  async preview({ id }, context) {
    const { content } = await shown(id, context);
    return { summary: "Would change nothing.", content, changes: [], basis: "run" };
  },
});

async function shown(id: string, context: ToolContext) {
  const list = context.service(taskList);
  const task = await list.get(id);
  const lines = [`${task.id} (${task.kind}): ${task.title}`, `Status: ${taskState(task)}`];
  lines.push(...detailsOf(task));
  if (task.kind === "todo") {
    const byId = new Map((await list.list()).map((each) => [each.id, each]));
    const open = openDependencies(task, byId);
    if (open !== undefined) lines.push(open);
  } else lines.push("TaskOutput shows what it printed.");
  return {
    content: lines.join("\n"),
    title: `Show ${id}`,
    summary: taskState(task),
    metadata: { task: { ...task } },
    ...(task.kind === "todo" ? {} : { trust: task.trust }),
  };
}

function detailsOf(task: Task): readonly string[] {
  if (task.kind === "command") return [`Directory: ${task.cwd}`, `Process: ${task.pid}`];
  if (task.kind === "todo") {
    const { owner, dependsOn, description } = task;
    return [
      ...(owner === undefined ? [] : [`Owner: ${owner}`]),
      ...(dependsOn.length === 0 ? [] : [`Depends on: ${dependsOn.join(", ")}`]),
      ...(description === undefined ? [] : [description]),
    ];
  }
  const { activity, calls, tokens, costUsd } = task;
  const facts = [
    ...(calls === undefined ? [] : [`${calls} calls`]),
    ...(tokens === undefined ? [] : [`${tokens} tokens`]),
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(4)}`]),
  ];
  return [
    ...(activity === undefined ? [] : [`Does now: ${activity}`]),
    ...(facts.length === 0 ? [] : [`Used: ${facts.join(", ")}`]),
  ];
}
