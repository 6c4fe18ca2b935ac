import { z } from "zod";
import {
  defineTool,
  type Effect,
  jobs,
  type Jobs,
  type RunningTask,
  ToolError,
} from "../../core/index.ts";
import { TaskId, taskIdAliases } from "../files/task-id.ts";
import { typedCommands } from "./typed-commands.ts";

/** Text typed into the tasks of a session since the last line end, by task. */
const pendingLines = new WeakMap<Jobs, Map<string, string>>();

/** Unfinished line of a task; the next text is judged as its continuation. */
function pendingLine(service: Jobs, taskId: string): string {
  return pendingLines.get(service)?.get(taskId) ?? "";
}

function typedInto(service: Jobs, taskId: string, typed: string): void {
  const lines = pendingLines.get(service) ?? new Map<string, string>();
  pendingLines.set(service, lines);
  const text = pendingLine(service, taskId) + typed;
  let end = text.lastIndexOf("\n");
  // A line end after a backslash does not end the line.
  while (end > 0 && text[end - 1] === "\\") end = text.lastIndexOf("\n", end - 1);
  const rest = text.slice(end + 1);
  if (rest === "") lines.delete(taskId);
  else lines.set(taskId, rest);
}

/** Unfinished line with which each input was judged. */
const judged = new WeakMap<object, string>();

const Input = z.strictObject({
  task_id: TaskId,
  text: z.string().describe("What to type."),
  enter: z.boolean().optional().describe("End the text with a line break. Default true."),
  eof: z.boolean().optional().describe("Then close the input."),
});

export const taskInput = defineTool({
  name: "TaskInput",
  displayName: "Type into task",
  description:
    "Type a line into the input of a running background task, for a program that asks something or an interpreter.",
  category: "shell",
  searchHint: "stdin write answer prompt interactive background task type",
  aliases: ["WriteStdin"],
  input: Input,
  inputAliases: {
    task_id: [...taskIdAliases, "session_id"],
    text: ["input", "chars", "stdin", "data"],
  },
  freeText: ["text"],
  touches: ["read", "write", "connect", "execute", "unknown"],
  needs: [jobs],
  async effects(input, context) {
    const { task_id: id, text } = input;
    const service = context.service(jobs);
    const task = await service.get(id).catch(missing);
    if (task?.kind !== "command" || task.status !== "running") return [];
    const { title, cwd } = task;
    const { analyseCommand, callEffects } = await import("../../shell/index.ts");
    const place = { cwd, workspace: context.workspace, home: context.host.info.home };
    const names = analyseCommand(title, place).invocations.map(({ name }) => name);
    const unknown: Effect = {
      kind: "unknown",
      because: `${id} can run arbitrary code with this input: ${title}`,
      origin: "TaskInput",
    };
    const pending = pendingLine(service, id);
    judged.set(input, pending);
    const counted = typedCommands({
      names,
      text: pending + text,
      judge: (typed) => callEffects(analyseCommand(typed, place)),
    });
    return [unknown, ...counted];
  },
  signature: ({ task_id: id, text }) => `TaskInput ${id} ${text}`,

  async run(input, context) {
    const { task_id: id, text, enter = true, eof = false } = input;
    const service = context.service(jobs);
    requireCommand(await service.get(id));
    const typed = typedText({ text, enter, eof });
    if (pendingLine(service, id) !== (judged.get(input) ?? "")) throw typedMeanwhile(id);
    // Recorded before writing, because input that is not read yet has been typed as well.
    typedInto(service, id, typed);
    if (typed !== "") await taken(service.write(id, new TextEncoder().encode(typed)), id);
    if (eof) await taken(service.write(id, "eof"), id);
    return {
      content: `Typed into ${id}${eof ? ", and closed its input" : ""}. TaskOutput shows what it answers.`,
      title: `Type into ${id}`,
    };
  },

  async preview({ task_id: id, text, enter = true, eof = false }, context) {
    const task = await context.service(jobs).get(id);
    const typed = typedText({ text, enter, eof });
    const closes = eof ? ", and close its input" : "";
    const does = task.status === "running" ? "Would type" : `${id} is over; nothing takes`;
    return { summary: `${does} ${JSON.stringify(typed)}${closes}: ${task.title}` };
  },
});

function requireCommand({ id, kind }: RunningTask): void {
  if (kind === "command") return;
  throw new ToolError("INVALID_INPUT", `${id} is an agent, which has no input to type into.`, {
    hint: "Send it a message with AgentSend.",
    data: { taskId: id },
  });
}

/** Text sent to the program: an empty text is a line end, unless the call only closes the input. */
function typedText({
  text,
  enter,
  eof,
}: {
  readonly text: string;
  readonly enter: boolean;
  readonly eof: boolean;
}): string {
  if (!enter || text.endsWith("\n") || (text === "" && eof)) return text;
  return `${text}\n`;
}

function typedMeanwhile(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `Another call has typed into ${id} meanwhile.`, {
    hint: "Make the call again: it is then decided together with the text already in the line.",
    retryable: true,
  });
}

/** Ignored here: `run` then reports which tasks exist. */
function missing(error: unknown): undefined {
  if (ToolError.is(error)) return undefined;
  throw error;
}

async function taken(writing: Promise<void>, id: string): Promise<void> {
  try {
    await writing;
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
    throw new ToolError("INVALID_INPUT", `Task ${id} has just ended.`, {
      hint: "TaskOutput shows its output.",
      cause: error,
    });
  }
}
