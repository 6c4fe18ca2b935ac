import type { Kit, Task } from "../../index.ts";
import { describeTasks, describeTodo, stateOf } from "../print/describe-task.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../options.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { visibleText } from "../print/visible-text.ts";

const help = `Usage: haft tasks             list the tasks of this workspace: running and open ones first
       haft tasks ID          print the output of a command, or the text of an agent
       haft tasks stop ID     end a command with everything it started, or cancel a todo

Tasks are background commands and agents, and the todos of plans, of every session in this workspace. An agent, an MCP
client or your own program starts them; they are listed while it still works in another terminal. Commands and agents
end with the toolkit that started them. A command that outlived a killed haft is listed and can be stopped. An agent can
be stopped only by the process that runs it.

      --lines N         print only the last N lines of the output
${recordOptionsHelp()}`;

/** `haft tasks`: lists the tasks of every kind, shows their output, and stops them. */
export async function tasks(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, { ...kitOptions, lines: { type: "string" } });
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const json = values.json === true;
  const request = requestOf(rest, values.lines);
  const kit = await openKit(values, terminal);
  try {
    switch (request.verb) {
      case "list":
        return await list(kit, { json, terminal });
      case "show":
        return await show(kit, request, { json, terminal });
      case "stop":
        return await stop(kit, request.id, { json, terminal });
    }
  } finally {
    await kit.dispose();
  }
}

type Request =
  | { readonly verb: "list" }
  | { readonly verb: "show"; readonly id: string; readonly lines: number | undefined }
  | { readonly verb: "stop"; readonly id: string };

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
}

function requestOf(rest: readonly string[], lines: string | undefined): Request {
  const [first, second] = rest;
  const isStop = first === "stop";
  refuseMore(rest, isStop ? 2 : 1, "It is haft tasks, haft tasks ID, or haft tasks stop ID.");
  if (lines !== undefined && (first === undefined || isStop)) {
    throw new UsageError("--lines needs the id of a task.", "haft tasks lists the ids.");
  }
  if (lines !== undefined && !/^[1-9]\d{0,6}$/u.test(lines)) {
    throw new UsageError(`--lines takes a whole number above 0, not ${JSON.stringify(lines)}.`);
  }
  if (first === undefined) return { verb: "list" };
  const count = lines === undefined ? undefined : Number(lines);
  if (!isStop) return { verb: "show", id: first, lines: count };
  if (second === undefined) {
    throw new UsageError("Stop which task?", "haft tasks lists the ids.");
  }
  return { verb: "stop", id: second };
}

async function list(kit: Kit, { json, terminal }: Printing): Promise<ExitCode> {
  const all = await kit.tasks.list();
  const sorted = [...all.filter(isOpen), ...all.filter((task) => !isOpen(task))];
  if (json) terminal.out(`${JSON.stringify(sorted, null, 2)}\n`);
  else if (all.length === 0) terminal.err("There are no tasks here.\n");
  else {
    for (const line of describeTasks(sorted, kit.now())) terminal.out(`${line}\n`);
  }
  return exitCodes.ok;
}

function isOpen({ status }: Task): boolean {
  return status === "running" || status === "in_progress" || status === "pending";
}

/** Bytes read to find the last lines. */
const tailBytes = 2_000_000;

async function show(
  kit: Kit,
  { id, lines }: { readonly id: string; readonly lines: number | undefined },
  { json, terminal }: Printing,
): Promise<ExitCode> {
  const todo = (await kit.tasks.list()).find((task) => task.id === id && task.kind === "todo");
  if (todo?.kind === "todo") {
    terminal.out(json ? `${JSON.stringify(todo, null, 2)}\n` : describeTodo(todo));
    return exitCodes.ok;
  }
  const { task, total } = await kit.tasks.read(id, { maxBytes: 1 });
  const from = lines === undefined ? 0 : Math.max(0, total - tailBytes);
  if (json) {
    let text = "";
    for await (const part of outputOf(kit, { id, from, total })) text += part;
    const output = lines === undefined ? text : lastLines(text, lines);
    terminal.out(`${JSON.stringify({ ...task, output }, null, 2)}\n`);
    return exitCodes.ok;
  }
  terminal.err(`${terminal.style("dim", `${visibleText(task.title)}: ${stateOf(task)}`)}\n`);
  let held = "";
  let last = "\n";
  for await (const text of outputOf(kit, { id, from, total })) {
    if (lines === undefined) {
      terminal.out(text);
      last = text;
    } else held += text;
  }
  if (lines !== undefined) terminal.out((last = lastLines(held, lines)));
  if (total === 0) terminal.err("It has no output.\n");
  else if (terminal.isOutputRead && !last.endsWith("\n")) terminal.out("\n");
  return exitCodes.ok;
}

async function* outputOf(
  kit: Kit,
  { id, from, total }: { readonly id: string; readonly from: number; readonly total: number },
): AsyncGenerator<string> {
  for (let at = from; at < total;) {
    const { text, next } = await kit.tasks.read(id, { from: at });
    if (next <= at) return;
    yield text;
    at = next;
  }
}

function lastLines(text: string, count: number): string {
  const lines = text.split("\n");
  return lines.slice(-count - (text.endsWith("\n") ? 1 : 0)).join("\n");
}

async function stop(kit: Kit, id: string, { json, terminal }: Printing): Promise<ExitCode> {
  const before = (await kit.tasks.list()).find((task) => task.id === id);
  // An unknown id, and a todo that is closed, are errors that the kit explains.
  const isOver = before !== undefined && before.kind !== "todo" && before.status !== "running";
  const task = isOver ? before : await kit.tasks.stop(id);
  const hasEnded = task.status !== "running";
  if (json) terminal.out(`${JSON.stringify(task, null, 2)}\n`);
  else if (isOver) terminal.err(`${id} had already ended: ${stateOf(task)}.\n`);
  else if (task.kind === "todo") terminal.out(`Cancelled ${id}: ${visibleText(task.title)}\n`);
  else if (hasEnded) terminal.out(`Stopped ${id}: ${visibleText(task.title)}\n`);
  else terminal.err(notEnded(task));
  return hasEnded ? exitCodes.ok : exitCodes.failed;
}

function notEnded(task: Exclude<Task, { kind: "todo" }>): string {
  const { id } = task;
  const process = task.kind === "command" ? `Process ${task.pid} is of its command; l` : "L";
  return `haft: ${id} did not end, not even when it was killed.\n${process}ook with haft tasks again later.\n`;
}
