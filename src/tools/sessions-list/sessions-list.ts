import { z } from "zod";
import { defineTool, otherSessions } from "../../core/index.ts";
import { sessionLine } from "../files/session-facts.ts";
import { counted } from "../files/paths/display-path.ts";

const defaultLimit = 20;
const maxLimit = 100;

export const sessionsList = defineTool({
  name: "SessionsList",
  displayName: "List sessions",
  description: "List the sessions of this workspace, the latest first.",
  category: "agents",
  searchHint: "sessions conversations running stored",
  aliases: ["sessions_list"],
  input: z.strictObject({
    limit: z.int().min(1).max(maxLimit).optional().describe(`Default ${defaultLimit}.`),
    offset: z.int().min(0).optional().describe("Number of sessions to skip."),
  }),
  touches: [],
  needs: [otherSessions],
  signature: () => "SessionsList",

  async run({ limit = defaultLimit, offset = 0 }, context) {
    const sessions = await context.service(otherSessions).list({ limit, offset });
    const more = sessions.length === limit ? [`(more with offset ${offset + limit})`] : [];
    return {
      content:
        sessions.length === 0 ? "No sessions." : [...sessions.map(sessionLine), ...more].join("\n"),
      title: "List sessions",
      summary: counted(sessions.length, "session"),
      metadata: { sessions: sessions.map((session) => ({ ...session })) },
      // Titles are written in other conversations.
      trust: "untrusted",
    };
  },
});
