// Runs a tree of agents with planned calls in FOLDER, or continues its session: `kill-agents-run.ts FOLDER`. Prints a
// line for each event, so that it can be killed after one.
import path from "node:path";
import type { Message } from "../../src/agent/index.ts";
import { contentText, createToolkit } from "../../src/index.ts";
import { killedSession, planOf, roles, type PlannedCall, type Role } from "./kill-agents-plan.ts";
import {
  disposeAfterCommands,
  interrupted,
  plannedModel,
  publishTool,
  runSession,
} from "./planned-run.ts";

const [folder = ""] = process.argv.slice(2);

interface MadeCall {
  readonly name: string;
  readonly input: string;
  /** Text of its result. */
  readonly result: string;
  readonly isError: boolean;
}

function madeCalls(messages: readonly Message[]): readonly MadeCall[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? message.content.map((each) => [each.callId, each] as const) : [],
    ),
  );
  return messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) => {
          if (part.type !== "tool-call") return [];
          const result = results.get(part.id);
          const text = result === undefined ? "" : contentText(result.content);
          const isError = result?.isError === true;
          return [{ name: part.name, input: part.input, result: text, isError }];
        })
      : [],
  );
}

function roleOf(messages: readonly Message[]): Role {
  const first = messages.find(({ role }) => role === "user");
  const task = first?.role === "user" ? contentText(first.content) : "";
  return roles.find((role) => task.startsWith(role)) ?? "main";
}

/** Next call that an agent needs; undefined if it works or has done its work. */
function nextForAgent(
  { input }: PlannedCall,
  made: readonly MadeCall[],
  messages: readonly Message[],
): PlannedCall | undefined {
  const name = String(input["description"]);
  const own = made.filter(
    (call) => call.name === "Agent" && String(JSON.parse(call.input).description) === name,
  );
  // A call that was interrupted before an agent was recorded has started none.
  const started = own.filter(({ result }) => !result.includes(interrupted));
  if (started.length === 0) return { name: "Agent", input, mayRepeat: true };
  const last = started.at(-1);
  const text = last?.result ?? "";
  const id = /agent-[\w-]+/u.exec(text)?.[0] ?? "";
  const ends = messages.flatMap((message) => {
    if (message.role !== "user") return [];
    return contentText(message.content).startsWith(`The agent ${id} `)
      ? [contentText(message.content)]
      : [];
  });
  const isBackground = input["mode"] === "background";
  if (!isBackground && last?.isError !== true) return undefined;
  if (isBackground) {
    if (ends.length < started.length) return undefined;
    if (ends.at(-1)?.includes("has ended: done") === true) return undefined;
  }
  const resume = { prompt: "continue", description: name, resume: id, mode: input["mode"] };
  return { name: "Agent", input: resume, mayRepeat: true };
}

function openCalls(messages: readonly Message[]): readonly PlannedCall[] {
  const made = madeCalls(messages);
  return planOf(roleOf(messages), folder).flatMap((planned) => {
    if (planned.name === "Agent") return nextForAgent(planned, made, messages) ?? [];
    const same = made.filter((call) => call.input === JSON.stringify(planned.input));
    const isSettled = same.some(
      ({ result }) => !planned.mayRepeat || !result.includes(interrupted),
    );
    return isSettled ? [] : [planned];
  });
}

const model = plannedModel(openCalls, (messages) => `${roleOf(messages)} is done.`);

const kit = await createToolkit({
  workspace: path.join(folder, "work"),
  dataDirectory: path.join(folder, "data"),
  additionalDirectories: [],
  model,
  mode: "bypassPermissions",
  sandbox: { require: "off", overlay: "off" },
  tools: {
    include: ["Read", "Write", "Bash", "Agent", "TaskCreate", "Publish"],
    extra: [publishTool(folder)],
  },
  // Written at once: a line that waits in this process would be killed with it.
  onEvent: ({ type, depth = 0 }) => void process.stdout.write(`${type} ${depth}\n`),
});
await runSession(kit, { sessionId: killedSession, task: "main: do it all" });
const tasks = await kit.tasks.list();
const todos = tasks.filter(({ kind }) => kind === "todo").map(({ title }) => title);
process.stdout.write(`todos ${JSON.stringify(todos.toSorted())}\n`);
await disposeAfterCommands(kit);
