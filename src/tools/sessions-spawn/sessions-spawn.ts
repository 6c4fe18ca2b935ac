import { z } from "zod";
import { defineTool, otherSessions } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";
import { sessionLine } from "../files/session-facts.ts";

export const sessionsSpawn = defineTool({
  name: "SessionsSpawn",
  displayName: "Start session",
  description:
    "Start a separate session on a task, with a conversation that the user can continue. Its end is reported to you.",
  category: "agents",
  searchHint: "session spawn new conversation background",
  aliases: ["sessions_spawn"],
  input: z.strictObject({
    prompt: z.string().min(1).describe("The whole task."),
    agent_id: z.string().min(1).optional().describe("Kind of agent. Default: your tools."),
    title: z.string().min(1).optional().describe("Title of 3 to 6 words."),
  }),
  inputAliases: { prompt: ["task"], agent_id: ["agentId", "agent"], title: ["label"] },
  freeText: ["prompt", "title"],
  touches: ["delegate"],
  needs: [otherSessions],
  effects: ({ agent_id: kind }) => [
    { kind: "delegate", agent: kind ?? "session", target: "session" },
  ],
  signature: ({ title, prompt }) => `SessionsSpawn ${title ?? prompt.slice(0, 60)}`,
  suggestRule: () => "SessionsSpawn",

  async run({ prompt, agent_id: agent, title }, context) {
    const session = await context
      .service(otherSessions)
      .spawn({ prompt, agent, title }, callerOf(context));
    return {
      content: `Started. Its end is reported to you, so do not wait by polling.\n\n${sessionLine(session)}`,
      title: `Session: ${session.title}`,
      summary: session.sessionId,
      metadata: { session: { ...session } },
    };
  },
});
