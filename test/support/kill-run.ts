// Runs an agent with 40 planned calls in FOLDER, or continues its session: `kill-run.ts FOLDER`. Prints a line for each
// event, so that it can be killed after one.
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Model } from "../../src/agent/index.ts";
import { createToolkit, defineTool } from "../../src/index.ts";
import { killedSession, planOf, type PlannedCall } from "./kill-plan.ts";

const [folder = ""] = process.argv.slice(2);
const plan = planOf(folder);
const interrupted = "It may or may not have taken effect";

const publish = defineTool({
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

/** Calls that the conversation has not settled: a call that may be repeated is, after an interruption. */
function openCalls(messages: Parameters<Model["stream"]>[0]["messages"]): readonly PlannedCall[] {
  const made = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((part) => part.type === "tool-call") : [],
  );
  const unsettled = new Set(
    messages.flatMap((message) =>
      message.role === "tool"
        ? message.content
            .filter(({ content }) => JSON.stringify(content).includes(interrupted))
            .map(({ callId }) => callId)
        : [],
    ),
  );
  return plan.filter(({ input, mayRepeat }) => {
    const same = made.filter((call) => call.input === JSON.stringify(input));
    const isSettled = same.some(({ id }) => !mayRepeat || !unsettled.has(id));
    return !isSettled;
  });
}

const model: Model = {
  id: "fake:plan",
  async *stream({ messages }) {
    const next = openCalls(messages).slice(0, 2);
    for (const [index, { name, input }] of next.entries()) {
      yield { type: "tool-call", id: `call_${index}`, name, input: JSON.stringify(input) };
    }
    if (next.length === 0) yield { type: "text", text: "All done." };
    yield { type: "finish", reason: next.length === 0 ? "stop" : "tool-calls" };
  },
};

const kit = await createToolkit({
  workspace: path.join(folder, "work"),
  dataDirectory: path.join(folder, "data"),
  additionalDirectories: [],
  mode: "bypassPermissions",
  sandbox: { require: "off", overlay: "off" },
  tools: { include: ["Read", "Write", "Bash", "Publish"], extra: [publish] },
  // Written at once: a line that waits in this process would be killed with it.
  onEvent: ({ type }) => void process.stdout.write(`${type}\n`),
});
const session = await kit.sessions.get(killedSession);
const run = kit.run({
  model,
  sessionId: killedSession,
  limits: { maxTurns: 200 },
  ...(session === undefined || session.messages === 0 ? { task: "do it all" } : {}),
});
const result = await run.result;
process.stdout.write(`result ${result.status}\n`);
if (result.status !== "done") process.stderr.write(`${JSON.stringify(result.error)}\n`);
// Background commands would end with the toolkit.
const isRunning = async (): Promise<boolean> =>
  (await kit.tasks.list()).some(({ status }) => status === "running");
while (await isRunning()) await delay(20);
await kit.dispose();
