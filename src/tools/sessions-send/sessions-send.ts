import { z } from "zod";
import { defineTool, otherSessions } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";
import { SessionId, sessionIdAliases } from "../files/session-facts.ts";

export const sessionsSend = defineTool({
  name: "SessionsSend",
  displayName: "Send to session",
  description: "Send a message to a running session, which reads it before its next turn.",
  category: "agents",
  searchHint: "session message tell notify other conversation",
  aliases: ["sessions_send"],
  input: z.strictObject({
    session_id: SessionId,
    message: z.string().min(1).max(100_000).describe("Text that it reads."),
  }),
  inputAliases: { session_id: sessionIdAliases, message: ["text", "content"] },
  freeText: ["message"],
  touches: ["delegate"],
  needs: [otherSessions],
  effects: ({ session_id: id }) => [{ kind: "delegate", agent: id, target: "session" }],
  signature: ({ session_id: id }) => `SessionsSend ${id}`,
  suggestRule: () => "SessionsSend",

  async run({ session_id: id, message }, context) {
    await context.service(otherSessions).send(id, message, callerOf(context));
    return {
      content: `Sent to ${id}, which reads it before its next turn.`,
      title: `Message to ${id}`,
      summary: "sent",
    };
  },
});
