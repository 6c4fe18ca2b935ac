import { z } from "zod";
import {
  defineTool,
  jobs,
  limits,
  ToolError,
  type RunningTask,
  type TaskReading,
} from "../../core/index.ts";
import { byteSize, grouped } from "../files/paths/display-path.ts";
import { TaskId, taskIdAliases } from "../files/task-id.ts";
import { hasFailed, taskState } from "../files/task-state.ts";

const defaultWaitMs = 30_000;
const maxWaitMs = 600_000;
const marginMs = 30_000;
const defaultShownChars = 30_000;
/** Characters reserved for the notes and the line about omitted text. */
const noteChars = 1500;

const Input = z.strictObject({
  task_id: TaskId,
  offset: z.int().min(0).optional().describe("Byte to start at, from 1. Default: what is new."),
  block: z.boolean().optional().describe("Wait until the task ends, waits for input, or timeout."),
  timeout: z
    .int()
    .min(0)
    .max(maxWaitMs)
    .optional()
    .describe(`Milliseconds. Default ${defaultWaitMs}.`),
});

export const taskOutput = defineTool({
  name: "TaskOutput",
  displayName: "Task output",
  description: [
    "Show what a background command or agent has printed since the last call, and whether it still runs.",
    "Set block to wait for its end instead of asking again.",
    "A task that waits for input is marked; use TaskInput.",
  ].join(" "),
  category: "shell",
  searchHint: "background task shell output read log wait poll",
  aliases: ["BashOutput", "AgentOutputTool"],
  input: Input,
  inputAliases: {
    task_id: taskIdAliases,
    block: ["wait"],
    timeout: ["timeout_ms", "wait_up_to", "timeoutMs"],
  },
  touches: ["read"],
  needs: [jobs],
  timeoutMs: maxWaitMs + marginMs,
  maxChars: defaultShownChars,
  async effects({ task_id: id }, context) {
    try {
      const outputFile = fileOf(await context.service(jobs).get(id));
      if (outputFile === undefined) return [];
      return [{ kind: "read", path: outputFile, scope: "file" }];
    } catch (error) {
      // Ignored here: `run` then reports which tasks exist.
      if (ToolError.is(error) && ignored.has(error.code)) return [];
      throw error;
    }
  },
  signature: ({ task_id: id, offset }) =>
    `TaskOutput ${id}${offset === undefined ? "" : ` from ${offset}`}`,

  async run({ task_id: id, offset, block, timeout }, context) {
    const service = context.service(jobs);
    const { signal, runId, agentId } = context;
    if (block === true) await service.wait(id, { ms: timeout ?? defaultWaitMs, signal });
    const shownChars = context.service(limits).shownChars["TaskOutput"] ?? defaultShownChars;
    const maxBytes = Math.max(1, shownChars - noteChars);
    const failed = hasFailed(await service.get(id));
    const reading = await service.read(id, {
      maxBytes,
      reader: { runId, agentId },
      // With an offset, output is read forward from there; otherwise new output is shown with its end, where the latest
      // output is.
      ...(offset === undefined
        ? { tailShare: failed ? 0.8 : 0.2 }
        : { from: Math.max(1, offset) - 1, tailShare: 0 }),
    });
    const isWaiting = reading.task.status === "running" && (await service.isWaiting(id));
    return {
      content: textOf(reading, { isWaiting, isFromStart: offset !== undefined }),
      title: `Output of ${id}`,
      summary: taskState(reading.task),
      metadata: {
        task: { ...reading.task },
        isWaitingForInput: isWaiting,
        nextOffset: reading.next + 1,
        totalBytes: reading.total,
      },
      trust: reading.task.trust,
    };
  },

  /** The read position is stored, so output that was not shown stays new. */
  async preview({ task_id: id, offset }, context) {
    const task = await context.service(jobs).get(id);
    const what =
      offset === undefined
        ? `the ${byteSize(task.printedBytes - task.seenBytes)} it printed since last time`
        : `its output from byte ${Math.max(1, offset)} of ${grouped(task.printedBytes)}`;
    return { summary: `Would show ${what}; ${id} is ${taskState(task)}.`, changes: [] };
  },
});

/** Errors for an id that names no command or agent. */
const ignored: ReadonlySet<string> = new Set(["NOT_FOUND", "INVALID_INPUT"]);

function fileOf(task: RunningTask): string | undefined {
  return task.kind === "command" ? task.outputFile : undefined;
}

function textOf(
  { task, parts, next, total }: TaskReading,
  { isWaiting, isFromStart }: { readonly isWaiting: boolean; readonly isFromStart: boolean },
): string {
  const [first, second] = parts;
  const lines: string[] = [];
  if (first !== undefined) lines.push(first.text.trimEnd());
  if (first !== undefined && second !== undefined) {
    const at = first.at + new TextEncoder().encode(first.text).length;
    lines.push(`[… ${grouped(second.at - at)} bytes left out here; offset ${at + 1} shows them …]`);
    lines.push(second.text.trimEnd());
  }
  const notes = [`${task.id} ${task.status === "running" ? "is running" : taskState(task)}.`];
  if (first === undefined) notes.unshift(isFromStart ? "No output there." : "No new output.");
  if (isWaiting) notes.push("It seems to wait for input: answer with TaskInput.");
  if (next < total) {
    notes.push(`${byteSize(total - next)} more; continue with offset ${next + 1}.`);
  }
  const file = fileOf(task);
  if (second !== undefined && file !== undefined) notes.push(`The whole is in ${file}.`);
  lines.push(`(${notes.join(" ")})`);
  return lines.join("\n");
}
