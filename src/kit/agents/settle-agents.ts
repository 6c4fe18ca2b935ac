import { completionText, foundInfo, interruptedAgent, startedCallText } from "../../agent/index.ts";
import type { Toolkit } from "../../core/index.ts";
import type { SessionStore } from "../../session/index.ts";

/** Text in place of the result of a call that started an agent and was interrupted. */
export interface StartedCall {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Ends the agents of a conversation whose process ended before they did: the conversation gets a message about each
 * agent in the background. Returns what the calls that started agents have in place of a result, by call.
 */
export async function settleAgents({
  store,
  toolkit,
  run: { sessionId, agentId = "" },
}: {
  readonly store: SessionStore;
  readonly toolkit: Pick<Toolkit, "now">;
  readonly run: { readonly sessionId: string; readonly agentId?: string };
}): Promise<ReadonlyMap<string, StartedCall>> {
  const started = new Map<string, StartedCall>();
  for (const found of await store.storedAgents({ sessionId })) {
    if (found.parentAgentId !== agentId) continue;
    const info = foundInfo(found, toolkit.now());
    if (info === undefined) continue;
    if (found.state === "interrupted") {
      const end = info.isBackground ? completionText(info) : undefined;
      await store.recordAgent(interruptedAgent(found, info), end);
    }
    const isError = !info.isBackground && info.status !== "done";
    started.set(found.callId, { text: startedCallText(info), isError });
  }
  return started;
}
