import { z } from "zod";
import { defineTool, otherSessions } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";
import { counted } from "../files/paths/display-path.ts";
import { SessionId, sessionIdAliases, sessionLine } from "../files/session-facts.ts";

const defaultLimit = 20;
const maxLimit = 200;
/** Characters of one message; longer ones are shortened. */
const maxChars = 2000;

export const sessionsHistory = defineTool({
  name: "SessionsHistory",
  displayName: "Session history",
  description: "Show the latest messages of a session of this workspace.",
  category: "agents",
  searchHint: "session conversation transcript messages read",
  aliases: ["sessions_history"],
  input: z.strictObject({
    session_id: SessionId,
    limit: z.int().min(1).max(maxLimit).optional().describe(`Messages. Default ${defaultLimit}.`),
  }),
  inputAliases: { session_id: sessionIdAliases },
  touches: [],
  needs: [otherSessions],
  signature: ({ session_id: id }) => `SessionsHistory ${id}`,

  async run({ session_id: id, limit = defaultLimit }, context) {
    const service = context.service(otherSessions);
    const session = await service.get(id);
    const messages = await service.history(id, limit, callerOf(context));
    const shown = messages.map(({ role, text }) =>
      text.length <= maxChars
        ? `${role}: ${text}`
        : `${role}: ${text.slice(0, maxChars)}… (${text.length - maxChars} characters left out)`,
    );
    return {
      content: [sessionLine(session), ...shown].join("\n\n"),
      title: `History of ${id}`,
      summary: counted(messages.length, "message"),
      metadata: { session: { ...session } },
      // It may quote what its tools have read.
      trust: "untrusted",
    };
  },
});
