import { z } from "zod";
import { defineTool, jobs, ToolError } from "../../core/index.ts";
import { TaskId, taskIdAliases } from "../files/task-id.ts";
import { taskState } from "../files/task-state.ts";

const Input = z.strictObject({ task_id: TaskId });

export const taskStop = defineTool({
  name: "TaskStop",
  displayName: "Stop task",
  description:
    "End a command or agent of this session with everything it started. Its output stays readable with TaskOutput.",
  category: "shell",
  searchHint: "kill stop end terminate background task shell process",
  aliases: ["KillShell", "KillBash"],
  input: Input,
  inputAliases: { task_id: taskIdAliases },
  touches: ["execute"],
  needs: [jobs],
  // TERM, 5 s, KILL, 2 s.
  timeoutMs: 20_000,
  /** Signal that it sends: only to processes that this session started, so it has no further consequences. */
  async effects({ task_id: id }, context) {
    const task = await context.service(jobs).get(id).catch(missing);
    // An agent is ended by its own toolkit, which then does less than before.
    if (task?.kind !== "command" || task.status !== "running") return [];
    return [
      {
        kind: "execute",
        argv: ["kill", "-TERM", "--", `-${task.pid}`],
        assigns: [],
        via: [],
        consequences: "listed",
        span: { start: 0, end: 0 },
      },
    ];
  },
  signature: ({ task_id: id }) => `TaskStop ${id}`,

  async run({ task_id: id }, context) {
    const service = context.service(jobs);
    const before = await service.get(id);
    if (before.status !== "running") {
      return { content: `${id} had already ended: ${taskState(before)}.`, title: `Stop ${id}` };
    }
    const task = await service.stop(id, { runId: context.runId, agentId: context.agentId });
    if (task.status === "running") {
      throw new ToolError("TOOL_FAILED", `${id} did not end, not even when it was killed.`, {
        hint: "Look with TaskList again later.",
        data: { taskId: id, ...(task.kind === "command" ? { pid: task.pid } : {}) },
      });
    }
    return {
      content: `${id} ${taskState(task)}.`,
      title: `Stop ${id}`,
      summary: taskState(task),
      metadata: { task: { ...task } },
    };
  },

  async preview({ task_id: id }, context) {
    const task = await context.service(jobs).get(id);
    const process = task.kind === "command" ? `process ${task.pid}, ` : "";
    return {
      summary:
        task.status === "running"
          ? `Would end ${id} (${process}with everything it started): ${task.title}`
          : `Would do nothing: ${id} is over, ${taskState(task)}.`,
      changes: [],
    };
  },
});

/** Ignored here: `run` then reports which tasks exist. */
function missing(error: unknown): undefined {
  if (ToolError.is(error)) return undefined;
  throw error;
}
