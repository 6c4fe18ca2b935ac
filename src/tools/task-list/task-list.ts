import { z } from "zod";
import {
  defineTool,
  taskList as listOfTasks,
  type Task,
  type ToolContext,
} from "../../core/index.ts";
import { byteSize, counted } from "../files/paths/display-path.ts";
import { displayWidth, fitted, padded } from "../files/display-width.ts";
import { taskState } from "../files/task-state.ts";

/** Maximum columns of a title in the list; the full text is in the metadata. */
const titleColumns = 60;
/** Maximum number of tasks shown; the rest are counted. */
const maxShown = 50;

const Input = z.strictObject({});

export const taskList = defineTool({
  name: "TaskList",
  displayName: "List tasks",
  description:
    "List the tasks of this session, open ones first: commands and agents in the background, and steps of your plan.",
  category: "planning",
  searchHint: "background tasks jobs processes agents todos plan running list status",
  aliases: ["ListTasks", "BashList", "TodoList"],
  input: Input,
  // It reads only the list itself and whether its processes still run.
  touches: [],
  needs: [listOfTasks],
  signature: () => "TaskList",

  run: async (_input, context) => await listed(context),

  async preview(_input, context) {
    const { content } = await listed(context);
    return {
      summary: "Would change nothing; this is what it answers.",
      content,
      changes: [],
      basis: "run",
    };
  },
});

async function listed(context: ToolContext) {
  const all = await context.service(listOfTasks).list();
  const open = all.filter(isOpen);
  const others = all.filter((task) => !isOpen(task));
  const shown = [...open, ...others].slice(0, maxShown);
  const now = context.host.clock.now();
  const rows = shown.map((task) => rowOf(task, now));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const lines = rows.map((row) =>
    row.map((cell, at) => (at < 4 ? padded(cell, widths[at] ?? 0) : cell)).join("  "),
  );
  if (all.length > shown.length) lines.push(`(${all.length - shown.length} more)`);
  const running = open.filter(({ status }) => status === "running").length;
  const todos = open.length - running;
  return {
    content: lines.length === 0 ? "No tasks." : lines.join("\n"),
    title: "List tasks",
    summary: [
      ...(running > 0 || todos === 0 ? [`${counted(running, "task")} running`] : []),
      ...(todos > 0 ? [`${counted(todos, "todo")} open`] : []),
    ].join(", "),
    metadata: { tasks: all.map((task) => ({ ...task })) },
  };
}

/** Whether there is something left to do or to wait for. */
function isOpen({ status }: Task): boolean {
  return status === "running" || status === "in_progress" || status === "pending";
}

function rowOf(task: Task, now: number): readonly string[] {
  const title = fitted(task.title.replaceAll(/\s+/gu, " "), titleColumns);
  if (task.kind === "todo") {
    const after = task.dependsOn.length === 0 ? "" : ` (after ${task.dependsOn.join(", ")})`;
    const owner = task.owner === undefined ? "" : ` @${task.owner}`;
    return [task.id, taskState(task), age(now - task.createdAt), "", `${title}${after}${owner}`];
  }
  const lasted = age((task.endedAt ?? now) - task.startedAt);
  return [task.id, taskState(task), lasted, byteSize(task.printedBytes), title];
}

function age(milliseconds: number): string {
  return `${Math.max(0, Math.round(milliseconds / 1000))} s`;
}
