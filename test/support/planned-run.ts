// Parts of the programs that make planned calls until they are killed, and continue their session when they run again.
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Message, Model, RunResult } from "../../src/agent/index.ts";
import { defineTool, type Kit, type KitRunOptions, type Tool } from "../../src/index.ts";

/** Text in the result of a call that was interrupted. */
export const interrupted = "It may or may not have taken effect";

interface NamedCall {
  readonly name: string;
  readonly input: unknown;
}

/** A tool that has an effect outside the workspace. */
export function publishTool(folder: string): Tool {
  return defineTool({
    name: "Publish",
    description: "Publish a line.",
    touches: ["unknown"],
    input: { type: "object", properties: { line: { type: "string" } } },
    effects: () => [{ kind: "unknown", because: "it publishes", origin: "Publish" }],
    async run({ line }) {
      await appendFile(path.join(folder, "outside/log.txt"), `${String(line)}\n`);
      return { content: "published" };
    },
  });
}

/** A model that makes the calls that are open in the conversation, two at a time. */
export function plannedModel(
  openCalls: (messages: readonly Message[]) => readonly NamedCall[],
  textOf: (messages: readonly Message[]) => string,
): Model {
  return {
    id: "fake:plan",
    async *stream({ messages }) {
      const next = openCalls(messages).slice(0, 2);
      for (const [index, { name, input }] of next.entries()) {
        yield { type: "tool-call", id: `call_${index}`, name, input: JSON.stringify(input) };
      }
      if (next.length === 0) yield { type: "text", text: textOf(messages) };
      yield { type: "finish", reason: next.length === 0 ? "stop" : "tool-calls" };
    },
  };
}

/** Starts the session with a task, or continues it, and prints how the run ended. */
export async function runSession(
  kit: Kit,
  { task, ...options }: KitRunOptions & { readonly sessionId: string },
): Promise<RunResult> {
  const session = await kit.sessions.get(options.sessionId);
  const isNew = session === undefined || session.messages === 0;
  const run = kit.run({
    ...options,
    limits: { maxTurns: 200 },
    ...(isNew && task !== undefined ? { task } : {}),
  });
  const result = await run.result;
  process.stdout.write(`result ${result.status}\n`);
  if (result.status !== "done") process.stderr.write(`${JSON.stringify(result.error)}\n`);
  return result;
}

/** Waits for the background commands, which would end with the toolkit, and disposes it. */
export async function disposeAfterCommands(kit: Kit): Promise<void> {
  const isRunning = async (): Promise<boolean> =>
    (await kit.tasks.list()).some(({ kind, status }) => kind === "command" && status === "running");
  while (await isRunning()) await delay(20);
  await kit.dispose();
}
