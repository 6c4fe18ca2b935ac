// Runs an agent with 40 planned calls in FOLDER, or continues its session: `kill-run.ts FOLDER`. Prints a line for each
// event, so that it can be killed after one.
import path from "node:path";
import type { Message } from "../../src/agent/index.ts";
import { createToolkit } from "../../src/index.ts";
import { killedSession, planOf, type PlannedCall } from "./kill-plan.ts";
import {
  disposeAfterCommands,
  interrupted,
  plannedModel,
  publishTool,
  runSession,
} from "./planned-run.ts";

const [folder = ""] = process.argv.slice(2);
const plan = planOf(folder);

/** Calls that the conversation has not settled: a call that may be repeated is, after an interruption. */
function openCalls(messages: readonly Message[]): readonly PlannedCall[] {
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

const model = plannedModel(openCalls, () => "All done.");

const kit = await createToolkit({
  workspace: path.join(folder, "work"),
  dataDirectory: path.join(folder, "data"),
  additionalDirectories: [],
  mode: "bypassPermissions",
  sandbox: { require: "off", overlay: "off" },
  tools: { include: ["Read", "Write", "Bash", "Publish"], extra: [publishTool(folder)] },
  // Written at once: a line that waits in this process would be killed with it.
  onEvent: ({ type }) => void process.stdout.write(`${type}\n`),
});
await runSession(kit, { model, sessionId: killedSession, task: "do it all" });
await disposeAfterCommands(kit);
