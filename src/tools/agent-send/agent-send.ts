import { z } from "zod";
import { agents, defineTool } from "../../core/index.ts";
import { AgentId, agentIdAliases } from "../files/agent-id.ts";
import { callerOf } from "../files/agent-state.ts";

export const agentSend = defineTool({
  name: "AgentSend",
  displayName: "Send to agent",
  description: "Send a message to a running agent, which reads it before its next turn.",
  category: "agents",
  searchHint: "sub-agent subagent message steer",
  aliases: ["SendMessage", "subagent_send"],
  input: z.strictObject({
    agent_id: AgentId,
    message: z.string().min(1).describe("What it reads."),
  }),
  inputAliases: { agent_id: agentIdAliases, message: ["text", "prompt", "content"] },
  freeText: ["message"],
  touches: ["delegate"],
  needs: [agents],
  async effects({ agent_id: id }, context) {
    const { sessionId, agentId, signal } = context;
    const caller = { sessionId, agentId, signal, callId: "" };
    return [
      {
        kind: "delegate",
        agent: (await context.service(agents).get(id, caller)).agent,
        target: "agent",
      },
    ];
  },
  signature: ({ agent_id: id }) => `AgentSend ${id}`,

  async run({ agent_id: id, message }, context) {
    const info = await context.service(agents).send(id, message, callerOf(context));
    return {
      content: `Sent to ${info.agentId}, which reads it before its next turn.`,
      title: `Message to ${info.agentId}`,
      metadata: { agent: { ...info } },
    };
  },
});
