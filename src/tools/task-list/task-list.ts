import { z } from "zod";
import { defineTool, jobs, type Task, type ToolContext } from "../../core/index.ts";
import { byteSize, counted } from "../files/paths/display-path.ts";
import { displayWidth, fitted, padded } from "../files/display-width.ts";
import { taskState } from "../files/task-state.ts";

/** Maximum columns of a command in the list; the full text is in the metadata. */
const titleColumns = 60;
/** Maximum number of tasks shown; the rest are counted. */
const maxShown = 50;

const Input = z.strictObject({});

export const taskList = defineTool({
  name: "TaskList",
  displayName: "List tasks",
  description:
    "List the tasks of this session that run in the background, and those that are over: id, state, age, output, command.",
  category: "shell",
  searchHint: "background tasks jobs processes running list status",
  aliases: ["ListTasks", "BashList"],
  input: Input,
  // It reads only the list itself and whether its processes still run.
  touches: [],
  needs: [jobs],
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
  const all = await context.service(jobs).list();
  const running = all.filter(({ status }) => status === "running");
  const others = all.filter(({ status }) => status !== "running");
  const shown = [...running, ...others].slice(0, maxShown);
  const now = context.host.clock.now();
  const rows = shown.map((task) => rowOf(task, now));
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(0, ...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const lines = rows.map((row) =>
    row.map((cell, at) => (at < 4 ? padded(cell, widths[at] ?? 0) : cell)).join("  "),
  );
  if (all.length > shown.length) lines.push(`(${all.length - shown.length} more)`);
  return {
    content: lines.length === 0 ? "No tasks." : lines.join("\n"),
    title: "List tasks",
    summary: `${counted(running.length, "task")} running`,
    metadata: { tasks: all.map((task) => ({ ...task })) },
  };
}

function rowOf(task: Task, now: number): readonly string[] {
  const age = `${Math.max(0, Math.round(((task.endedAt ?? now) - task.startedAt) / 1000))} s`;
  const title = fitted(task.title.replaceAll(/\s+/gu, " "), titleColumns);
  return [task.id, taskState(task), age, byteSize(task.printedBytes), title];
}
