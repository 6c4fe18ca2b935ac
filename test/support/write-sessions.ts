// Writes sessions to a file: `write-sessions.ts FILE PREFIX COUNT`. Prints what was stored.
import { openSessionStore, userMessage } from "../../src/session/index.ts";

const [file = "", prefix = "", count = "0"] = process.argv.slice(2);
const store = await openSessionStore({ file });
for (let number = 0; number < Number(count); number += 1) {
  const sessionId = `${prefix}-${number}`;
  await store.create({ sessionId });
  const { log, end } = await store.begin({ sessionId, runId: "r", task: "t", model: "m" });
  for (let turn = 1; turn <= 5; turn += 1) {
    await log.append([userMessage(`${sessionId} ${turn}`)]);
    await log.steps.run(`tool:${turn}`, async () => "x".repeat(500));
  }
  await store.recordCall({ sessionId, callId: "c", kind: "intent", isDurable: true, body: "push" });
  await end({ status: "done", turns: 5, calls: 5, usage: { input: 1, output: 1 } });
  process.stdout.write(`${sessionId}\n`);
}
await store.close();
