import { expect } from "vitest";
import type { Outcome, Tool } from "../../src/core/index.ts";
import type { ToolkitOptions } from "../../src/index.ts";
import { openSessionStore, userMessage } from "../../src/session/index.ts";
import { countingTool } from "./kit.ts";
import { aRun, called, done } from "./sessions.ts";
import { saying, storedKits } from "./stored-kits.ts";

/** A call that was running when its process was killed, and how it continues. */
export function interruptedCalls(name: string) {
  const { at, open } = storedKits(name);

  /** Leaves a session as a process leaves it that was killed inside a call. */
  async function killed(
    call: { readonly name: string; readonly input?: unknown },
    left: {
      readonly outcome?: Pick<Outcome, "content" | "isError">;
      readonly isStarted?: boolean;
      readonly isFailed?: boolean;
    },
  ): Promise<void> {
    const store = await openSessionStore({
      file: at("data/sessions.db"),
      processes: { own: "1/gone/x", isRunning: () => false },
    });
    await store.create({ sessionId: "s" });
    const { log, end } = await store.begin(aRun("r1"));
    await log.append([
      userMessage("go"),
      called("c1", JSON.stringify(call.input ?? {}), call.name),
    ]);
    if (left.isStarted === true) {
      await store.recordCall({
        sessionId: "s",
        callId: "c1",
        kind: "intent",
        isDurable: true,
        body: {},
      });
    }
    if (left.outcome !== undefined) await log.steps.run("tool:c1", async () => left.outcome);
    if (left.isFailed === true) await end({ ...done, status: "failed" });
    await store.close();
  }

  /** Continues the session in a kit with the tool of the call. */
  async function settledBy(
    traits: Partial<Tool>,
    options: ToolkitOptions = {},
    sessionId = "s",
  ): Promise<Continued> {
    const { tool, runs } = countingTool("Push", traits);
    const kit = await open({ tools: { extra: [tool] }, rules: { allow: ["Push"] }, ...options });
    const { model, requests } = saying("done");
    const { status } = await kit.run({ sessionId, model }).result;
    expect(status).toBe("done");
    const stored = await kit.sessions.messages(sessionId);
    await kit.dispose();
    const result = requests[0]?.messages[2];
    expect(stored[2]).toEqual(result);
    return { results: JSON.stringify(result), runs: runs() };
  }

  return { at, open, killed, settledBy };
}

interface Continued {
  readonly results: string;
  readonly runs: number;
}
